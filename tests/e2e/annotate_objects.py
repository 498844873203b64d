# SPDX-License-Identifier: GPL-2.0-or-later
"""annotate_objects.py PROGRAM SOURCE HITS KNOWN ANNOTATE.json: the objects of rows, and their counts, are those that the
slow reference's hits have by the addresses of what the program knows. The program is at its own addresses (-no-pie). Of
rows that end at a line with the comment COUNTED every hit is known; of all others the sums are compared.

KNOWN: lines NAME BEGIN SIZE, addresses in hexadecimal; a name is "global grid[…].left", "stack FUNCTION own[…]", or
"heap LINE MEMBER" with the line of main that asked for the block."""
import bisect
import collections
import json
import re
import subprocess
import sys

program, source, hits, known, document = sys.argv[1:]
MOST = 8
lines = open(source, encoding="utf-8").read().splitlines()
marked = {n for n, text in enumerate(lines, 1) if "COUNTED" in text}

ranges = []
for text in open(known, encoding="utf-8"):
    name, begin, size = text.rstrip("\n").rsplit(" ", 2)
    ranges.append((int(begin, 16), int(begin, 16) + int(size), name))
ranges.sort()


def object_at(byte):
    at = bisect.bisect_right(ranges, (byte, float("inf"))) - 1
    return ranges[at][2] if at >= 0 and byte < ranges[at][1] else None


def places_of(addresses):
    """Function and line of each address of the program."""
    told = subprocess.run(["addr2line", "-f", "-e", program], input="\n".join(map(hex, addresses)), text=True,
                          capture_output=True, check=True).stdout.splitlines()
    places = {}
    for at, function, place in zip(addresses, told[::2], told[1::2]):
        file, line = place.split(" ")[0].rsplit(":", 1)
        places[at] = function, file.rsplit("/", 1)[-1], int(line) if line.isdigit() else 0
    return places


read = [line.rstrip("\n").split("\t") for line in open(hits)]
addresses = sorted({int(fields[i], 16) for fields in read for i in (3, 6, 9)})
places = places_of(addresses)

# By row: the objects of its hits, in their order.
want = collections.defaultdict(list)
for kind, letter, _, ancestor, _, _, at, code, _, to, to_code, thread, to_thread, _, byte in read:
    from_at, to_at = places[int(at, 16)], places[int(to, 16)]
    if from_at[1] != source or to_at[1] != source: continue
    threads = (int(thread), int(to_thread)) if thread != to_thread else None
    row = (kind, letter, places[int(ancestor, 16)][0], from_at[2], code.strip("-"), to_at[2], to_code.strip("-"), threads)
    want[row].append(object_at(int(byte)))


def label(o):
    name = o["name"]
    if o["kind"] == "stack":
        return name and f'stack {o["frame"]["function"]} ' + re.sub(r" of \w+$", "", name)
    if o["kind"] == "heap":
        asked = next(call["line"] for call in o["allocated"] if call["function"] == "main")
        return f"heap {asked} " + re.sub(r", block at .*", "", name)
    return f'{o["kind"]} {name}'


exact = others = several = 0
seen = set()
for r in json.load(open(document))["dependences"]:
    counts = [o["count"] for o in r["objects"]]
    assert len(counts) <= MOST and all(counts), r
    assert sum(counts) + r["others"] == r["count"], r
    assert r["others"] == 0 or len(counts) == MOST, r
    if not r["source"]["file"].endswith("/" + source) or not r["target"]["file"].endswith("/" + source): continue
    threads = tuple(r["threads"]) if "threads" in r else None
    row = (r["kind"], r["class"], r["ancestor"], r["source"]["line"], r["source"]["code"], r["target"]["line"],
           r["target"]["code"], threads)
    assert row not in seen and row in want, row
    seen.add(row)
    assert len(want[row]) == r["count"], (row, len(want[row]), r["count"])
    if row[1] not in "sro" or row[5] not in marked: continue
    assert None not in want[row], (row, want[row])
    first = list(dict.fromkeys(want[row]))
    counted = collections.Counter(want[row])
    expected = [(name, counted[name]) for name in first[:MOST]]
    got = [(label(o), o["count"]) for o in r["objects"]]
    assert got == expected, (row, got, expected)
    assert r["others"] == sum(counted[name] for name in first[MOST:]), (row, r["others"])
    exact += 1
    several += len(got) > 1
    others += r["others"] > 0
assert seen == set(want), set(want) - seen
print(exact, several, others)
