# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the long calls of `cdrgrind advise --format=json` with what stands at their lines in the source.

    advise_calls.py ADVICE SOURCE
"""
import json
import re
import sys

advice, source = sys.argv[1:]
expected = {}
for number, line in enumerate(open(source), 1):
    marked = re.search(r"/\* = spawn (\S+)( output)? \*/", line)
    if marked:
        expected[number] = (None if marked[1] == "end" else number + int(marked[1]), bool(marked[2]))
found = {}
for caller in json.load(open(advice))["callers"]:
    for c in caller["calls"]:
        if c["spawn"] and caller["place"]["function"] != "main":
            found[c["line"]] = (c["wait"]["line"] or None, c["output"])
for line in sorted(expected.keys() | found.keys()):
    if expected.get(line) != found.get(line):
        print(f"line {line}: {found.get(line)}, not {expected.get(line)}")
print(f"{len(expected)} spawns")
sys.exit(expected != found)
