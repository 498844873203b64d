# SPDX-License-Identifier: GPL-2.0-or-later
#
# What `cdrgrind races --format=json' found (standard input), a line each: VARIABLE INSTANCES LABELS, sorted. The
# table that it is compared with (the argument) has the same form; where it has `*' for the instances, so has the
# output: the C library decides in how many pieces it copies.
import json
import sys

any_number = {line.split()[0] for line in open(sys.argv[1]) if line.split()[1] == "*"}
document = json.load(sys.stdin)
lines = []
for race in document["races"]:
    labels = race["labels"]
    assert (labels["status"] == "root") == (labels["of"] is None) or labels["status"] == "tangle"
    assert race["judged"] >= 1
    assert race["first"]["stack"] and race["second"]["stack"]
    assert race["instances"] == sum(pair["instances"] for pair in race["pairs"])
    variable = race["variable"].replace(" ", "_")
    words = [variable, "*" if variable in any_number else str(race["instances"])]
    words.append("schedulable" if labels["schedulable"] else "unschedulable")
    words += [name for name in ("adhoc", "mixed") if labels[name]]
    words += [labels["status"]] if labels["status"] != "root" else []
    words += ["free"] if any("use after free" in note for note in race["notes"]) else []
    lines.append(" ".join(words))
summary = document["summary"]
assert summary["roots"] == sum(race["labels"]["status"] == "root" for race in document["races"])
assert summary["artifacts"] == sum(race["labels"]["status"] == "artifact" for race in document["races"])
print("".join(line + "\n" for line in sorted(lines)), end="")
