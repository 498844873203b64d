# SPDX-License-Identifier: GPL-2.0-or-later
"""annotate_carried.py ANNOTATE.json ADVISE.json: of memory, rows are carried by a loop with the distances that advise
has, and no others are."""
import json
import sys

rows = json.load(open(sys.argv[1]))["dependences"]
loops = json.load(open(sys.argv[2]))["loops"]


def add(spans, key, by):
    least, greatest = spans.get(key, (by["least"], by["greatest"]))
    spans[key] = min(least, by["least"]), max(greatest, by["greatest"])


# By kind, lines of the ends and the loop's.
annotated, advised = {}, {}
for row in rows:
    for by in row["carried"]:
        add(annotated, (row["kind"], row["source"]["line"], row["target"]["line"], by["loop"]["line"]), by)
for loop in loops:
    for item in loop["carried"]:
        if "register" in item["object"] or item["object"] in ("output", "input", "the process's state"):
            continue
        for row in item["rows"]:
            add(advised, (row["kind"].upper(), row["source"]["line"], row["target"]["line"], loop["place"]["line"]), row)
assert annotated and advised
only = {key: span for key, span in annotated.items() if advised.get(key) != span}
assert not only, f"annotate only: {only}"
lacking = {key: span for key, span in advised.items() if annotated.get(key) != span}
assert not lacking, f"advise only: {lacking}"
print(len(annotated), "rows by line and loop")
