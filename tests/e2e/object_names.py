# SPDX-License-Identifier: GPL-2.0-or-later
# object_names.py table MANUAL NAMES OBJECTS    the table of MANUAL has every object of both sources, in their order, each
#                                               with the names that its comment expects
# object_names.py names ROWS NAMES              annotate's rows of names.c have those names, and no others
# object_names.py objects ROWS OBJECTS O0|O2    likewise of objects.cc
import json
import os
import re
import sys

COMMENT = re.compile(r"^ +(\S.*?) *(?:// (.*)|/\* (.*) \*/)$")


class Source:
    """Lines that touch an object, with the names that a comment expects; AT LABEL marks the line of an allocation."""

    def __init__(self, path):
        self.file = os.path.basename(path)
        self.objects, self.labels = [], {}
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            found = COMMENT.match(line.rstrip("\n"))
            if not found:
                continue
            said = found[2] or found[3]
            if said.startswith("AT "):
                self.labels[said[3:]] = number
            else:
                self.objects.append((number, found[1], said.split(" | ")))

    def placed(self, name):
        return re.sub(rf"{self.file}:(\w+)$", lambda m: f"{self.file}:{self.labels[m[1]]}", name)

    def told(self, name):
        return {"NONE": set(), "UNKNOWN": {None}}.get(name, {self.placed(name)})

    def table(self, optimised):
        """What a row says: which object, what is printed, and, where optimised code was tried, what is printed of that."""
        def shown(name):
            words = {"NONE": "none", "UNKNOWN": "unknown"}
            return words.get(name) or "`" + re.sub(rf"{self.file}:\w+$", f"{self.file}:LINE", name) + "`"
        for _, statement, names in self.objects:
            of = statement.split(";")[0].removeprefix("STEP(").removesuffix(")") if statement.startswith("STEP") else re.split(r" [+*]?= ", statement)[0]
            yield "`" + of + "`", shown(names[0]), "" if not optimised or names[-1] == names[0] else shown(names[-1])


def check_table(manual, names, objects):
    _, text = open(manual, encoding="utf-8").read().split("| what | object | printed | optimised |\n", 1)
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in text.split("\n\n", 1)[0].splitlines()[1:]]
    want = [*Source(names).table(False), *Source(objects).table(True)]
    got = [row[1:] for row in rows]
    assert len(want) >= 60, len(want)
    for a, b in zip(got, want):
        assert a == b, f"the manual's row {a}; the source has {b}"
    assert len(got) == len(want), f"{len(got)} rows, {len(want)} objects"


def rows_of(path, file):
    return [r for r in json.load(open(path))["dependences"] if r["source"]["file"].endswith("/" + file)]


def check_names(path, source_path):
    source = Source(source_path)
    rows = rows_of(path, source.file)
    for number, _, (want,) in source.objects:
        own = [r for r in rows if r["kind"] == "RAW" and r["source"]["line"] == number == r["target"]["line"]]
        if want in ("keep::kept", "local"):  # of what calls do
            own = [r for r in rows if r["ancestor"] == "main"]
        names = {o["name"] for r in own for o in r["objects"]}
        assert source.placed(want) in names, (number, want, names)
    assert len(source.objects) == 10, len(source.objects)
    # Nothing is called after what it is not: every name is one of the source's.
    known = {source.placed(names[0]) for _, _, names in source.objects} | {"first", "bytes", "i", "l", "sum", "n", "to", "value"}
    known |= {f"l->{member}, block at names.c:{source.labels['list']}" for member in ("value", "next")}
    for r in rows:
        for o in r["objects"]:
            assert o["name"] is None or re.sub(r" of \w+$", "", o["name"]) in known, o
    assert not any(o["kind"] == "unknown" for r in rows if r["class"] == "o" and not r["source"]["code"] for o in r["objects"])


def check_objects(path, source_path, level):
    source = Source(source_path)
    rows = [r for r in rows_of(path, source.file) if r["kind"] == "RAW" and r["source"]["line"] == r["target"]["line"]]
    exact = 0
    for number, _, wanted in source.objects:
        names = {o["name"] for r in rows if r["source"]["line"] == number for o in r["objects"]}
        if level == "O2":
            # Compilers differ in what they tell; what they tell is no other name.
            assert names <= set.union({None}, *map(source.told, wanted)), (number, wanted, names)
            exact += names == source.told(wanted[-1])
        else:
            assert names == source.told(wanted[0]), (number, wanted, names)
    assert len(source.objects) == 59 and (level == "O0" or exact >= 51), (len(source.objects), exact)


{"table": check_table, "names": check_names, "objects": check_objects}[sys.argv[1]](*sys.argv[2:])
