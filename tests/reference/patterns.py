# SPDX-License-Identifier: GPL-2.0-or-later
"""A slow count of what `cdrgrind patterns` says, over dumped events.

usage: patterns.py EVENTS PATTERNS
  EVENTS    cdrgrind dump --format=json
  PATTERNS  cdrgrind patterns --format=json

Written from docs/patterns.md, without a look at the program's own code. Which accesses belong to a frame of the stack the
events do not say; so steps and footprints are compared where an instruction has none, and sums of accesses everywhere.
How many of them reach into blocks of the heap that were live then is compared, too; names are not.
"""
import bisect
import collections
import json
import sys


class Heap:
    """Live blocks: their begins in order, and their sizes."""

    def __init__(self):
        self.begins, self.sizes = [], {}

    def event(self, e):
        if e["event"] == "free" and e["addr"] in self.sizes:
            del self.sizes[e["addr"]]
            self.begins.remove(e["addr"])
        if e["event"] == "alloc":
            if e["addr"] not in self.sizes:
                bisect.insort(self.begins, e["addr"])
            self.sizes[e["addr"]] = e["size"]
        if e["event"] == "resize":
            self.sizes[e["addr"]] = e["new_size"]

    def has(self, addr):
        i = bisect.bisect_right(self.begins, addr)
        return i > 0 and addr - self.begins[i - 1] < self.sizes[self.begins[i - 1]]


def read(name):
    """By (ip, store): accesses, steps by stride, bytes touched, the largest width, accesses to the heap."""
    last = {}
    found = collections.defaultdict(lambda: [0, collections.Counter(), set(), 0, 0])
    heap = Heap()
    with open(name) as events:
        next(events)
        for line in events:
            e = json.loads(line)
            heap.event(e)
            if e["event"] != "block":
                continue
            seen = collections.Counter()
            for a in e["accesses"]:
                key = (a["ip"], a["store"])
                # An instruction's accesses of one kind, by their place in the block.
                seen[key] += 1
                stream = (e["thread"], e["block"], key, seen[key], a["width"])
                one = found[key]
                one[0] += 1
                if stream in last:
                    one[1][a["addr"] - last[stream]] += 1
                last[stream] = a["addr"]
                one[2].update(range(a["addr"], a["addr"] + a["width"]))
                one[3] = max(one[3], a["width"])
                one[4] += heap.has(a["addr"])
    return found


def main():
    found = read(sys.argv[1])
    with open(sys.argv[2]) as f:
        lines = json.load(f)["lines"]
    told = {(i["ip"], i["store"]): i for line in lines for i in line["instructions"]}
    assert set(told) == set(found), set(told) ^ set(found)
    exact = 0
    for key, (accesses, strides, touched, width, on_heap) in found.items():
        i = told[key]
        where = f"{key[0]:#x}{' store' if key[1] else ''}"
        assert i["accesses"] + i["frame_accesses"] == accesses, f"{where}: {accesses} accesses, not {i}"
        assert i["width"] == width, f"{where}: {width} bytes, not {i['width']}"
        assert sum(o["count"] for o in i["objects"]) + i["other_objects"] == accesses, f"{where}: {accesses}, not {i}"
        told_on_heap = sum(o["count"] for o in i["objects"] if o["kind"] == "heap")
        assert told_on_heap <= on_heap <= told_on_heap + i["other_objects"], f"{where}: {on_heap} to the heap, not {i}"
        if i["frame_accesses"]:
            continue
        exact += i["accesses"]
        assert i["steps"] == sum(strides.values()), f"{where}: {sum(strides.values())} steps, not {i['steps']}"
        assert i["different_strides"] == len(strides) and i["uncounted"] == 0, f"{where}: {len(strides)} strides, not {i}"
        want = sorted(strides.items(), key=lambda s: (-s[1], abs(s[0]), s[0]))[:8]
        got = [(s["stride"], s["count"]) for s in i["strides"]]
        assert got == want, f"{where}: {want}, not {got}"
        assert i["footprint_bytes"] == len(touched), f"{where}: {len(touched)} bytes, not {i['footprint_bytes']}"
        assert i["footprint_lines"] == len({a // 64 for a in touched}), where
    for line in lines:
        assert line["accesses"] == sum(i["accesses"] for i in line["instructions"]), line
        if not line["frame_accesses"]:
            union = set().union(*(found[(i["ip"], i["store"])][2] for i in line["instructions"]))
            assert line["footprint_bytes"] == len(union), line["line"]
    assert exact > 0
    print(len(told), "instructions,", exact, "accesses compared")


if __name__ == "__main__":
    main()
