# SPDX-License-Identifier: GPL-2.0-or-later
"""openmp_advise.py WHAT SOURCE DOCUMENT: what advise (O0, O2, one, two, sarif) and annotate (lines) say of
tests/programs/openmp/advised.c."""
import json
import re
import sys

what, source, document = sys.argv[1:]
report = json.load(open(document))
lines = {m[1]: n for n, text in enumerate(open(source), 1) if (m := re.search(r"/\* (.*) \*/", text))}
SHARED = {"even", "triangle", "chunks", "static chunks", "exclusive", "taskloop"}

if what == "sarif":
    results = {}
    for r in report["runs"][0]["results"]:
        place = r["locations"][0]["physicalLocation"]["region"]["startLine"]
        results.setdefault(place, []).append(r)
    for name in SHARED:
        (r,) = [r for r in results[lines[name]] if r["ruleId"].startswith("cdr-loop")]
        rule = report["runs"][0]["tool"]["driver"]["rules"][r["ruleIndex"]]
        assert r["ruleId"] == rule["id"] == "cdr-loop-shared" and "fixes" not in r, (name, r)
    (r,) = results[lines["serial"]]
    assert r["ruleId"] == "cdr-loop-parallel" and r["fixes"], r
    (r,) = results[lines["repeated"]]
    assert r["ruleId"] == "cdr-loop-parallel" and "fixes" not in r and "parallel region at" in r["message"]["text"], r
    sys.exit()

if what == "lines":
    marks = {m["line"]: m["shared_loop"] for m in report["parallel_lines"] if m["file"].endswith("advised.c")}
    assert all(marks[lines[name]] for name in SHARED), marks
    assert marks[lines["repeated"]] is False and marks[lines["in critical"]] is False, marks
    assert lines["serial"] not in marks and lines["alone"] not in marks, marks
    carried = [c for d in report["dependences"] for c in d["carried"] if c["loop"]["line"] == lines["triangle"]]
    assert carried and all(c["shared"] for c in carried), carried
    sys.exit()

loops = {}
for loop in report["loops"]:
    loops.setdefault(loop["place"]["line"], []).append(loop)


def one(name):
    found = loops.get(lines[name], [])
    assert found, f"{name}: no loop at line {lines[name]} among {sorted(loops)}"
    return found


def total(name, key):
    return sum(s[key] for loop in one(name) for s in loop["team"]["shares"])


threads = 1 if what == "one" else 2
runs = 2 if what == "two" else 1
for name in SHARED:
    for loop in one(name):
        assert loop["team"]["shared"] and loop["pragma"] == "" and loop["team"]["threads"] in (threads, 2), (name, loop)
    # An optimiser may have peeled some.
    iterations = total(name, "iterations")
    assert 400 * runs - 4 <= iterations <= 400 * runs + 4, (name, iterations)
    assert not [i for loop in one(name) for i in loop["carried"] if i["class"] == "recurrence" and name != "exclusive"], name
schedules = {name: one(name)[0]["team"]["schedule"] for name in SHARED}
assert schedules == {"even": "static", "triangle": "static", "exclusive": "static", "chunks": "dynamic, 10",
                     "static chunks": "static, in chunks", "taskloop": "taskloop"}, schedules

# Of a loop that an optimiser has cut into two the larger part.
even, triangle = (max(one(name), key=lambda loop: loop["instructions"]) for name in ("even", "triangle"))
if what in ("O0", "O2"):
    assert even["team"]["imbalance"] < 1.02, even["team"]
    # 0 + … + 199 is a third of 200 + … + 399.
    assert 1.47 < triangle["team"]["imbalance"] <= 1.5, triangle["team"]
    assert [s["chunks"] for s in one("static chunks")[0]["team"]["shares"]] == [25, 25]
    assert total("chunks", "chunks") == 40 and total("taskloop", "chunks") == 4
    assert one("chunks")[0]["team"]["as_asked"] and not even["team"]["as_asked"]
if what == "one":
    assert even["team"]["imbalance"] == 1 and even["team"]["threads"] == 2, "num_threads(2) asks for two"

(exclusive,) = one("exclusive")
team = exclusive["team"]
assert [(e["kind"], e["place"]["line"]) for e in team["exclusions"]] == [("critical", lines["in critical"] - 2)], team
assert team["exclusive"] == team["under_one"] and 0.85 < team["exclusive"] / team["instructions"] < 0.93, team
# What the library does is nobody's.
assert not [i for i in exclusive["carried"] if i["class"] == "recurrence"], exclusive["carried"]
assert even["team"]["exclusive"] == 0 and even["team"]["exclusions"] == [], even["team"]

(repeated,) = one("repeated")
assert repeated["team"]["shared"] is False and repeated["in_regions"] == repeated["instructions"] > 0, repeated
assert repeated["pragma"] == "" and repeated["speed_up"] == repeated["run_speed_up"] == 1, repeated
for name in ("serial", "alone"):
    (loop,) = one(name)
    assert "team" not in loop and loop["pragma"].startswith("#pragma omp parallel for") and loop["speed_up"] > 4, (name, loop)
    assert loop["verdict"] == "parallel", (name, loop)

# Of two threads' instances each counts, also if they are executed at the same time; and nothing of the library.
if what == "O0":
    program = sum(s["instructions"] for s in even["team"]["shares"])
    assert program == even["instructions"] == even["in_regions"], even
    assert report["instructions"] < 2_500_000, report["instructions"]
