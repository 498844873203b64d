# SPDX-License-Identifier: GPL-2.0-or-later
"""race_cases.py: races.py on the events of race_cases.txt, which says how they are written."""
import os
import sys

import races

HERE = os.path.dirname(os.path.abspath(__file__))
START = [{"event": "map", "begin": 1000, "end": 2000, "flags": []},
         {"event": "module-mapped", "module": 1, "path": "/ld.so", "bias": 1000, "flags": ["ldso"]},
         {"event": "module-mapped", "module": 2, "path": "/prog", "bias": 0, "flags": []}]
START += [{"event": "thread-start", "thread": thread, "begin": 0, "end": 0} for thread in (1, 2, 3)]


def access(thread, what, ip, place, width):
    accesses = [{"ip": ip, "addr": place, "width": width, "store": what == "write"}]
    return {"event": "block", "thread": thread, "module": 2, "flags": [], "insns": [ip], "accesses": accesses}


def operations(thread, op, numbers):
    phases = {">": ["enter"], "<": ["leave"], "!": ["leave"]}.get(op[-1], ["enter", "leave"])
    flags = ["failed"] if op[-1] == "!" else []
    value = numbers[1] if len(numbers) > 1 else 0
    for phase in phases:
        yield {"event": "sync-" + phase, "thread": thread, "op": op.rstrip("><!"), "object": numbers[0],
               "object2": value, "value": value, "flags": flags}


def events(line):
    thread, what, *rest = line.split()
    thread = int(thread)
    if what in ("read", "write"):
        return [access(thread, what, *map(int, rest))]
    if rest and "=" not in rest[0]:
        return operations(thread, what, [int(number) for number in rest])
    members = {name: int(value) for name, value in (member.split("=") for member in rest)}
    return [{"event": what, "thread": thread, **members}]


def found(lines):
    reference = races.Races()
    reference.program = "prog"
    every = START + [event for line in lines for event in events(line)]
    for index, event in enumerate(every):
        reference.see({"i": index, **event})
    return list(reference.lines())


def cases():
    name, lines, expected = None, [], []
    with open(os.path.join(HERE, "race_cases.txt"), encoding="utf-8") as file:
        for line in [*file, "case: end"]:
            line = line.strip()
            if line.startswith("case:"):
                if name:
                    yield name, lines, expected
                name, lines, expected = line[6:], [], []
            elif line.startswith("="):
                expected += [line[2:]] if line != "=" else []
            elif line and not line.startswith("#"):
                lines.append(line)


def main():
    count, bad = 0, 0
    for name, lines, expected in cases():
        count += 1
        got = found(lines)
        if got != expected:
            bad += 1
            print(f"{name}: found {got}, not {expected}")
    print(f"{count} cases, {bad} wrong")
    sys.exit(bad != 0 or count == 0)


main()
