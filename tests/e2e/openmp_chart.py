# SPDX-License-Identifier: GPL-2.0-or-later
"""openmp_chart.py SOURCE EVENTS CHART [TEXT]: whether the chart of `cdrgrind sync` (JSON; TEXT of the same trace) has the
operations of a program with OpenMP by strands, as they are worked out here from dumped events. Places are told by the
comments at the ends of lines in tests/programs/openmp/chart.c; of other programs only the lanes are checked."""
import json
import re
import sys


def keys_of(events):
    """Whose each operation is, by the event's number: what makes two strands share a lane. And who began from whom."""
    of, begun = {}, {}
    running, open_, creating = {}, {}, {}   # by thread
    teams, tasks = {}, {}
    runtime = set()

    def now(thread):
        return running.get(thread, [("thread", thread)])[-1]

    for e in events:
        t, kind, op = e["thread"], e["event"], e.get("op", "")
        if kind == "thread-create" and open_.get(t) and open_[t][-1] not in ("omp-implicit-task", "omp-task", "omp-task-data"):
            runtime.add(e["child"])
        if kind == "sync-enter" and op.startswith("omp-"):
            creator = now(t)
            if op == "omp-parallel":
                teams[e["object"]] = creator
            elif op == "omp-task-create":
                creating.setdefault(t, []).append(e["object"])
            elif op == "omp-task-data":
                tasks[e["object"]] = (creating[t][-1], creator)
            elif op == "omp-implicit-task":
                parent = teams[e["object"]]
                running.setdefault(t, [("thread", t)]).append(("implicit", parent, e["value"]))
                begun[e["i"]] = parent
            elif op == "omp-task":
                function, by = tasks.pop(e["object"])
                running.setdefault(t, [("thread", t)]).append(("task", function))
                begun[e["i"]] = by
            open_.setdefault(t, []).append(op)
        of[e["i"]] = None if t in runtime and kind in ("thread-start", "thread-end") else now(t)
        if kind == "sync-leave" and op.startswith("omp-"):
            assert open_[t].pop() == op, e
            if op in ("omp-implicit-task", "omp-task"):
                running[t].pop()
            elif op == "omp-task-create":
                creating[t].pop()
    return of, begun


def check_lanes(doc, of, begun):
    names = {s["number"]: s for s in doc["strands"]}
    lane_of = {}
    for row in doc["chart"]:
        key = of[row["event"]]
        assert (key is None) == ("strand" not in row), (row, key)
        if key is None:
            continue
        assert lane_of.setdefault(key, row["strand"]) == row["strand"], (row, key, lane_of[key])
        assert names[row["strand"]]["kind"] == key[0], (row, key)
    assert len(set(lane_of.values())) == len(lane_of), lane_of
    for row in doc["chart"]:
        if row["event"] in begun:
            by = lane_of[begun[row["event"]]]
            # Who waits inside an operation has its own lane; a task that depends on others comes from these, too.
            assert by in row["from_strands"] or by == row["strand"], (row, by)
    for key, number in lane_of.items():
        lane = names[number]
        if key[0] == "implicit":
            assert (lane["parent"], lane["member"]) == (lane_of[key[1]], key[2]), (lane, key)
        elif key[0] == "thread":
            assert lane["thread"] == key[1], (lane, key)
    return names


def check_program(doc, names, source):
    lines = {m[1]: n for n, text in enumerate(open(source, encoding="utf-8"), 1) if (m := re.search(r"/\* (.*) \*/$", text))}

    def lane(kind, line, **more):
        (found,) = [s for s in names.values() if s["kind"] == kind and abs(s["at"]["line"] - lines[line]) <= 1 and all(s[k] == v for k, v in more.items())]
        return found
    task = lane("task", "task")
    assert task["count"] == 240 and task["name"] == f"task at chart.c:{task['at']['line']} × 240", task
    rows = [r for r in doc["chart"] if r.get("strand") == task["number"]]
    # All that tasks do is theirs, on whichever thread; each of the locks comes from another task, but the first one.
    for op, count in (("omp-exclusive-begin", 240), ("omp-exclusive-end", 240), ("mutex-lock", 240), ("mutex-unlock", 240)):
        own = [r for r in rows if r.get("op") == op and r["what"] in ("whole", "enter")]
        everybodys = [r for r in doc["chart"] if r.get("op") == op and r["what"] in ("whole", "enter") and r.get("object", "mutex") == "mutex"]
        assert len(own) == len(everybodys) == count, (op, len(own), len(everybodys))
    for op in ("omp-exclusive-begin", "mutex-lock"):
        got = [r["from_strands"] for r in rows if r.get("op") == op and r["what"] in ("whole", "leave")]
        assert got[0] == [] and all(g == [task["number"]] for g in got[1:]), (op, got)
    main = next(s for s in names.values() if s["kind"] == "thread")
    members = [next(s for s in names.values() if s["kind"] == "implicit" and s["parent"] == main["number"] and s["member"] == m) for m in (0, 1)]
    assert [m["count"] for m in members] == [5, 5], members
    ends = [r["from_strands"] for r in doc["chart"] if r.get("op") == "omp-parallel" and r["what"] == "leave" and r["strand"] == main["number"]]
    both = [m["number"] for m in members]
    trees = [lane("task", name)["number"] for name in ("left", "right")]
    assert ends[0] == [*both, task["number"]] and ends[1] == sorted([*both, *trees]) and ends[2:] == [both] * 3, ends
    waits = [r for r in doc["chart"] if r.get("op") == "omp-taskwait" and r["what"] != "enter"]
    assert len(waits) == 7 and all(r["from_strands"] == sorted(trees) for r in waits), waits
    meets = [r for r in doc["chart"] if r.get("op") == "omp-barrier" and r["what"] != "enter"]
    assert len(meets) == 6 and all([r["strand"], *r["from_strands"]] in (both, both[::-1]) for r in meets), meets
    inner = [s for s in names.values() if s["kind"] == "implicit" and s["parent"] in both]
    assert len(inner) == 4 and all(s["count"] == 3 for s in inner), inner


def check_text(text, doc, names):
    chart = re.search(r"-- Message sequence chart\n-+\n(.*?)\n\n", text, re.S)[1].splitlines()
    head = next(i for i, line in enumerate(chart) if line.split()[:1] == ["#"])
    shown = {int(line.split()[0]): line.split(maxsplit=1)[1] for line in chart[:head]}
    assert chart[head].split()[1:] == [*map(str, shown), "strand"], chart[head]
    for number, name in shown.items():
        assert names[number]["name"].replace("×", "x") == name, (number, name)
    column = {number: chart[head].index(f" {number} ") + 1 for number in shown}
    by_number = {r["number"]: r for r in doc["chart"] if r["what"] not in ("start", "end")}
    folded = 0
    for line in chart[head + 1:]:
        number = re.match(r" *(\d+)  ", line)
        if number:
            assert line[column[by_number[int(number[1])]["strand"]]] == "*", line
        elif times := re.search(r"(?:these (\d+) rows )?x ([\d,]+)$", line):
            folded += int(times[1] or 1) * (int(times[2].replace(",", "")) - 1)
        else:
            assert re.search(r" (starts|ends|begins|more rows)", line), line
    # Equal tasks stand once.
    assert folded > 1000, folded


def main():
    source, events, chart, *text = sys.argv[1:]
    lines = [json.loads(line) for line in open(events, encoding="utf-8")][1:]
    doc = json.load(open(chart, encoding="utf-8"))
    of, begun = keys_of([e for e in lines if e["event"].startswith(("sync", "thread-"))])
    names = check_lanes(doc, of, begun)
    if text:
        check_program(doc, names, source)
        check_text(open(text[0], encoding="utf-8").read(), doc, names)


main()
