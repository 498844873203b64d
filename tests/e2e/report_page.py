# SPDX-License-Identifier: GPL-2.0-or-later
# report_page.py try CHROMIUM DRIVER AXE   the pages of report_browser.sh, tried as readers would: by mouse and keyboard;
#                                          AXE: axe-core's file, or nothing
# report_page.py name|rename|hostile       names that a page must survive: of a program, and in a source
import base64
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import traceback

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from report_numbers import sums, unpack

SECTIONS = ["overview", "source", "advice", "races", "timeline", "sharing", "paths", "sync", "about"]
PROGRAM = "x</script><script>document.title='hacked';alert(1)</script>\u202egnp.\u202c&lt;b>" + "n" * 120
# Of a function and of variables, put into the binary in the place of names of their length.
NAMES = {
    "total": b"total</script><script>document.title=1</script>", "largest": b"javascript:alert(1)//<img src=x onerror=alert(1)>",
    "fill": "fill\u202e\u2066".encode() + b"long" * 2500, "lock": b"lock'\"><svg/onload=alert(1)>\xff\xfe\x80",
}


def stand_in(name):
    return f"{name}_".ljust(len(NAMES[name]), "Q")


def hostile(source, target):
    """The source with stand-ins for such names, and lines that are markup or no UTF-8."""
    text = open(source).read()
    for name in NAMES:
        text = re.sub(rf"(?<!_)\b{name}\b(?!_)", stand_in(name), text)
    lines = b"/* </script><script>document.title='hacked'</script> <!-- \xff\xfe\x80 \xe2\x80\xae reversed */\n"
    with open(target, "wb") as f:
        f.write(lines + text.encode() + lines + b"/* " + b"y" * 20000 + b" */\n")


def rename(program):
    """The names into the binary, which gets such a name, too."""
    data = open(program, "rb").read()
    for name, bytes_ in NAMES.items():
        assert stand_in(name).encode() in data, name
        data = data.replace(stand_in(name).encode(), bytes_)
    with open(program, "wb") as f:
        f.write(data)
    os.rename(program, file_name())


def file_name():
    return PROGRAM.replace("/", "\\")


class Page:
    def __init__(self, driver, name):
        self.driver, self.name = driver, name
        self.driver.get("about:blank")
        self.driver.get(pathlib.Path(f"{name}.html").resolve().as_uri())
        self.wait(lambda: self.js("return document.documentElement.dataset.ready") == "1", "ready")
        self.data = json.loads(self.js("return document.getElementById('cdrgrind-data').textContent"))

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, true, what):
        """Until it is so; however long a loaded machine takes."""
        for _ in range(3000):
            if true():
                return
            self.js("return 0")
        raise AssertionError(f"{self.name}: not {what}")

    def document(self, schema):
        name = next((n for n in self.data if n.startswith(f"cdrgrind.{schema}/")), None)
        return self.data[name] if name else None

    def find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def open(self, hash_):
        """The view of an address, when the page has drawn it: its listener comes before this one."""
        self.driver.execute_async_script("""
            const [hash, done] = arguments, before = location.hash;
            const drawn = () => setTimeout(() => requestAnimationFrame(() => done()), 0);
            addEventListener('hashchange', drawn, { once: true });
            location.hash = hash;
            if (location.hash !== before) return;
            removeEventListener('hashchange', drawn);
            drawn();""", hash_)

    def settle(self):
        # Events that the browser has yet to send, and a frame.
        self.driver.execute_async_script("const done = arguments[0]; setTimeout(() => requestAnimationFrame(() => done()), 0)")

    def rows(self, section, caption, every=True):
        """Texts of the cells of a table's rows, by the beginning of its caption."""
        if every:
            while self.js(MORE, section):
                pass
        return self.js(ROWS, section, caption)

    def texts(self, css):
        return [e.text for e in self.all(css)]

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()
        self.settle()

    def silent(self):
        said = [l for l in self.driver.get_log("browser")]
        assert not said, f"{self.name}: {said}"
        assert self.driver.title.endswith("– cdrgrind"), self.driver.title


MORE = """const b = document.querySelector('#' + arguments[0] + ' button.more'); if (b) b.click(); return !!b;"""
ROWS = """
  const text = (c) => { const t = c.cloneNode(true); t.querySelectorAll('small, .bar, .opens').forEach((x) => x.remove()); return t.textContent.trim(); };
  for (const t of document.querySelectorAll('#' + arguments[0] + ' .table-box > .table-scroll > table'))
    if (t.caption.textContent.startsWith(arguments[1]))
      return [...t.tBodies[0].rows].filter((r) => !r.classList.contains('detail')).map((r) => [...r.cells].map(text));
  return [];"""


def number(text):
    return int(text.replace(",", ""))


def same(got, want, what):
    assert got == want, f"{what}:\n page {got}\n data {want}"


# --- what the page shows is what the documents say


def check_overview(page):
    t = page.document("timeline")
    rows = page.rows("overview", "Threads")
    same([(number(r[1]), number(r[4]), number(r[5])) for r in rows],
         [(l["instructions"], l["clock"], l["operations"]) for l in t["lanes"]], "threads")
    same(sum(number(r[1]) for r in rows), t["instructions"], "instructions")
    functions = page.rows("overview", "Functions")
    same(sum(number(r[2]) for r in functions), sum(l["instructions"] for l in t["heat"]["lines"]), "functions")
    gains = [l for l in page.document("advice")["loops"] if l["run_speed_up"] > 1.005 and l["verdict"] != "unseen"]
    same(len(page.all("#overview .findings li[data-loop]")), min(8, len(gains)), "loops")
    roots = [r for r in page.document("races")["races"] if r["labels"]["status"] != "artifact"]
    same(len(page.all("#overview .findings li[data-race]")), min(8, len(roots)), "races")


def check_advice(page):
    doc = page.document("advice")
    rows = page.rows("advice", "Loops")
    order = sorted(doc["loops"], key=lambda l: (-l["run_speed_up"], -l["instructions"]))
    same([(r[2], number(r[4]), number(r[5])) for r in rows], [(l["verdict"], l["iterations"], l["depth"]) for l in order], "loops")
    for row, loop in zip(rows, order):
        assert row[0].endswith(f":{loop['place']['line']}"), (row, loop["place"])
        assert abs(float(row[7][2:]) - loop["run_speed_up"]) < 0.006, (row, loop["run_speed_up"])
    for i, loop in enumerate(order[:3]):
        page.all("#advice tbody > tr[data-loop] .opens")[i].click()
        detail = page.all("#advice tbody > tr[data-loop]")[i].find_element(By.XPATH, "following-sibling::tr[1]").text
        assert not loop["pragma"] or loop["pragma"] in detail, detail
        for carried in loop["carried"]:
            assert carried["class"] in detail and carried["object"].split("\\")[0][:40] in detail, (carried["object"], detail)


def check_races(page):
    doc = page.document("races")
    rows = page.rows("races", "Data races")
    same(sorted((r[0].split()[1], number(r[6])) for r in rows), sorted((str(r["id"]), r["instances"]) for r in doc["races"]), "races")
    statuses = [r[2].split()[0] for r in rows]
    assert "artifact" not in statuses or statuses[0] != "artifact", statuses
    for race in doc["races"]:
        page.open(f"#races={race['id']}")
        shown = page.find(f"#races tr[data-race='{race['id']}'] + tr.detail")
        sides = [*shown.find_elements(By.CSS_SELECTOR, ".side"), *shown.find_elements(By.CSS_SELECTOR, ".allocated")]
        location = race["location"]
        allocated = [(location["allocated"], location["folded"])] if "allocated" in location else []
        want = [(race[s]["stack"], race[s]["folded"]) for s in ("first", "second")] + allocated
        same(len(sides), len(want), "stacks")
        for side, (frames, folded) in zip(sides, want):
            lines = page.js("return [...arguments[0].querySelectorAll('.stack li:not(.folded)')].map((li) => [li.value, li.querySelector('.name').textContent])", side)
            same([line[0] for line in lines], list(range(1, len(frames) + 1)), "numbers of frames")
            for (_, name), frame in zip(lines, frames):
                assert name == (frame["function"] or "?") or "\\" in repr(name) or "⟨" in name, (name, frame)
            same(page.js(FOLDED, side), [[f["first"] + 1, f"… {f['frames']} frames of {f['of']}", f["frames"], False] for f in folded], "folded frames")
            assert not page.js(SEEN, side), side.text
    if any(s["folded"] for r in doc["races"] for s in (r["first"], r["second"])):
        try_stacks(page, doc)


FOLDED = """return [...arguments[0].querySelectorAll('.stack > .folded')].map((li) => {
    const d = li.querySelector('details');
    return [li.value, d.querySelector('summary').textContent, d.querySelectorAll('li').length, d.open];
  });"""


SEEN = "return [...arguments[0].querySelectorAll('.folded li')].some((li) => li.checkVisibility())"


def try_stacks(page, doc):
    """Folded frames, by keys: those of one place, then all; an address that says so."""
    race = next(r for r in doc["races"] if r["first"]["folded"])
    page.open(f"#races={race['id']}")
    row = f"#races tr[data-race='{race['id']}'] + tr.detail "
    page.js("document.querySelector(arguments[0]).focus()", row + ".side .folded summary")
    for opened in (True, False):
        page.keys(Keys.ENTER)
        same(page.js(SEEN, page.find(row + ".side")), opened, "a frame that was folded is seen")
    folded = sum(len(s["folded"]) for r in doc["races"] if r is race for s in (r["first"], r["second"], r["location"]) if "folded" in s)
    page.js("document.querySelector('#races input[name=stacks]').focus()")
    for opened in (True, False):
        page.keys(Keys.SPACE)
        same(len(page.all(row + ".folded details[open]")), folded if opened else 0, "open at once")
        same("stacks=full" in page.driver.current_url, opened, "the address")
        same(page.driver.switch_to.active_element.get_attribute("name"), "stacks", "the focus")
    page.open(f"#races={race['id']}&stacks=full")
    same(len(page.all(row + ".folded details[open]")), folded, "open by the address")


def check_source(page):
    doc = page.document("dependences")
    sources = [f for f in page.document("sources")["files"] if f["text"] is not None]
    hottest = page.js("return document.querySelector('#source .listing') && document.querySelector('#source .line').dataset.line")
    assert hottest or not sources
    if not hottest:
        return
    name = hottest.rsplit(":", 1)[0]
    file = next(f for f in sources if f["file"].endswith(name.split("/")[-1]))
    text = file["text"].split("\n")
    first = page.js("return [...document.querySelectorAll('#source .line')].slice(0, 40).map((l) => [l.dataset.line, l.querySelector('code').textContent])")
    for line, code in first:
        at = int(line.rsplit(":", 1)[1])
        assert code.strip()[:60] == text[at - 1].strip()[:60], at
    here = [r for r in doc["dependences"] if file["file"] in (r["source"]["file"], r["target"]["file"])]
    arrows = {(r["kind"], r["source"]["line"], r["target"]["line"]) for r in here
              if r["source"]["file"] == r["target"]["file"] and r["source"]["line"] and r["target"]["line"]}
    page.js("document.querySelector('#source .listing').style.height = '4000px'")
    page.settle()
    page.wait(lambda: len(page.all("#source .line")) >= min(len(text) - 1, 200), "all lines in sight")
    page.settle()
    if len(text) < 200:
        same(len(page.all("#source .arrow")), len(arrows), "arrows")
    lines = sorted({e["line"] for r in here for e in (r["source"], r["target"]) if e["file"] == file["file"] and e["line"]})
    for line in lines[:6]:
        page.open(f"#source={name}:{line}")
        want = [r for r in here if (file["file"], line) in ((r["source"]["file"], r["source"]["line"]), (r["target"]["file"], r["target"]["line"]))]
        got, more = page.js("""const h = [...document.querySelectorAll('.line-detail h4')].find((x) => x.textContent.startsWith('Dependences'));
                               const all = h ? [...h.nextSibling.children] : [], rest = all.filter((li) => li.classList.contains('none'));
                               return [all.filter((li) => !rest.includes(li)).map((li) => li.querySelector('b').textContent), rest.map((li) => li.textContent)]""")
        same([number(t.split()[0]) for t in got], sorted((r["count"] for r in want), reverse=True)[:60], f"dependences of line {line}")
        same(more, [f"{len(want) - 60:,} more"] if len(want) > 60 else [], f"dependences of line {line} that are not shown")


def check_more(page):
    page.open("#source=many_lines.c:3")
    assert any(t == "10 more" for t in page.texts(".line-detail li.none")), page.texts(".line-detail li.none")


def check_sharing(page):
    doc = page.document("sharing")
    rows = page.rows("sharing", "Shared variables")
    same(sorted((number(r[2]), number(r[3]), number(r[4])) for r in rows),
         sorted((sum(t["loads"] for t in v["threads"]), sum(t["stores"] for t in v["threads"]), v["hand_overs"]) for v in doc["variables"]), "variables")
    rows = page.rows("sharing", "Lines of memory")
    same(sorted((int(r[0], 16), number(r[1]), number(r[2])) for r in rows), sorted((l["address"], l["misses"], l["false_misses"]) for l in doc["lines"]), "lines")
    rows = page.rows("sharing", "Bytes that one thread")
    same(sorted(number(r[4]) for r in rows), sorted(p["bytes"] for p in doc["passed"]), "bytes passed")


def check_paths(page):
    rows = page.rows("paths", "Hottest")
    same([(number(r[1]), number(r[3])) for r in rows], [(p["instructions"], p["trips"]) for p in page.document("paths")["paths"]], "paths")
    nest = page.document("loops")
    page.js("document.querySelectorAll('#paths details').forEach((d) => { d.open = true })")

    def depth_one(items):
        return [i["count"] for i in items if not isinstance(i, str)]
    got = page.js("return [...document.querySelectorAll('#paths .thread-nest[data-thread=\"1\"] > ul > li > details > summary > b')].map((b) => b.textContent)")
    same([number(t.split()[0]) for t in got], depth_one(nest["nest"][:300]), "loops of main")


def check_sync(page):
    doc = page.document("sync")
    rows = page.rows("sync", "Objects")
    same(sorted((r[1], number(r[2]), number(r[3]), number(r[4])) for r in rows),
         sorted((o["kind"], o["acquisitions"], o["contended"], o["hand_overs"]) for o in doc["objects"]), "objects")
    rows = page.rows("sync", "In true order")
    same([number(r[0]) for r in rows], [r["event"] for r in shown_rows(doc)], "chart")
    check_sections(page, doc)
    check_barriers(page, doc)
    check_regions(page, doc)


def shown_rows(doc):
    if "strands" not in doc:
        return doc["chart"]
    return [r for r in doc["chart"] if "strand" in r and r.get("op") not in ("omp-task-data", "omp-task-depend")]


def check_sections(page, doc):
    """A row for each line and lock, locks whose names differ in indices alone together."""
    names = ("times", "contended", "insns_held", "longest", "would_wait", "insns_would_wait")
    want = {}
    for lock in doc["sections"]:
        for line in lock["lines"]:
            at = line["at"]
            sums = want.setdefault((lock["kind"], re.sub(r"\[[^\]]*\]", "", lock["name"]), at["file"], at["line"], at["function"]), dict.fromkeys(names, 0))
            for name in names:
                sums[name] = max(sums[name], line[name]) if name == "longest" else sums[name] + line[name]
    rows = page.rows("sync", "Critical sections")
    ended = doc["rerun"]["ended"]
    same(sorted((*map(number, r[2:6]), *((number(r[7]), number(r[8])) if ended else ())) for r in rows),
         sorted(tuple(sums[n] for n in (names if ended else names[:4])) for sums in want.values()), "critical sections")
    same(sorted(r[0].rsplit(":", 1)[-1] for r in rows), sorted(str(key[3]) for key in want), "lines that get locks")
    if ended:
        same(sorted(r[6] for r in rows), sorted(f"{100 * s['insns_held'] / doc['rerun']['insns'] + 1e-9:.1f} %" for s in want.values()), "shares")


def check_regions(page, doc):
    regions = doc.get("regions", [])
    rows = page.rows("sync", "Parallel regions")
    same([tuple(map(number, (*r[2:5], r[6]))) for r in rows],
         [(r["runs"], len(r["threads"]), r["barriers"], sum(t["waited"] for t in r["threads"])) for r in regions], "regions")
    for i, region in enumerate(regions):
        row = page.driver.find_elements(By.XPATH, "//*[@id='sync']//table[caption='Parallel regions']/tbody/tr[not(@class='detail')]")[i]
        row.find_element(By.CSS_SELECTOR, ".opens").click()
        detail = row.find_element(By.XPATH, "following-sibling::tr[1]").text
        for t in region["threads"]:
            assert re.search(rf"thread {t['thread']}: {t['insns']:,} instruction.* others had {t['waited']:,} more to do", detail), (t, detail)
        for w in region["works"]:
            assert all(f"thread {t['thread']}: {t['parts']:,} " in detail for t in w["threads"]), (w, detail)
        for e in region["exclusions"]:
            assert f"{e['sections']:,} ×, {e['insns']:,} instruction" in detail, (e, detail)
        row.find_element(By.CSS_SELECTOR, ".opens").click()


def check_barriers(page, doc):
    rows = page.rows("sync", "Barriers")
    def threads(b):
        least, most = b["threads_least"], b["threads_most"]
        return str(most) if least == most else f"{least} to {most}"
    ended = doc["rerun"]["ended"]
    same([(r[0], number(r[2]), r[3]) for r in rows],
         [(b["name"] + (f" with {b['mutex']}" if "mutex" in b else ""), b["rounds"], threads(b)) for b in doc["barriers"]], "barriers")
    if ended:
        same([number(r[4]) for r in rows], [b["insns_would_wait"] for b in doc["barriers"]], "waits at barriers")
    for i, b in enumerate(doc["barriers"]):
        row = page.all("#sync tr[data-object]")
        row = [r for r in row if r.find_elements(By.XPATH, "ancestor::table[caption='Barriers']")][i]
        row.find_element(By.CSS_SELECTOR, ".opens").click()
        detail = row.find_element(By.XPATH, "following-sibling::tr[1]").text
        for last in b["last"]:
            assert f"{'main' if last['thread'] == 1 else 'thread ' + str(last['thread'])}: {last['rounds']:,} ×" in detail, (last, detail)
        for at in b["at"]:
            assert re.search(rf":{at['line']}\b.*: {at['rounds']:,} round", detail), (at, detail)
        row.find_element(By.CSS_SELECTOR, ".opens").click()


def check_timeline(page):
    t = page.document("timeline")
    box = page.find("#timeline .timeline")
    same(int(box.get_attribute("data-to")), max(t["instructions"], 20), "the whole run")
    if box.get_attribute("data-binned") == "false":
        same(int(box.get_attribute("data-turns")), t["turns"]["count"], "turns")
        same(int(box.get_attribute("data-boxes")), t["boxes"]["count"], "boxes")


def check_about(page):
    rows = page.rows("about", "What the page is made of")
    same([r[0] for r in rows], ["cdrgrind " + " ".join(c["words"]) for c in page.document("report")["commands"]], "commands")


CHECKS = {"overview": check_overview, "source": check_source, "advice": check_advice, "races": check_races, "timeline": check_timeline,
          "sharing": check_sharing, "paths": check_paths, "sync": check_sync, "about": check_about}


def check_shown(page):
    for section in SECTIONS:
        page.find(f"nav.sections a[href^='#{section}']").click()
        page.wait(lambda: page.find(f"#{section}").is_displayed(), f"in {section}")
        same(page.js("return [...document.querySelectorAll('main > section')].filter((s) => s.getClientRects().length).map((s) => s.id)"), [section], "sections in sight")
        CHECKS[section](page)
        page.silent()


# --- what readers do


def try_search(page):
    page.open("#overview")
    page.keys("/", "wor", Keys.ENTER)
    page.wait(lambda: "#source=" in page.driver.current_url, "at the function that was searched")
    page.keys("/", "counters")
    assert any("counters" in t for t in page.texts("#found li")), page.texts("#found li")
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)
    page.wait(lambda: "#sharing=counters" in page.driver.current_url, page.driver.current_url)
    assert "counters" in page.find("#sharing h2").text
    page.keys("/", "no such thing")
    assert "Nothing" in page.find("#found").text
    page.keys(Keys.ESCAPE)


def try_filters(page):
    def kinds():
        return {e.get_attribute("class").split()[1] for e in page.all("#source .arrow")}
    page.open("#source=report_work.c:20")
    assert kinds() == {"RAW", "WAR", "WAW"}, kinds()
    page.find("#source .filters input[value='RAW']").click()
    page.settle()
    assert "RAW" not in kinds() and "kind=" in page.driver.current_url, (kinds(), page.driver.current_url)
    page.open("#src=report_work.c:20&kind=RAW")
    assert kinds() == {"RAW"}, kinds()
    page.open("#source=report_work.c")
    field = page.find("#source input[name='object']")
    field.send_keys("chain")
    page.settle()
    assert page.driver.switch_to.active_element.get_attribute("name") == "object", "the field lost the focus"
    arrows = page.js("return document.querySelectorAll('#source .arrow').length")
    objects = [r for r in page.document("dependences")["dependences"] if any("chain" in (o["name"] or "") for o in r.get("objects", []))]
    assert 0 < arrows <= len(objects), (arrows, len(objects))
    page.open("#source=report_work.c&heat=races")
    warm = [e.get_attribute("data-line") for e in page.all("#source .line") if e.find_element(By.CSS_SELECTOR, ".heat").text]
    races = page.document("races")["races"]
    assert races, "no race"
    same(sorted(warm), sorted({f"report_work.c:{s['line']}" for r in races for s in (r["first"], r["second"])}), "heat by races")
    loop = page.find("#source select[name='loop']")
    options = loop.find_elements(By.TAG_NAME, "option")
    next(o for o in options if "sequential" in o.text or "line 19" in o.text).click()
    page.settle()
    assert "loop=" in page.driver.current_url and page.all("#source .arrow"), page.driver.current_url


def try_listing_keys(page):
    page.open("#source=report_work.c:19")
    page.wait(lambda: page.all("#source .line[aria-selected='true']"), "a line chosen")
    page.js("document.querySelector('#source .listing').focus()")
    page.keys("n")
    page.wait(lambda: page.all("#source .arrow.chosen"), "an arrow chosen")
    assert "line" in page.find("#source .arrow-text").text
    ends = {e.get_attribute("data-line") for e in page.all("#source .line.end")}
    page.keys(Keys.ENTER)
    chosen = page.find("#source .line[aria-selected='true']").get_attribute("data-line")
    assert chosen in ends, (chosen, ends)
    page.keys(Keys.HOME)
    assert page.find("#source .line[aria-selected='true']").get_attribute("data-line") == "report_work.c:1"
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.END)
    assert page.driver.current_url.endswith("report_work.c:" + str(page.document("sources")["files"][0]["text"].count("\n"))), page.driver.current_url
    # With the mouse: an arrow, and a line.
    page.open("#source=report_work.c:19")
    page.js("document.querySelector('#source .arrow .hit').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    page.settle()
    assert page.all("#source .arrow.chosen")
    line = next(e for e in page.all("#source .line") if e.get_attribute("data-line") == "report_work.c:20")
    line.click()
    page.settle()
    assert "report_work.c:20" in page.find(".line-detail h3").text


def try_timeline(page):
    page.open("#timeline")
    box = page.find("#timeline .timeline")

    def window():
        b = page.find("#timeline .timeline")
        return int(b.get_attribute("data-from")), int(b.get_attribute("data-to"))
    whole = window()
    page.js("document.querySelector('#timeline .timeline').focus()")
    page.keys("+", "+")
    near = window()
    assert near[1] - near[0] < (whole[1] - whole[0]) / 3, (whole, near)
    page.keys(Keys.ARROW_RIGHT)
    assert window()[0] > near[0]
    page.keys(Keys.HOME)
    same(window(), whole, "home")
    page.js("""const b = document.querySelector('#timeline .timeline');
               b.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, bubbles: true, cancelable: true, clientX: b.getBoundingClientRect().left + 400 }))""")
    page.settle()
    assert window() != whole
    page.keys(Keys.HOME)
    # Drag: everything narrows to the last part of the run, where fill() does not run any more.
    functions = len(page.document("timeline")["heat"]["lines"])
    width = box.size["width"]
    ActionChains(page.driver).move_to_element_with_offset(box, int(width * 0.42), 40).click_and_hold().move_by_offset(int(width * 0.05), 0).release().perform()
    page.wait(lambda: "range=" in page.driver.current_url, "narrowed")
    a, b = map(int, re.search(r"range=(\d+)-(\d+)", page.driver.current_url).groups())
    assert whole[0] < a < b <= whole[1], (a, b)
    page.find("nav.sections a[href^='#overview']").click()
    page.settle()
    assert "range=" in page.driver.current_url and page.find(".narrowed").is_displayed()
    part = {r[0] for r in page.rows("overview", "Functions")}
    t = page.document("timeline")
    bins_in = {line["function"] for line in t["heat"]["lines"] if overlaps(line, t["heat"]["width"], a, b)}
    same(part, bins_in, "functions in the range")
    assert functions
    page.open(f"#sync&range={a}-{b}")
    events, places = sums(unpack(t["rows"]["event"])), sums(unpack(t["rows"]["at"]))
    at = dict(zip(events, places))
    got = [number(r[0]) for r in page.rows("sync", "In true order")]
    same(got, [r["event"] for r in page.document("sync")["chart"] if a <= at[r["event"]] < b], "the chart in the range")
    page.keys(Keys.ESCAPE)
    page.wait(lambda: "range=" not in page.driver.current_url, "whole again")
    same(len(page.rows("sync", "In true order")), len(page.document("sync")["chart"]), "the chart again")


def overlaps(line, width, a, b):
    bin_ = 0
    numbers = unpack(line["bins"])
    for gap, _ in zip(numbers[::2], numbers[1::2]):
        bin_ += gap
        if (bin_ + 1) * width > a and bin_ * width < b:
            return True
        bin_ += 1
    return False


def try_links(page):
    page.open("#races")
    page.find("#races .side a.place").click()
    page.wait(lambda: "#source=report_work.c:" in page.driver.current_url, "at the race's line")
    page.wait(lambda: page.all(".line-detail a[data-race]"), "a line that knows its race")
    page.find(".line-detail a[data-race]").click()
    page.wait(lambda: "#races=" in page.driver.current_url, "back at the race")
    page.find("#races tr[data-race] a[data-object]").click()
    page.wait(lambda: "#sharing=" in page.driver.current_url, "at the object")
    assert page.all("#sharing a[data-race]"), "an object that does not know its race"
    page.driver.back()
    page.wait(lambda: "#races=" in page.driver.current_url, "one step back")
    page.open("#sync")
    page.find("#sync .chart td a[title='on the timeline']").click()
    page.wait(lambda: "#timeline" in page.driver.current_url, "on the timeline")
    for link in {a.get_attribute("href") for a in page.all("a[href]")}:
        assert "#" in link and link.startswith("file:"), link
    # By keys alone: sections, rows that open, tables that sort.
    page.open("#overview")
    page.keys("3")
    page.wait(lambda: page.find("#advice").is_displayed(), "in Advice by its key")
    page.js("document.querySelector('#advice tbody .opens').focus()")
    page.keys(Keys.ENTER)
    assert page.all("#advice tr.detail")
    page.js("document.querySelectorAll('#advice thead .sort')[4].focus()")
    page.keys(Keys.ENTER)
    column = [number(r[4]) for r in page.rows("advice", "Loops")]
    same(column, sorted(column, reverse=True), "sorted by iterations")


def try_meetings(page):
    """From critical sections and barriers to their lines, and from there back; by keys to whom one waits for."""
    doc = page.document("sync")
    assert {b["kind"] for b in doc["barriers"]} == {"barrier", "mutex and condition"}, doc["barriers"]
    page.open("#sync")
    rows = page.rows("sync", "Critical sections")
    assert any("3 objects" in e.text for e in page.all("#sync tr[data-object='slots']")), rows
    lock, line = max(((lock["name"], line) for lock in doc["sections"] for line in lock["lines"]), key=lambda of: of[1]["insns_would_wait"])
    place = f"report_meet.cc:{line['at']['line']}"
    opens = f"#sync tr[data-line='{place}'] .opens"
    page.js("document.querySelector(arguments[0]).focus()", opens)
    page.keys(Keys.ENTER)
    detail = page.find(f"#sync tr[data-line='{place}'] + tr.detail")
    assert all(f"report_meet.cc:{b['at']['line']}" in detail.text for b in line["behind"]) and line["behind"], detail.text
    page.find(f"#sync tr[data-line='{place}'] a.place").click()
    page.wait(lambda: f"#source={place}" in page.driver.current_url, "at the line that gets the lock")
    page.wait(lambda: "Critical sections" in page.find(".line-detail").text, "a line that knows its section")
    page.find(".line-detail a[href^='#sync=']").click()
    page.wait(lambda: "#sync=" in page.driver.current_url, "back at the lock")
    assert {r[1].split("[")[0] for r in page.rows("sync", "Critical sections")} == {lock.split("[")[0]}
    assert len(page.rows("sync", "Objects")) == len(doc["objects"])
    page.open("#sync")
    at = next(b for b in doc["barriers"] if b["kind"] == "barrier")["at"][0]
    page.find(f"#sync tr[data-object='gate'] a.place[href*='report_meet.cc:{at['line']}']").click()
    page.wait(lambda: f"#source=report_meet.cc:{at['line']}" in page.driver.current_url, "at the barrier's line")
    page.wait(lambda: "Barriers" in page.find(".line-detail").text, "a line that knows its barrier")


def try_strands(page):
    """The chart of an OpenMP program: a column for each strand, in which its operations stand; tasks lead to where they are created."""
    doc = page.document("sync")
    page.open("#sync")
    rows = page.rows("sync", "In true order")
    for row, r in zip(rows, shown_rows(doc)):
        lanes = [lane["number"] for lane, cell in zip(doc["strands"], row[1:-1]) if cell]
        same(lanes, [r["strand"]], f"the lane of event {r['event']}")
        said = row[1 + [lane["number"] for lane in doc["strands"]].index(r["strand"])]
        if r["from_strands"]:
            assert f"from {', '.join(map(str, r['from_strands']))}" in said, (said, r)
        else:
            assert "from" not in said, (said, r)
    head = page.texts("#sync .chart thead th")
    assert [h.split(":")[0] for h in head[1:-1]] == [str(lane["number"]) for lane in doc["strands"]], head
    task = next(lane for lane in doc["strands"] if lane["kind"] == "task")
    page.find(f"#sync .strands a[href*=':{task['at']['line']}']").click()
    page.wait(lambda: f":{task['at']['line']}" in page.driver.current_url and "#source=" in page.driver.current_url, "where the task is created")


def try_looks(page, axe, sections):
    driver = page.driver
    for scheme, width in (("light", 1400), ("dark", 1400), ("light", 360)):
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        for section in sections:
            page.open(f"#{section}" + ("=report_work.c:19" if section == "source" else ""))
            wide = page.js("return document.documentElement.scrollWidth")
            assert wide <= width, f"{section} is {wide} wide, not {width}"
            dark = page.js("return getComputedStyle(document.documentElement).backgroundColor")
            assert (dark == "rgb(255, 255, 255)") == (scheme == "light"), dark
            if axe:
                check_axe(page, axe, f"{section}, {scheme}, {width}")
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    for section in sections:
        page.open(f"#{section}")
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        assert not page.find("nav.sections").is_displayed() and page.find(f"#{section} h2").is_displayed()
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        pdf = base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
        assert pdf.startswith(b"%PDF") and len(pdf) > 5000, (section, len(pdf))
    page.silent()


def check_axe(page, axe, where):
    # By the debugger's protocol: the page's own policy stays as it is.
    if page.js("return typeof axe === 'undefined'"):
        page.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
    found = page.driver.execute_async_script("""
        const done = arguments[0];
        axe.run(document, { resultTypes: ['violations'] }).then((r) => done(r.violations.map((v) => [v.id, v.impact, v.nodes.map((n) => n.target.join(' ') + ' ' + (n.failureSummary || '').replace(/\\s+/g, ' ')).slice(0, 3)])));""")
    serious = [v for v in found if v[1] in ("serious", "critical")]
    assert not serious, f"{where}: {json.dumps(serious, indent=1)}"


def calls_in(items):
    return [call for i in items for call in ([[i["ranks"], i["call"]]] if "call" in i else calls_in(i["body"]))]


def try_ranks(page):
    doc = page.document("mpi")
    page.open("#ranks")
    cells = [(number(r[0]), number(r[1]), number(r[2]), number(r[3])) for r in page.rows("ranks", "From rank to rank")]
    same(cells, [(c["from"], c["to"], c["messages"], c["bytes"]) for c in doc["matrix"]], "matrix")
    drawn = page.js("return [...document.querySelectorAll('#ranks .rank-matrix .cell')].map((c) => [+c.dataset.messages, +c.dataset.bytes])")
    same([sum(column) for column in zip(*drawn)], [sum(c["messages"] for c in doc["matrix"]), sum(c["bytes"] for c in doc["matrix"])], "what is drawn")
    rows = page.rows("ranks", "Not matched")
    same([(number(r[0]), r[1], number(r[5])) for r in rows], [(u["rank"], u["call"], u["bytes"]) for u in doc["messages"]["unmatched"]], "not matched")
    rows = page.rows("ranks", "Who waited")
    same([(r[0], number(r[1]), number(r[2]), number(r[3]), r[4], number(r[6]), r[7]) for r in rows],
         [(w["kind"], w["instructions"], w["count"], w["rank"], w["call"], w["peer"], w["peer_call"]) for w in doc["late"]], "late")
    same([(r[0], number(r[1])) for r in page.rows("ranks", "Classes")], [(c["ranks"], c["calls"]) for c in doc["classes"]], "classes")
    while page.js("const d = [...document.querySelectorAll('#ranks .nest details:not([open])')]; d.forEach((x) => { x.open = true; }); return d.length"):
        page.settle()
    shown = page.js("return [...document.querySelectorAll('#ranks .nest .call')].map((c) => [c.closest('li').dataset.ranks, c.textContent])")
    same(shown, calls_in(doc["merged"]), "the merged nest")
    same(len(page.all("#ranks li[data-rank]")), len(doc["deadlock"]) + len(doc["unfinished"]), "where traces end")
    # By keys: the nest closes and opens.
    page.js("document.querySelector('#ranks .thread-nest > summary').focus()")
    page.keys(Keys.ENTER)
    assert not page.js("return document.querySelector('#ranks .thread-nest').open")
    page.keys(Keys.ENTER)
    assert page.js("return document.querySelector('#ranks .thread-nest').open")
    page.silent()


def try_rank_links(page):
    page.open("#ranks")
    unmatched = page.document("mpi")["messages"]["unmatched"][0]
    page.find("#ranks tr.bad a.place").click()
    page.wait(lambda: f"#source=two_ranks.c:{unmatched['line']}" in page.driver.current_url, "at the line of the send")
    page.driver.back()
    page.wait(lambda: page.find("#ranks").is_displayed(), "back at the ranks")
    page.silent()


def try_two(page):
    page.open("#compare")
    doc = page.document("diff")
    assert page.find("#compare").is_displayed()
    same(page.js("return document.querySelector('#compare .section-head').textContent").count(doc["old"]["trace"]), 1, "the old trace")
    rows = page.rows("compare", "Sizes")
    same([(number(r[1]), number(r[2])) for r in rows], [(s["old"], s["new"]) for s in doc["sizes"].values()], "sizes")
    for caption, key in (("Executed in the new", "only_new"), ("Executed in the old", "only_old"), ("Executed another", "counts")):
        rows = page.rows("compare", caption)
        same([(number(r[3]), number(r[4])) for r in rows], [(e["old"], e["new"]) for e in doc["control"][key]], caption)
    page.silent()


def try_hostile(page):
    for section in SECTIONS:
        page.open(f"#{section}")
        assert page.find(f"#{section}").is_displayed()
        same(page.js("return [...document.querySelectorAll('img, iframe, object, embed, script')].map((e) => e.tagName)"), ["SCRIPT", "SCRIPT"], section)
        same(page.js("return document.documentElement.scrollWidth"), 1400, f"width of {section}")
        page.silent()
    text = page.find("#about").get_attribute("textContent")
    assert "script><script>" in text and "\u27e8U+202E\u27e9" in text and "\u202e" not in text, text[:500]
    page.open("#sharing")
    text = page.find("#sharing").get_attribute("textContent")
    assert NAMES["total"].decode() in text, text[:500]
    page.open("#overview")
    page.keys("/", "</script")
    assert page.texts("#found li")
    page.keys(Keys.ESCAPE)
    for hash_ in ("#source=<img src=x onerror=alert(1)>", "#sharing=javascript:alert(1)", "#races=%", "#timeline=9-1&range=5-2", "#nothing=&kind=%zz", "#sync=__proto__", "#sharing=constructor"):
        page.open(hash_)
        page.silent()
    page.open("#source")
    lines = page.js("return [...document.querySelectorAll('#source .line code')].map((c) => c.textContent)")
    assert any("</script>" in t and "\\xff" in t for t in lines), lines[:3]
    page.silent()


def try_large(driver):
    """A timeline of a million things and a source of 20,000 lines, in the place of those of a page."""
    html = open("work.html", encoding="utf-8", newline="").read()
    begin = html.index('id="cdrgrind-data">') + len('id="cdrgrind-data">')
    end = html.index("</script>", begin)
    data = json.loads(html[begin:end])
    large(data)
    text = json.dumps(data).replace("<", "\\u003c")
    with open("large.html", "w", encoding="utf-8", newline="") as f:
        f.write(html[:begin] + text + html[end:])
    page = Page(driver, "large")
    page.open("#timeline")
    box = page.find("#timeline .timeline")
    assert box.get_attribute("data-binned") == "true"
    page.js("document.querySelector('#timeline .timeline').focus()")
    for _ in range(9):
        page.keys("+")
    assert page.find("#timeline .timeline").get_attribute("data-binned") == "false"
    assert int(page.find("#timeline .timeline").get_attribute("data-turns")) > 0
    page.open("#source=report_work.c:15000")
    page.wait(lambda: page.all("#source .line[data-line='report_work.c:15000']"), "at line 15,000")
    assert page.js("return document.querySelectorAll('#source .line').length") < 200
    page.silent()
    return page


def packed(numbers):
    data = bytearray()
    for v in numbers:
        while v >= 128:
            data.append(v & 127 | 128)
            v >>= 7
        data.append(v)
    return base64.b64encode(bytes(data)).decode()


def large(data, turns=500_000, boxes=250_000, arrows=250_000):
    t = data["cdrgrind.timeline/1"]
    lanes = len(t["lanes"])
    t["instructions"] = 100 * turns
    t["turns"] = {"count": turns, "lane": packed(i % lanes for i in range(turns)), "length": packed([100] * turns)}
    t["boxes"] = {"count": boxes, "kinds": t["boxes"]["kinds"], "kind": packed(i % 2 for i in range(boxes)), "lane": packed(i % lanes for i in range(boxes)),
                  "begin": packed([200] * boxes), "length": packed([150] * boxes), "object": packed([0] * boxes), "op": packed([0] * boxes), "place": packed([0] * boxes)}
    t["hand_overs"] = {"count": arrows, "from": packed(i % lanes for i in range(arrows)), "to": packed((i + 1) % lanes for i in range(arrows)),
                       "got": packed([200] * arrows), "length": packed([40] * arrows), "object": packed([0] * arrows)}
    for lane in t["lanes"]:
        lane["begin"], lane["end"] = 0, t["instructions"]
    t["levels"], width = [], 16384
    while True:
        bins = -(-t["instructions"] // width)
        one = base64.b64encode(bytes([255 // lanes]) * bins).decode()
        t["levels"].append({"width": width, "lanes": [{"run": one, "wait": one, "hold": one, "operations": one}] * lanes})
        if bins <= 64:
            break
        width *= 4
    source = next(f for f in data["cdrgrind.sources/1"]["files"] if f["text"])
    source["text"] += "/* more */\n" * 20000


def start(chromium, driver, profile):
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for word in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
                 "--no-first-run", f"--user-data-dir={profile}", "--window-size=1400,900", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service(driver), options=options)
    browser.set_script_timeout(300)
    browser.set_page_load_timeout(300)
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    return browser


def try_all(chromium, driver_path, axe_path):
    axe = open(axe_path, encoding="utf-8").read() if axe_path else None
    profile = tempfile.mkdtemp()
    driver = start(chromium, driver_path, profile)
    failed = []

    def attempt(name, what, *arguments):
        try:
            what(*arguments)
            print(f"{name}: {what.__name__}")
        except Exception as e:  # whatever it is: the next one is tried
            shot = f"failed-{name}-{what.__name__}.png"
            driver.save_screenshot(shot)
            line = next(f for f in reversed(traceback.extract_tb(e.__traceback__)) if f.filename == __file__ and f.name != "js")
            failed.append(f"{name}: {what.__name__}: {type(e).__name__} in {line.name}, line {line.lineno}: {str(e)[:1500]} ({shot})")
            driver.get_log("browser")
    try:
        for name in ("two_fields", "two_lists", "fibonacci", "quicksort", "pipeline", "work"):
            attempt(name, check_shown, Page(driver, name))
        page = Page(driver, "many_lines")
        page.open("#source")
        attempt("many_lines", check_source, page)
        attempt("many_lines", check_more, page)
        attempt("meet", check_shown, Page(driver, "meet"))
        page = Page(driver, "meet")
        attempt("meet", try_meetings, page)
        attempt("meet", try_looks, page, axe, ["races", "sync"])
        attempt("chart", check_shown, Page(driver, "chart"))
        attempt("chart", try_strands, Page(driver, "chart"))
        page = Page(driver, "reports")
        page.open("#sync")
        assert any(r["works"] for r in page.document("sync")["regions"])
        attempt("reports", check_sync, page)
        page = Page(driver, "work")
        for what in (try_search, try_filters, try_listing_keys, try_timeline, try_links):
            attempt("work", what, page)
        attempt("work", try_looks, page, axe, SECTIONS)
        attempt("two", try_two, Page(driver, "two"))
        attempt("hostile", try_hostile, Page(driver, "hostile"))
        for name in ("ranks", "hostile_ranks", "many_ranks"):
            attempt(name, try_ranks, Page(driver, name))
        page = Page(driver, "ranks")
        attempt("ranks", try_rank_links, page)
        attempt("ranks", try_looks, page, axe, ["ranks"])
        attempt("large", try_large, driver)
    finally:
        driver.quit()
        shutil.rmtree(profile, ignore_errors=True)
    print("\n".join(failed))
    return 1 if failed else 0


def main():
    what, *rest = sys.argv[1:]
    if what == "try":
        sys.exit(try_all(*rest))
    elif what == "name":
        print(file_name())
    elif what == "rename":
        rename(*rest)
    elif what == "hostile":
        hostile(*rest)


main()
