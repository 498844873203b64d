# SPDX-License-Identifier: GPL-2.0-or-later
"""races_compare.py RACES.json REFERENCE: what `cdrgrind races --format=json' found is what the reference found.

Pairs of instructions, without regard to which came first, must have the same number of instances. A race has one
label for all its pairs, and a pair can be in several races: so `schedulable' is compared for each set of races that
share pairs. Every difference is a line on stdout, and the status is 1.
"""
import collections
import json
import sys


def pairs_of(race):
    return {tuple(sorted((p["first_ip"], p["second_ip"]))) for p in race["pairs"]}


def in_sets(races):
    """Those that share pairs, together: [(pairs, races)]."""
    sets = []
    for race in races:
        pairs, together = pairs_of(race), [race]
        for other in [s for s in sets if s[0] & pairs]:
            sets.remove(other)
            pairs |= other[0]
            together += other[1]
        sets.append((pairs, together))
    return sets


def reference(path):
    found = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            first, second, instances, label = line.split()
            found[int(first), int(second)] = int(instances), label == "schedulable"
    return found


def differences(races, expected):
    counts = collections.Counter()
    for race in races:
        for pair in race["pairs"]:
            counts[tuple(sorted((pair["first_ip"], pair["second_ip"])))] += pair["instances"]
        if race["instances"] != sum(pair["instances"] for pair in race["pairs"]):
            yield f"race {race['id']}: the instances are not the sum of the pairs'"
    for pair in sorted(set(counts) | set(expected)):
        wanted = expected.get(pair, (0, False))[0]
        if counts[pair] != wanted:
            yield f"{pair[0]:#x} {pair[1]:#x}: {counts[pair]} instances, not {wanted}"
    for pairs, together in in_sets(races):
        label = any(race["labels"]["schedulable"] for race in together)
        if label != any(expected.get(pair, (0, False))[1] for pair in pairs):
            names = " ".join(f"{a:#x}-{b:#x}" for a, b in sorted(pairs))
            yield f"{'' if label else 'not '}schedulable: {names}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        races = json.load(file)["races"]
    lines = list(differences(races, reference(sys.argv[2])))
    print("".join(line + "\n" for line in lines), end="")
    sys.exit(bool(lines))


main()
