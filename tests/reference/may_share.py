# SPDX-License-Identifier: GPL-2.0-or-later
"""A slow count of what `cdrgrind sharing` says may happen, over dumped events.

usage: may_share.py EVENTS SHARING
  EVENTS   cdrgrind dump --format=json
  SHARING  cdrgrind sharing --format=json --all [--line-size=N]

Written from docs/sharing.md, without a look at the program's own code: a thread's accesses between two of its
operations are one step, every step is compared with every step of every other thread, byte by byte.
"""
import collections
import json
import sys

from races import Synchronisation, Thread
from sharing import FUTEX, pieces, shared_lines


class LastingOrder(Synchronisation):
    """The same order without locks: which thread comes first is the schedule's."""

    def see(self, event):
        if not any(name in event["op"] for name in ("mutex", "rw-", "spin")):
            super().see(event)

    def enter_cond_wait(self, thread, o, event):
        thread.waits[event["object"]] = event["i"]

    def leave_cond_wait(self, thread, o, event):
        began = thread.waits.pop(event["object"])
        woken = [signal for signal in o.signals if signal.wakes(began)]
        if woken and not event["flags"]:
            thread.know(woken[0].clocks)
            woken[0].given = not woken[0].everybody


class Reader:
    def __init__(self):
        self.threads = {}
        self.born = {}
        self.order = LastingOrder(self.threads)
        self.step = collections.Counter()
        self.known = {}     # (thread, step) -> what it knows of others' steps
        self.lives = []     # (begin, end), the latest last
        self.maps = []
        self.stream = []    # accesses as sharing.py has them
        self.steps = []     # (thread, step, life) of each

    def cut(self, thread):
        """What the thread has done up to now is a step of its own."""
        self.threads[thread].clocks.synchronised[thread] = self.step[thread]
        self.step[thread] += 1

    def access(self, thread, addr, width, store, ip):
        self.stream.append((thread, addr, width, store, ip))
        step = self.step[thread]
        self.known.setdefault((thread, step), dict(self.threads[thread].clocks.synchronised))
        self.steps.append((thread, step, len(self.lives)))

    def stack_of(self, e):
        """The thread's control block stands above its stack, in the same mapping."""
        begin, end = e["begin"], e["end"]
        if e["pthread"] >= end:
            for first, last in reversed(self.maps):
                if first <= e["pthread"] < last:
                    if abs(first - begin) <= 4096:
                        end = max(end, last)
                    break
        return begin, end

    def life_of(self, addr, so_far):
        for number in range(so_far, 0, -1):
            begin, end = self.lives[number - 1]
            if begin <= addr < end:
                return number
        return 0

    def see(self, e):
        kind = e["event"]
        if kind.startswith("sync-"):
            self.cut(e["thread"])
            self.order.see(e)
            self.step[e["thread"]] += 1
        elif kind == "thread-create":
            self.cut(e["thread"])
            self.born[e["child"]] = [self.threads[e["thread"]].clocks.copy()]
        elif kind == "thread-start":
            thread = self.threads[e["thread"]] = Thread(e["thread"])
            thread.know(*self.born.get(e["thread"], []))
            self.step[e["thread"]] = 1
            self.lives.append(self.stack_of(e))
        elif kind == "thread-end":
            self.cut(e["thread"])
        elif kind in ("block", "partial"):
            for a in e["accesses"]:
                if a["width"]:
                    self.access(e["thread"], a["addr"], a["width"], a["store"], a["ip"])
        elif kind == "syscall" and e["number"] != FUTEX:
            for m in e["memory"]:
                if m["size"]:
                    self.access(e["thread"], m["addr"], m["size"], m["store"], e["ip"])
        elif kind == "alloc":
            self.lives.append((e["addr"], e["addr"] + e["size"]))
        elif kind == "resize":
            self.lives.append((e["addr"], e["addr"] + e["new_size"]))
        elif kind == "unmap" or (kind == "map" and "heap" not in e["flags"]):
            self.lives.append((e["begin"], e["end"]))
            if kind == "map":
                self.maps.append((e["begin"], e["end"]))

    def concurrent(self, a, b):
        """Steps of two threads."""
        return self.known[a].get(b[0], 0) < b[1] and self.known[b].get(a[0], 0) < a[1]


def pair_weights(reader, line, s, t):
    """`line`: accesses and how often each was made."""
    sides = [[a for a in line if a[0] == who] for who in (s, t)]
    near = {(x, y) for x in sides[0] for y in sides[1] if reader.concurrent(x[:2], y[:2])}
    near |= {(y, x) for x, y in near}
    bytes_of = lambda a: set(range(a[3], a[3] + a[4]))
    met = [{x for x in side if any((x, y) in near for y in sides[1 - i])} for i, side in enumerate(sides)]
    touched = [set().union(*map(bytes_of, side)) if side else set() for side in met]
    false, true = [0, 0], [0, 0]
    for i in 0, 1:
        for x in met[i]:
            theirs = [y for y in sides[1 - i] if (x, y) in near]
            if any(y[2] == x[2] and (x[5] or y[5]) and bytes_of(x) & bytes_of(y) for y in theirs):
                true[i] += line[x]
            if x[5] and not bytes_of(x) & touched[1 - i]:
                false[i] += line[x]
            elif any(y[5] and bytes_of(y) - touched[i] for y in theirs):
                false[i] += line[x]
    return min(false), min(true)


def main():
    reader = Reader()
    with open(sys.argv[1]) as events:
        next(events)
        for text in events:
            reader.see(json.loads(text))
    with open(sys.argv[2]) as f:
        said = json.load(f)
    size = said["summary"]["line_size"]
    shared = shared_lines(reader.stream, size)
    lines = collections.defaultdict(collections.Counter)
    for item, (thread, step, so_far) in zip(reader.stream, reader.steps):
        for _, addr, width, store, _ in pieces(item, size):
            if addr // size in shared:
                life = reader.life_of(addr, so_far)
                lines[addr // size][(thread, step, life, addr % size, width, store)] += 1
    told = {l["address"] // size: {tuple(p["threads"]): (p["false"], p["true"]) for p in l["may"]["pairs"]}
            for l in said["lines"]}
    pairs = 0
    for number, line in lines.items():
        threads = sorted({a[0] for a in line})
        want = {}
        for i, s in enumerate(threads):
            for t in threads[i + 1:]:
                weight = pair_weights(reader, line, s, t)
                if weight != (0, 0):
                    want[(s, t)] = weight
        pairs += len(want)
        assert told[number] == want, f"line {number * size:#x}: {want}, not {told[number]}"
    print(len(lines), "lines,", pairs, "pairs of threads that may share")


if __name__ == "__main__":
    main()
