# SPDX-License-Identifier: GPL-2.0-or-later
"""openmp_reports.py races|sync SOURCE REPORT: whether a report (JSON) says of tests/programs/openmp/reports.c what is
known of it. Places are told by the comments at the ends of lines."""
import json
import re
import sys

kind, source, report = sys.argv[1:]
LINES = {}
for number, text in enumerate(open(source, encoding="utf-8"), 1):
    comment = re.search(r"/\* (.*) \*/$", text)
    if comment:
        LINES[comment.group(1)] = number


def races(all_):
    by_lines = {}
    for r in all_:
        by_lines.setdefault((r["first"]["line"], r["second"]["line"]), []).append(r)
    names = {r["variable"] for r in all_}
    assert not [n for n in names if "omp_data" in n], names
    assert not [n for n in names if n.startswith("right")], names

    (found,) = {r["variable"] for r in by_lines[LINES["sum"], LINES["sum"]]}
    assert found == "sum of shared_local", found

    ends = {LINES["in first task"], LINES["in second task"]}
    (box,) = [r for lines, some in by_lines.items() if set(lines) == ends for r in some]
    assert box["variable"] == "box of shared_with_task" and box["location"]["kind"] == "stack", box
    for side in (box["first"], box["second"]):
        task = "first task" if side["line"] == LINES["in first task"] else "second task"
        want = rf"task \d+ of team \d+ created at reports\.c:{LINES[task]}"
        assert re.fullmatch(want, side["strand"]), (side["strand"], want)
        assert side["stack"][0]["line"] == side["line"], side

    ends = (LINES["before the section"], LINES["behind the section"])
    (by_lock,) = by_lines[ends]
    assert by_lock["labels"].get("lock_order") is True, by_lock["labels"]
    assert any(n.startswith("lock-order: ") for n in by_lock["notes"]), by_lock["notes"]
    (by_nothing,) = by_lines[LINES["first behind"], LINES["second before"]]
    assert "lock_order" not in by_nothing["labels"], by_nothing["labels"]
    for r in (by_lock, by_nothing):
        assert r["first"]["strand"].startswith("a chunk in thread 0 of team "), r["first"]["strand"]
        assert r["first"]["thread"] == r["second"]["thread"]
    known = {LINES["sum"], *[LINES[n] for n in ("in first task", "in second task", "before the section",
                                                "behind the section", "second before", "first behind")]}
    others = [r for r in all_ if not {r["first"]["line"], r["second"]["line"]} <= known]
    assert not others, others


def total(threads, key):
    return sum(t[key] for t in threads)


def near(place, comment):
    """gcc gives what it makes of a construct the pragma's line, or that of the statement before it or behind it."""
    return abs(place["line"] - LINES[comment]) <= 2


def sync(regions):
    (uneven,) = [r for r in regions if near(r, "uneven")]
    assert (uneven["runs"], uneven["barriers"]) == (1, 1), uneven
    first, second = uneven["threads"]
    # In each phase who has most to do waits for nobody, and the other one for the rest.
    assert first["insns"] + first["waited"] == second["insns"] + second["waited"], uneven
    for t in (first, second):
        assert 9000 * 2 <= t["waited"] <= 9000 * 20 and t["insns"] >= 11000 * 2, t

    (shared_out,) = [r for r in regions if near(r, "shared out")]
    assert shared_out["runs"] == 3 and len(shared_out["threads"]) == 2, shared_out
    assert total(shared_out["threads"], "tasks") == 3 * 5, shared_out
    up, down, three = shared_out["works"]
    assert near(up, "up") and near(down, "down") and near(three, "three"), shared_out["works"]
    assert (up["kind"], up["schedule"], up["chunk"], up["runs"]) == ("loop", "dynamic", 4, 3), up
    assert (total(up["threads"], "parts"), total(up["threads"], "iterations")) == (3 * 6, 3 * 22), up
    assert (down["kind"], down["schedule"], down["runs"]) == ("loop", "guided", 3), down
    assert total(down["threads"], "iterations") == 3 * 10, down
    assert 3 <= total(down["threads"], "parts") <= 3 * 10, down
    assert (three["kind"], three["runs"], total(three["threads"], "parts")) == ("sections", 3, 3 * 3), three
    (critical,) = shared_out["exclusions"]
    assert critical["kind"] == "critical" and critical["sections"] == 3 * 2, critical
    assert near(critical, "once a thread"), critical
    for w in shared_out["works"]:
        assert all(t["insns"] > 0 for t in w["threads"] if t["parts"]), w


report = json.load(open(report, encoding="utf-8"))
races(report["races"]) if kind == "races" else sync(report["regions"])
