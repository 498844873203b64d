# SPDX-License-Identifier: GPL-2.0-or-later
"""The operations of OpenMP in a dump of synchronisation (JSON), as they were left: what each was entered with, and what it
gave. Prints lines as tests/programs/openmp/entries.c does."""
import json
import sys

entered = {}
for line in open(sys.argv[1], encoding="utf-8"):
    e = json.loads(line)
    if not e.get("op", "").startswith("omp-"):
        continue
    stack = entered.setdefault(e["thread"], [])
    if e["event"] == "sync-enter":
        stack.append(e)
        continue
    begun = stack.pop()
    assert begun["op"] == e["op"] and begun["object"] == e["object"], (begun, e)
    result = 0 if e["op"] == "omp-task-data" else e.get("result", 0)  # a handle is another one every time
    first, end = (e.get("object2", 0), e.get("value", 0)) if result else (0, 0)
    print(e["op"], begun.get("value", 0), first, end, int(result != 0) if e["op"].startswith("omp-loop") else result)
