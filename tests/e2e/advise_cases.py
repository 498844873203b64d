# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares what `cdrgrind advise --format=json` says of the loops of a source file with what stands at their lines.

    advise_cases.py ADVICE SOURCE O0|O2 known|other

`other`: code of another compiler than the one of which answers with -O2 are known; then only loops that are not parallel are
looked at, whether they are said to be.
"""
import json
import re
import sys

advice, source, level, compiler = sys.argv[1:]
name_of_file = source.rsplit("/", 1)[-1]
expected = {}
function = ""
for number, line in enumerate(open(source), 1):
    defined = re.match(r"\w.*?(\w+)\(.*\{$", line)
    if defined:
        function = defined[1]
    marked = re.search(r"/\* = (\w+) ([^;*]*)(?:; O2 ([^*]*))?\*/", line)
    if marked:
        may_be_parallel = "parallel" in line
        words = (marked[3] if level == "O2" and marked[3] else marked[2]).split()
        depth = (len(line) - len(line.lstrip())) // 2
        expected[number] = (marked[1], words[0], sorted(words[1:]), depth, function, may_be_parallel)

# Code of one loop may be there several times, and then each must be as told; "-": there is none left.
found = {}
for loop in json.load(open(advice))["loops"]:
    if not loop["place"]["file"].endswith("/" + name_of_file):
        continue
    classes = {i["class"] for i in loop["carried"]} - {"induction"}
    if loop["exit_lines"]:
        classes.add("exit")
    # Optimised code may have nothing of the first line.
    lines = [n for n, e in expected.items() if n <= loop["place"]["line"] and e[3:5] == (loop["depth"], loop["place"]["function"])]
    if lines:
        found.setdefault(max(lines), []).append((loop["verdict"], sorted(classes)))

wrong = 0
for number, (name, verdict, classes, _, _, may_be_parallel) in expected.items():
    for said in found.get(number, [("-", [])]):
        if level == "O2" and compiler == "other":
            right = may_be_parallel or said[0] != "parallel"
        else:
            right = said == (verdict, classes)
        if not right:
            print(f"{name_of_file}:{number}: {name} at {level}: {said[0]} {said[1]}, not {verdict} {classes}")
            wrong += 1
print(f"{level}: {len(expected)} loops, {wrong} wrong")
sys.exit(wrong > 0)
