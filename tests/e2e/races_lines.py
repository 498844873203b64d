# SPDX-License-Identifier: GPL-2.0-or-later
#
# What `cdrgrind races --format=json' found, a line each: VARIABLE INSTANCES LABELS, sorted. The tables that the
# tests compare with have the same form.
import json
import sys

document = json.load(sys.stdin)
lines = []
for race in document["races"]:
    labels = race["labels"]
    assert labels["status"] == "root" and labels["of"] is None
    assert race["first"]["stack"] and race["second"]["stack"]
    assert race["instances"] == sum(pair["instances"] for pair in race["pairs"])
    words = [race["variable"].replace(" ", "_"), str(race["instances"])]
    words.append("schedulable" if labels["schedulable"] else "unschedulable")
    words += [name for name in ("adhoc", "mixed") if labels[name]]
    words += ["free"] if any("use after free" in note for note in race["notes"]) else []
    lines.append(" ".join(words))
assert document["summary"]["roots"] == len(document["races"])
print("".join(line + "\n" for line in sorted(lines)), end="")
