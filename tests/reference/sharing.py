# SPDX-License-Identifier: GPL-2.0-or-later
"""A slow count of what `cdrgrind sharing` says, over dumped events.

usage: sharing.py EVENTS SHARING
  EVENTS   cdrgrind dump --format=json
  SHARING  cdrgrind sharing --format=json --all [--line-size=N]

Written from docs/sharing.md, without a look at the program's own code: a dictionary entry for every byte, and for every
line the list of all that happened to it.
"""
import collections
import json
import sys

FUTEX = 202


def accesses(name):
    """(thread, address, width, store, ip) in true order, and ("new", begin, end) where memory begins a new life."""
    with open(name) as events:
        next(events)
        for line in events:
            e = json.loads(line)
            kind = e["event"]
            if kind in ("block", "partial"):
                for a in e["accesses"]:
                    if a["width"]:
                        yield e["thread"], a["addr"], a["width"], a["store"], a["ip"]
            elif kind == "syscall" and e["number"] != FUTEX:
                for m in e["memory"]:
                    if m["size"]:
                        yield e["thread"], m["addr"], m["size"], m["store"], e["ip"]
            elif kind == "alloc":
                yield "new", e["addr"], e["addr"] + e["size"]
            elif kind == "resize":
                yield "new", e["addr"], e["addr"] + e["new_size"]
            elif kind in ("unmap", "thread-start") or (kind == "map" and "heap" not in e["flags"]):
                yield "new", e["begin"], e["end"]


def pieces(access, size):
    """The access cut at the ends of lines."""
    thread, addr, width, store, ip = access
    while width:
        here = min(width, size - addr % size)
        yield thread, addr, here, store, ip
        addr, width = addr + here, width - here


class Byte:
    def __init__(self):
        self.writer = None  # who stored it last
        self.ip = None      # with which instruction
        self.since = set()  # who touched it since


def count_bytes(stream, size, shared):
    """Totals over all variables, bytes passed on by pair of instructions, pairs of threads."""
    memory = collections.defaultdict(Byte)
    total = collections.Counter()
    passed, pairs = collections.Counter(), collections.Counter()
    for item in stream:
        if item[0] == "new":
            if item[2] - item[1] > len(memory):
                gone = [a for a in memory if item[1] <= a < item[2]]
            else:
                gone = [a for a in range(item[1], item[2]) if a in memory]
            for a in gone:
                del memory[a]
            continue
        for thread, addr, width, store, ip in pieces(item, size):
            if addr // size not in shared:
                continue
            bytes_ = [memory[a] for a in range(addr, addr + width)]
            news = [b for b in bytes_ if b.writer not in (None, thread) and thread not in b.since]
            if news:
                total["hand_overs"] += 1
                pairs[(news[0].writer, thread)] += 1
            if not store:
                for b in news:
                    passed[(b.ip, ip)] += 1
                for b in bytes_:
                    b.since.add(thread)
                continue
            total["write_runs"] += any(b.writer != thread or b.since - {thread} for b in bytes_)
            if bytes_[0].writer == thread:
                total["repeated_stores"] += 1
                total["read_between"] += any(b.writer == thread and b.since - {thread} for b in bytes_)
            for b in bytes_:
                b.writer, b.ip, b.since = thread, ip, {thread}
    return total, passed, pairs


class LineOfOne:
    """What a thread knows of a line."""

    def __init__(self):
        self.loads = self.stores = self.misses = self.true = 0
        self.last = -1        # when it last touched it
        self.stay = None      # (since when, last touch before it) of the stay that began with a miss


def count_lines(stream, size, shared):
    """By line: by thread what it did; upgrades; updates."""
    lines = {n: [collections.defaultdict(LineOfOne), [], {}, 0, 0] for n in shared}
    time = 0
    for item in stream:
        if item[0] == "new":
            for n, line in lines.items():
                for a in [a for a in line[2] if item[1] <= a < item[2]]:
                    del line[2][a]
            continue
        for thread, addr, width, store, _ in pieces(item, size):
            if addr // size not in shared:
                continue
            time += 1
            line = lines[addr // size]
            threads, stores, last_stores = line[:3]
            me = threads[thread]
            # Since its last touch somebody else stored.
            bad = any(who != thread and when > me.last for when, who in reversed_until(stores, me.last))
            new = me.loads + me.stores == 0
            if bad and not new:
                me.misses += 1
                me.stay = (me.last, False)
            if me.stay and not me.stay[1]:
                for a in range(addr, addr + width):
                    when, who = last_stores.get(a, (-1, None))
                    if who not in (None, thread) and when > me.stay[0]:
                        me.stay = (me.stay[0], True)
                me.true += me.stay[1]
            if store:
                others = [t for name, t in threads.items() if name != thread and t.loads + t.stores]
                last_store = max((when for when, who in stores[-1:]), default=-1)
                good = [t for t in others if t.last >= last_store and not stored_by_others(stores, threads, t)]
                line[3] += not new and not bad and bool(good)
                line[4] += bool(others)
                stores.append((time, thread))
                for a in range(addr, addr + width):
                    last_stores[a] = (time, thread)
                me.stores += 1
            else:
                me.loads += 1
            me.last = time
    return lines


def reversed_until(stores, when):
    for store in reversed(stores):
        if store[0] <= when:
            return
        yield store


def stored_by_others(stores, threads, one):
    name = next(n for n, t in threads.items() if t is one)
    return any(who != name for _, who in reversed_until(stores, one.last))


def shared_lines(stream, size):
    touched = collections.defaultdict(set)
    stored = set()
    for item in stream:
        if item[0] != "new":
            for thread, addr, _, store, _ in pieces(item, size):
                touched[addr // size].add(thread)
                if store:
                    stored.add(addr // size)
    return {n for n, who in touched.items() if len(who) > 1 and n in stored}


def main():
    with open(sys.argv[2]) as f:
        said = json.load(f)
    size = said["summary"]["line_size"]
    stream = list(accesses(sys.argv[1]))
    shared = shared_lines(stream, size)
    lines = count_lines(stream, size, shared)
    told = {line["address"] // size: line for line in said["lines"]}
    assert set(told) == shared, set(told) ^ shared
    for n, (threads, _, _, upgrades, updates) in lines.items():
        want = {t: (o.loads, o.stores, o.misses, o.misses - o.true) for t, o in threads.items()}
        got = {t["thread"]: (t["loads"], t["stores"], t["misses"], t["false_misses"]) for t in told[n]["threads"]}
        assert got == want, f"line {n * size:#x}: {want}, not {got}"
        assert (told[n]["upgrades"], told[n]["updates"]) == (upgrades, updates), f"line {n * size:#x}: {upgrades}, {updates}"
    total, passed, pairs = count_bytes(stream, size, shared)
    said_passed = {(i["from_ip"], i["to_ip"]): i["bytes"] for p in said["passed"] for i in p["instructions"]}
    assert said_passed == passed, set(said_passed.items()) ^ set(passed.items())
    for name in "hand_overs", "write_runs", "repeated_stores", "read_between":
        # Variables that only one thread touches are not listed, though their line is shared.
        got = sum(v[name] for v in said["variables"])
        if name == "hand_overs":
            assert got == total[name], f"{name}: {total[name]}, not {got}"
        else:
            assert got <= total[name], f"{name}: {total[name]}, not {got}"
    said_pairs = collections.Counter()
    for v in said["variables"]:
        for p in v["pairs"]:
            said_pairs[(p["from"], p["to"])] += p["count"]
    assert said_pairs == pairs, (said_pairs, pairs)
    print(len(shared), "lines,", sum(passed.values()), "bytes passed on")


if __name__ == "__main__":
    main()
