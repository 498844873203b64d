# SPDX-License-Identifier: GPL-2.0-or-later
"""openmp_sharing.py DOCUMENT: what sharing says of tests/programs/openmp/lines.c."""
import json
import re
import sys

report = json.load(open(sys.argv[1]))
names = {s["id"]: s["name"] for s in report["strands"]}

false = {o: f for f in report["false_sharing"] if f["may"]["false"] for o in f["objects"]}
true = {t["object"]: t for t in report["true_sharing"] if t["may"]["true"]}
besides = {"beside_for", "beside_tasks", "beside_chunks", "beside_sections"}
assert set(false) == besides, sorted(false)
assert set(true) == {"same_tasks", "sink"}, sorted(true)


def strands(entry):
    return [sorted(names.get(t, f"thread {t}") for t in p["threads"]) for p in entry["may"]["pairs"]]


# Each stores 20 times, and loads as often.
assert false["beside_for"]["may"]["false"] == 40, false["beside_for"]
assert [[re.sub(r"\d+$", "N", s) for s in pair] for pair in strands(false["beside_for"])] == [
    ["thread 0 of team N", "thread 1 of team N"]], strands(false["beside_for"])
assert false["beside_tasks"]["may"]["false"] == 40, false["beside_tasks"]
((first, second),) = strands(false["beside_tasks"])
for text in (first, second):
    assert re.fullmatch(r"task \d+ of team \d+ created at lines\.c:\d+", text), text
parts = [(p["begin"], p["end"], p["name"], [names[t] for t in p["writers"]]) for p in false["beside_tasks"]["parts"]]
assert parts == [(0, 8, "beside_tasks.a", [first]), (8, 16, "beside_tasks.b", [second])], parts
# Of eight chunks each two.
chunks = strands(false["beside_chunks"])
assert len(chunks) == 28 and false["beside_chunks"]["may"]["false"] == 28 * 40, false["beside_chunks"]
assert all(re.fullmatch(r"a chunk in thread \d of team \d+", s) for pair in chunks for s in pair), chunks
assert false["beside_sections"]["may"]["false"] == 40, false["beside_sections"]
assert all(s.startswith("a section in thread ") for pair in strands(false["beside_sections"]) for s in pair)
# Locks exclude and do not order.
assert true["same_tasks"]["may"]["true"] == 40, true["same_tasks"]
# Four tasks, a store each.
assert len(true["sink"]["may"]["pairs"]) == 6 and true["sink"]["may"]["true"] == 6, true["sink"]
assert report["strand_accesses_not_compared"] == 0
for f in report["false_sharing"]:
    assert not [p for p in f["may"]["pairs"] if not p["threads"]], f
