# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts cyclic paths and strata over dumped events and compares with what `cdrgrind paths` says.

usage: paths_count.py EVENTS HOT HOT_BY_THREAD STRATA
  EVENTS          cdrgrind dump --format=json
  HOT, …          cdrgrind paths --format=json -n 0 [--by-thread]
  STRATA          cdrgrind paths --strata --layers=N --format=json

Written from what the paper and docs/paths.md say, without a look at the program's own code: lists and comparisons
of lists, no tables.
"""
import collections
import json
import sys

LONGEST = 2048


def read_threads(name):
    """By thread: lists of basic blocks; a list ends where recording stops. A block is (module, addr, ips)."""
    runs = collections.defaultdict(lambda: [[]])
    with open(name) as events:
        next(events)
        for line in events:
            e = json.loads(line)
            if e["event"] in ("block", "partial") and "shim" not in e["flags"]:
                runs[e["thread"]][-1].append((e["module"], e["addr"], tuple(e["insns"])))
            elif e["event"] == "gap-begin":
                for thread in list(runs) if e["scope"] == "process" else [e["thread"]]:
                    runs[thread].append([])
    return {thread: lists for thread, lists in runs.items() if any(lists)}


def cycles(sequence):
    """[cycle, count] by the paper's rules, with what it loses kept."""
    found, open_cycle = [], []
    for element in sequence:
        if element in open_cycle:
            found.append([tuple(open_cycle), 1])
            open_cycle = []
        open_cycle.append(element)
        if found and found[-1][0] == tuple(open_cycle):
            found[-1][1] += 1
            open_cycle = []
        elif len(open_cycle) == LONGEST:
            found.append([tuple(open_cycle), 1])
            open_cycle = []
    if open_cycle:
        found.append([tuple(open_cycle), 1])
    return found


def same(what, got, want):
    if got != want:
        sys.exit(f"{what}: {got}, counted {want}")


def check_level(name, row, found):
    same(f"{name}: executions", row["executions"], sum(n for _, n in found))
    same(f"{name}: repeated", row["repeated"], len(found))
    same(f"{name}: consecutive", row["consecutive"], sum(n - 1 for _, n in found))
    same(f"{name}: elements", row["elements"], sum(n * len(c) for c, n in found))
    same(f"{name}: unique", row["unique"], len({c for c, _ in found}))
    same(f"{name}: epochs", row["epochs"], 1)


def check_strata(strata, paths):
    level = [[tuple(p) for p in repeated] for repeated in paths.values()]
    same("basic blocks", strata["basic_blocks"], sum(n * len(c) for thread in level for c, n in thread))
    same("threads", strata["threads"], len(paths))
    for number, row in enumerate(strata["strata"]):
        same("level", row["level"], "paths" if number == 0 else f"strata {number - 1}")
        check_level(row["level"], row, [r for thread in level for r in thread])
        level = [[tuple(c) for c in cycles(thread)] for thread in level]


def check_hot(hot, counts):
    total = sum(n * sum(len(b[2]) for b in path) for (_, path), n in counts.items())
    same("instructions", hot["instructions"], total)
    same("executed", hot["paths_executed"], sum(counts.values()))
    same("different", hot["paths_different"], len({path for _, path in counts}))
    got = {}
    before = None
    for p in hot["paths"]:
        blocks = tuple((b["module"], b["addr"], tuple(i["ip"] for i in b["insns"])) for b in p["blocks"])
        same("length", p["length"], sum(len(b[2]) for b in blocks))
        same("product", p["instructions"], p["trips"] * p["length"])
        if before is not None and p["instructions"] > before:
            sys.exit("not sorted")
        before = p["instructions"]
        got[p.get("thread"), blocks] = p["trips"]
    same("rows", len(hot["paths"]), len(got))
    for row in set(got) | set(counts):
        same(f"trips of {row}", got.get(row), counts.get(row))


def main():
    events, hot, by_thread, strata = sys.argv[1:]
    paths = {}
    for thread, lists in read_threads(events).items():
        paths[thread] = [r for blocks in lists for r in cycles(blocks)]
    together, apart = collections.Counter(), collections.Counter()
    for thread, repeated in paths.items():
        for path, n in repeated:
            together[None, path] += n
            apart[thread, path] += n
    check_hot(json.load(open(hot)), together)
    check_hot(json.load(open(by_thread)), apart)
    check_strata(json.load(open(strata)), paths)


if __name__ == "__main__":
    main()
