# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints the source with the lines for OpenMP that `cdrgrind advise --format=json` found, of nested loops the outermost.

    advise_pragmas.py ADVICE SOURCE
"""
import json
import sys

advice, source = sys.argv[1:]
lines = {}
for loop in json.load(open(advice))["loops"]:
    if loop["place"]["file"].endswith("/" + source.rsplit("/", 1)[-1]) and loop["pragma"]:
        lines[loop["place"]["line"]] = (loop["last_line"], loop["pragma"])
inside = 0
for number, line in enumerate(open(source), 1):
    if number in lines and number > inside:
        inside, pragma = lines[number]
        print(pragma)
    print(line, end="")
