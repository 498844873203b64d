# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints the source with the lines for OpenMP that `cdrgrind advise --format=json' found, of nested loops the outermost.

    advise_pragmas.py ADVICE SOURCE [naive]

naive: instead a plain `parallel for' at the counted loops that the program's own memory keeps from being parallel; all
lines keep their numbers.
"""
import json
import re
import sys

advice, source = sys.argv[1:3]
NAIVE = "naive" in sys.argv[3:]
COUNTED = re.compile(r"\s*for \(int (\w+) = [^;]+; \1 [<>]=? [^;]+; \1[^;]*\)")


def is_blocked(loop):
    """By a dependence through memory; what libraries and the system keep is not the program's."""
    blocking = [i["object"] for i in loop["carried"] if i["class"] in ("recurrence", "anti")]
    return (loop["verdict"] in ("pipeline", "sequential") and not loop["exit_lines"] and not loop["irregular"] and
            any(o != "input" and not o.startswith("what ") for o in blocking))


lines = {}
for loop in json.load(open(advice))["loops"]:
    if not loop["place"]["file"].endswith("/" + source.rsplit("/", 1)[-1]):
        continue
    if NAIVE and is_blocked(loop):
        lines[loop["place"]["line"]] = (loop["last_line"], '_Pragma("omp parallel for")')
    if not NAIVE and loop["pragma"]:
        lines[loop["place"]["line"]] = (loop["last_line"], loop["pragma"] + "\n")
inside = 0
for number, line in enumerate(open(source), 1):
    if number in lines and number > inside and (not NAIVE or COUNTED.match(line)):
        inside, pragma = lines[number]
        print(pragma, end="")
    print(line, end="")
