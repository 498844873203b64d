# SPDX-License-Identifier: GPL-2.0-or-later
# report_check.py documents PAGE CDRGRIND [INPUT]  the page is safe, and its documents are what the commands say
# report_check.py timeline PAGE EVENTS SYNC        the timeline is what is counted over dumped events
# report_check.py has|lacks PAGE TEXT...           the data have the text
# report_check.py meetings PAGE                    of report_meet.cc: critical sections, barriers, folded frames
# report_check.py failed PAGE COMMAND...           these commands gave no document, but a message; the others did
import base64
import collections
import hashlib
import json
import re
import subprocess
import sys

from report_numbers import sums, unpack


def page_of(path):
    with open(path, encoding="utf-8", newline="") as f:
        return f.read()


def data_of(page):
    return re.search(r'<script type="application/json" id="cdrgrind-data">(.*?)</script>', page, re.S).group(1)


def check_safe(page):
    def hash_of(text):
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", page, re.S)
    assert [a for a, _ in scripts] == [' type="application/json" id="cdrgrind-data"', ""], [a for a, _ in scripts]
    data, program = scripts[0][1], scripts[1][1]
    assert "<" not in data and "\u2028" not in data and "\u2029" not in data
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.S)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page).group(1)
    rules = dict(r.strip().split(" ", 1) for r in policy.split(";"))
    assert rules["default-src"] == "'none'", rules
    assert rules["script-src"] == f"'sha256-{hash_of(program)}'", rules["script-src"]
    assert rules["style-src"] == f"'sha256-{hash_of(style)}'", rules["style-src"]
    assert "http:" not in page.split("<script>")[0].replace("http-equiv", "").split("id=\"cdrgrind-data\"")[0]


def check_documents(path, cdrgrind, given=None):
    page = page_of(path)
    check_safe(page)
    data = json.loads(data_of(page))
    report = data["cdrgrind.report/1"]
    named = {"cdrgrind.report/1", "cdrgrind.timeline/1", "cdrgrind.sources/1"}
    asked = set()
    for command in report["commands"]:
        asked.add(command["words"][0])
        stdin = open(given, "rb") if given else subprocess.DEVNULL
        run = subprocess.run([cdrgrind, *command["words"]], stdin=stdin, capture_output=True)
        assert run.returncode == command["status"], (command, run.returncode)
        assert command["document"], command
        named.add(command["document"])
        assert json.loads(run.stdout) == data[command["document"]], command["words"]
    assert named == set(data), named ^ set(data)
    wanted = {"annotate", "advise", "races", "patterns", "sharing", "sync", "paths", "loops", "stats"}
    assert asked - {"diff", "mpi"} == wanted, asked ^ wanted
    for command in report["commands"]:
        assert ("--scope=all" in command["words"]) or ("--scope=program" in command["words"]) or command["words"][0] in ("stats", "mpi")


def check_meetings(path):
    data = json.loads(data_of(page_of(path)))
    sync = data["cdrgrind.sync/1"]
    assert {s["name"] for s in sync["sections"]} == {"slots[0]", "slots[1]", "slots[2]", "lock"}, sync["sections"]
    assert sorted((b["kind"], b["name"], b["rounds"]) for b in sync["barriers"]) == [("barrier", "gate", 4), ("mutex and condition", "all", 4)], sync["barriers"]
    assert sync["rerun"]["ended"] and sync["rerun"]["insns"] > 0
    (race,) = data["cdrgrind.races/1"]["races"]
    for side in ("first", "second"):
        stack, folded = race[side]["stack"], race[side]["folded"]
        for part in folded:
            frames = stack[part["first"]:part["first"] + part["frames"]]
            assert len(frames) == part["frames"] > 1 and not any("report_meet.cc" in f["file"] for f in frames), part
        assert folded[-1]["of"] in ("std::thread", "__libc_start_call_main"), folded
        assert not any(f["first"] == 0 for f in folded)
    assert "folded" in race["location"], race["location"]


LOCKS = ("mutex-lock", "mutex-try-lock", "mutex-timed-lock", "spin-lock", "spin-try-lock")


KINDS = {"cond": "condition", "sem": "semaphore"}


class Clocks:
    """Threads on processors of their own, from the rows of the chart, as timeline.h defines it."""

    def __init__(self, executed):
        self.executed = executed  # by event and thread
        self.offset, self.idle, self.by_object = collections.Counter(), collections.Counter(), collections.Counter()
        self.given, self.last, self.held = {}, {}, collections.defaultdict(set)

    def now(self, row):
        return self.executed[row["event"]] + self.offset[row["thread"]]

    def row(self, row):
        thread = row["thread"]
        for got in row["got"]:
            for giver in got["from"]:
                key = (got["kind"], got["address"])
                late = self.given.get((giver, key), self.last.get(giver, 0)) - self.now(row)
                if late <= 0:
                    continue
                if row["what"] != "start":
                    self.idle[thread] += late
                    self.by_object[key] += late
                self.offset[thread] += late
        if "op" in row:
            self.operation(row)
        self.last[thread] = self.now(row)

    def operation(self, row):
        thread, op, word = row["thread"], row["op"], row["op"].split("-")[0]
        key = (KINDS.get(word, word), row["address"])
        if op in LOCKS:
            if row["what"] != "enter" and not row["failed"]:
                self.held[thread].add(key)
            return
        if row["what"] in ("enter", "whole"):
            self.given[(thread, key)] = self.now(row)
        if op == "cond-wait" and row["what"] in ("enter", "whole"):
            for lock in self.held[thread]:
                self.given[(thread, lock)] = self.now(row)
        if op.endswith("-unlock"):
            self.held[thread].discard(key)


def check_timeline(path, events_path, sync_path):
    data = json.loads(data_of(page_of(path)))
    t = data["cdrgrind.timeline/1"]
    lanes = [l["thread"] for l in t["lanes"]]

    # Turns and instructions, event by event.
    with open(sync_path) as f:
        sync = json.load(f)
    rows = {r["event"] for r in sync["chart"]}
    at, running, turns, mine, position, executed = 0, None, [], collections.Counter(), [], {}
    with open(events_path) as f:
        next(f)
        for line in f:
            e = json.loads(line)
            if e["event"] not in ("thread-start", "thread-end") and e["thread"] != running:
                running = e["thread"]
            if e["i"] in rows:
                executed[e["i"]] = mine[e["thread"]]
            position.append(at)
            if e["event"] in ("block", "partial"):
                n = len(e["insns"]) - (0 if e.get("exit", {}).get("executed", True) else 1)
                if n and turns and turns[-1][0] == running:
                    turns[-1][1] = at + n
                elif n:
                    turns.append([running, at + n])
                mine[running] += n
                at += n
    assert t["instructions"] == at, (t["instructions"], at)
    ends = sums(unpack(t["turns"]["length"]))
    got = list(zip((lanes[i] for i in unpack(t["turns"]["lane"])), ends))
    merged = []
    for thread, end in got:
        if merged and merged[-1][0] == thread:
            merged[-1][1] = end
        else:
            merged.append([thread, end])
    assert merged == turns, next((a, b) for a, b in zip(merged, turns) if a != b)
    for lane in t["lanes"]:
        assert lane["instructions"] == mine[lane["thread"]], lane

    # Levels: each bin's share of what is executed in it.
    for level in t["levels"]:
        for lane, packed in zip(t["lanes"], level["lanes"]):
            whole = sum(base64.b64decode(packed["run"])) * level["width"] / 255
            slack = level["width"] * len(base64.b64decode(packed["run"])) / 255 + level["width"]
            assert abs(whole - lane["instructions"]) <= slack, (level["width"], lane, whole)

    # Heat: the bins of a line are all its instructions; those of all lines are no more than were executed.
    total = 0
    for line in t["heat"]["lines"]:
        bins = unpack(line["bins"])
        assert sum(bins[1::2]) == line["instructions"], line
        total += line["instructions"]
    assert 0 < total <= at

    # The chart: where rows stand, who got from whom, who would be idle.
    events, places = sums(unpack(t["rows"]["event"])), sums(unpack(t["rows"]["at"]))
    assert events == [r["event"] for r in sync["chart"]]
    assert places == [position[e] for e in events]
    hand_overs = sum(len(g["from"]) for r in sync["chart"] for g in r["got"])
    assert hand_overs == t["hand_overs"]["count"] > 0, (hand_overs, t["hand_overs"]["count"])
    clocks = Clocks(executed)
    for row in sync["chart"]:
        clocks.row(row)
    for lane in t["lanes"]:
        thread = lane["thread"]
        assert lane["idle"] == clocks.idle[thread], (lane, clocks.idle[thread])
        assert lane["clock"] == mine[thread] + clocks.offset[thread], (lane, clocks.offset[thread])
        assert lane["clock"] <= at
    idle = sorted(i["instructions"] for i in t["idle"])
    assert idle == sorted(clocks.by_object.values()), (idle, clocks.by_object)
    assert sum(idle) == sum(clocks.idle.values())

    # Boxes: a lock is held from where it is got to where it is let go, by one thread at a time.
    boxes = t["boxes"]
    begins, lengths = sums(unpack(boxes["begin"])), unpack(boxes["length"])
    kinds, objects = unpack(boxes["kind"]), unpack(boxes["object"])
    ends_of = {}
    for begin, length, kind, number in zip(begins, lengths, kinds, objects):
        if boxes["kinds"][kind] == "hold" and t["objects"][number]["kind"] == "mutex":
            assert begin >= ends_of.get(number, 0), (begin, ends_of)
            ends_of[number] = begin + length
    locks = sum(r.get("op") in LOCKS and r["what"] != "enter" and not r["failed"] for r in sync["chart"])
    waits = sum(r.get("op") == "cond-wait" and r["what"] != "enter" for r in sync["chart"])
    assert sum(boxes["kinds"][k] == "hold" for k in kinds) == locks + waits


def main():
    what, path, *rest = sys.argv[1:]
    if what == "documents":
        check_documents(path, *rest)
    elif what == "timeline":
        check_timeline(path, *rest)
    elif what in ("has", "lacks"):
        data = data_of(page_of(path))
        assert all((text in data) == (what == "has") for text in rest)
    elif what == "meetings":
        check_meetings(path)
    elif what == "failed":
        data = json.loads(data_of(page_of(path)))
        for c in data["cdrgrind.report/1"]["commands"]:
            failed = c["words"][0] in rest
            assert (c["document"] is None) == failed and (bool(c["messages"]) or not failed), c


main()
