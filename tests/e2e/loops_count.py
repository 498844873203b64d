# SPDX-License-Identifier: GPL-2.0-or-later
"""Is the loop nest of a trace, unrolled, the sequence that the dumped events have?

usage: loops_count.py EVENTS OF THREAD <NEST
  EVENTS   cdrgrind dump --format=json
  NEST     cdrgrind loops --of=OF --thread=THREAD --format=json

Names are not compared, but which symbols are equal.
"""
import json
import sys

from paths_count import cycles, read_threads


def unrolled(items):
    for item in items:
        if isinstance(item, str):
            yield item
        else:
            body = list(unrolled(item["body"]))
            assert len(body) == item["length"], item
            for _ in range(item["count"]):
                yield from body


def numbered(sequence):
    numbers = {}
    return [numbers.setdefault(s, len(numbers)) for s in sequence]


def operations(name, thread):
    with open(name) as events:
        next(events)
        for line in events:
            e = json.loads(line)
            if e["event"] == "sync-enter" and e["thread"] == thread:
                yield e["op"], e["object"]


def wanted(name, of, thread):
    if of == "sync":
        return list(operations(name, thread))
    runs = read_threads(name).get(thread, [])
    if of == "blocks":
        return [b for run in runs for b in run]
    return [path for run in runs for path, count in cycles(run) for _ in range(count)]


def main():
    name, of, thread = sys.argv[1], sys.argv[2], int(sys.argv[3])
    document = json.load(sys.stdin)
    got, want = numbered(unrolled(document["nest"])), numbered(wanted(name, of, thread))
    if got != want or document["length"] != len(want):
        at = next((i for i, (g, w) in enumerate(zip(got, want)) if g != w), min(len(got), len(want)))
        sys.exit(f"{name}: {of} of thread {thread}: {len(got)} symbols, {len(want)} in the events; other from {at} on")


main()
