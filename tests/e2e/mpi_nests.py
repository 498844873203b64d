# SPDX-License-Identifier: GPL-2.0-or-later
"""The nests of `cdrgrind mpi --format=json` as the paper writes them: of each class its ranks and its outermost loops,
with the lengths of their parts. ((2)^5 + (2)^5 + 6)^4: four times two loops of five times two calls and six calls."""
import json
import sys


def length(items):
    return sum(1 if isinstance(i, str) else i["count"] * length(i["body"]) for i in items)


def parts(items):
    found, plain = [], 0
    for i in items + [None]:
        if isinstance(i, str):
            plain += 1
            continue
        if plain:
            found.append(str(plain))
        plain = 0
        if i:
            found.append(loop(i))
    return " + ".join(found)


def loop(i):
    return "(%s)^%d" % (parts(i["body"]), i["count"])


for c in json.load(open(sys.argv[1], encoding="utf-8"))["classes"]:
    print("ranks %s, %d calls: %s" % (c["ranks"], length(c["nest"]), parts(c["nest"])))
