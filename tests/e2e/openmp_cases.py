# SPDX-License-Identifier: GPL-2.0-or-later
"""openmp_cases.py right|wrong SOURCE REPORT [LEFT_OUT]: whether the races of a report in JSON are as they must be: none of right cases,
some of each wrong one, all in code of the program, with their strands named. A case's lines are those from the end of the
case before to its own end; of Fortran's those of its subroutine. LEFT_OUT is a case that did not run. What all members of a team
repeat races from two threads (OMP_NUM_THREADS) on."""
import json
import os
import re
import sys

REPEATED = {"worksharing": {"own_frames", "copyprivate", "last_unwaited", "master", "threadprivate"}}

kind, source, report, *left_out = sys.argv[1:]
text = open(source, encoding="utf-8").read()
lines = text.split("\n")


def end_of(start):
    return next(i for i in range(start, len(lines)) if lines[i].endswith("}") and not lines[i].startswith(" ")) + 1


if source.endswith(".F90"):
    ends = {}
    for line, code in enumerate(lines, 1):
        if code.startswith("  subroutine "):
            name = code.split()[1]
        if code.startswith("  end subroutine"):
            ends[name] = line
else:
    functions = dict(re.findall(r'\{"(\w+)", (\w+)\}', text[text.index("RUN_CASES(") :]))
    ends = {n: end_of(next(i for i, line in enumerate(lines) if line.startswith(f"static void {f}(void) {{"))) for n, f in functions.items()}
found = {name: [] for name in ends}
wrong = []
for r in json.load(open(report, encoding="utf-8"))["races"]:
    at = min((end, name) for name, end in ends.items() if end >= r["first"]["line"])[1]
    found[at].append(r["variable"])
    for side in (r["first"], r["second"]):
        if any(library in side["stack"][0]["file"] for library in ("libgomp", "libc.so", "ld-linux")):
            wrong.append(f"{at}: {r['variable']}: inside a library: {side['stack'][0]}")
    if "strand" not in r["first"] and "strand" not in r["second"]:
        wrong.append(f"{at}: {r['variable']}: no strand")
if os.environ.get("OMP_NUM_THREADS") == "1":
    left_out += REPEATED.get(os.path.basename(source).split(".")[0], set())
for name in left_out:
    if found.pop(name):
        wrong.append(f"{name}: a race where there can be none")
wrong += [f"{name}: {kind}, races: {races}" for name, races in found.items() if bool(races) != (kind == "wrong")]
if len(found) < 10:
    wrong.append("few cases")
print("\n".join(wrong))
sys.exit(bool(wrong))
