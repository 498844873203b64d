# SPDX-License-Identifier: GPL-2.0-or-later
"""openmp_artifacts.py SOURCE EXPECT REPORT: whether the verdicts of a report in JSON are those that EXPECT has of the cases of
SOURCE (tests/programs/slice). A case's lines are those of its functions NAME_1 and NAME_2."""
import json
import re
import sys

source, expect, report = sys.argv[1:]
functions = []  # first line, name
for number, line in enumerate(open(source, encoding="utf-8"), 1):
    if match := re.match(r"static .*?(\w+)\(", line):
        case = re.match(r"(\w+)_([12])$", match[1])
        functions.append((number, case[1] if case else None, case and case[2]))


def cases_of(side):
    for frame in side["stack"]:
        at = [f for f in functions if f[0] <= frame["line"]]
        if frame["file"].endswith(source.split("/")[-1]) and at and at[-1][1]:
            yield at[-1][1:]


want = set()
for line in open(expect, encoding="utf-8"):
    if line.startswith("#"):
        continue
    name, races = line.split(":")
    for race in races.split():
        variable, _, of = race.partition("<")
        want.add(f"{name} {variable}: artifact of {of}" if of else f"{name} {variable}: root")
short = {"second_node.value": "value", "first_node.next": "next"}
races = json.load(open(report, encoding="utf-8"))["races"]
by_id = {race["id"]: race for race in races}


def name(race):
    return re.sub(r"[\[\]]", "", short.get(race["variable"], race["variable"]))


got = set()
for race in races:
    cases = [c for side in (race["first"], race["second"]) for c in cases_of(side)]
    # published_first has its second function from published.
    case = next((c for c, part in cases if part == "1"), cases[0][0] if cases else "?")
    of = by_id.get(race["labels"]["of"])
    got.add(f"{case} {name(race)}: {race['labels']['status']}" + (f" of {name(of)}" if of else ""))
for line in sorted(got ^ want):
    print("+" if line in got else "-", line)
sys.exit(got != want)
