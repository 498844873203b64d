# SPDX-License-Identifier: GPL-2.0-or-later
#
# races_cases.py NAMES: the verdicts of `cdrgrind races --format=json' (standard input) on tests/programs/slice/cases, a
# line each: `CASE NAME: root', `artifact of OTHER'. NAMES has the cases in order; threads 2 and 3 are the first one's.
import json
import re
import sys

names = open(sys.argv[1]).read().split()
races = json.load(sys.stdin)["races"]
short = {"second_node.value": "value", "first_node.next": "next"}


def name(race):
    plain = short.get(race["variable"], race["variable"])
    return re.sub(r"[\[\]]", "", plain)


by_id = {race["id"]: race for race in races}
for race in races:
    case = names[race["first"]["thread"] // 2 - 1]
    of = by_id.get(race["labels"]["of"])
    status = race["labels"]["status"]
    print(f"{case} {name(race)}: {status} of {name(of)}" if of else f"{case} {name(race)}: {status}")
