# SPDX-License-Identifier: GPL-2.0-or-later
# diff_pairs.py make SOURCE TO CASE: the source with the change that the case is.
# diff_pairs.py check CASE JSON OLD NEW: what diff says of it; the change, and nothing else.
import json
import os
import re
import sys

# What is put in place of what, in the source.
EDITS = {
    "more": [("void walk(int n", "void extra(int i) {\n  out[i]++;  // extra\n}\n\n"
              "__attribute__((noinline)) void walk(int n"),
             ("      step(i);  // here\n", "      step(i);  // here\n    extra(i);  // called\n")],
    "less": [("      other(i);  // there\n", "      ;\n"), ("void other(int i) {\n  out[i] = 5 * i;  // other\n}\n", "void other(int i);\n")],
    "longer": [("i < n; i++) {  // walk", "i < n + 4; i++) {  // walk")],
    "branch": [("if (i == way)", "if (i == 7)")],
    "dependence": [("data[i] = i;", "data[i] = data[i - 1] + 1;")],
    "optimised": [],
    "compiler": [],
    "shifted": [("#include <stdio.h>\n", "// A comment\n\n#include <stdio.h>\n"), ("  fill(N);\n", "\n  // Fills.\n  fill(N);\n")],
    "indented": [("  fill(N);\n", "\tfill(N);\n")],
    "renamed": [("step(int i)", "stride(int i)"), ("step(i)", "stride(i)")],
    "unlocked": [("    pthread_mutex_lock(&lock);  // locks\n", ""), ("    pthread_mutex_unlock(&lock);  // unlocks\n", "")],
}


def edit(source, case):
    for old, new in EDITS.get(case, []):
        assert old in source, (case, old)
        source = source.replace(old, new)
    return source


class Diff:
    def __init__(self, path, old, new):
        self.d = json.load(open(path))
        assert self.d["schema"] == "cdrgrind.diff/1"
        self.old, self.new = open(old).read().split("\n"), open(new).read().split("\n")

    # The line with // NAME, in the new source.
    def line(self, name, source=None):
        found = [i + 1 for i, l in enumerate(source or self.new) if re.search(r"// %s$" % name, l)]
        assert len(found) == 1, (name, found)
        return found[0]

    def lines(self, table, kind="line"):
        return {r["line"] for r in self.d["control"][table] if r["kind"] == kind}

    def functions(self, table):
        return {r["function"].split("(")[0] for r in self.d["control"][table] if r["kind"] == "function"}

    def counts(self):
        return {(r["function"].split("(")[0] if r["kind"] == "function" else r["line"]): (r["old"], r["new"])
                for r in self.d["control"]["counts"]}

    # (last line, old line, new line) of each thread.
    def parted(self):
        at = lambda s: s and s["line"]
        return [(at(r["new_last"]), at(r["old"]), at(r["new"])) for r in self.d["control"]["divergence"]]

    def rows(self, name):
        return {(r["kind"], r["source"]["line"], r["target"]["line"]) for r in self.d["dependences"][name]}

    # Every row that came or went has an end at one of these lines, which are the new source's; of what went the old one's.
    def rows_at(self, came, went=()):
        for name, lines in (("came", came), ("went", went)):
            for r in self.rows(name):
                assert r[1] in lines or r[2] in lines, (name, r, lines)

    # All that differs, but for what is named.
    def nothing_but(self, *parts):
        assert self.d["differs"] == list(parts), (self.d["differs"], parts)
        control = self.d["control"]
        for part, tables in (("paths", [control["only_old"], control["only_new"], control["divergence"]]),
                             ("counts", [control["counts"]]),
                             ("dependences", list(self.d["dependences"].values())),
                             ("carried", list(self.d["carried"].values())), ("races", list(self.d["races"].values()))):
            if part not in parts:
                assert not any(tables), (part, tables)


def same(d):
    d.nothing_but()


def argument(d):  # the new run has 7 as its argument
    assert d.d["same_binary"]
    # It is asked first whether there is an argument.
    assert d.parted() == [(d.line("way"), d.line("way"), d.line("way"))], d.parted()
    assert d.functions("only_new") == {"other"} and d.lines("only_new") == {d.line("there")}
    assert not d.d["control"]["only_old"]
    assert set(d.counts()) == {"step", d.line("here"), d.line("step") - 1, d.line("step"), d.line("step") + 1}
    assert set(d.counts().values()) == {(40, 39)}
    d.rows_at({d.line("other"), d.line("other") - 1, d.line("there")})
    d.nothing_but("paths", "counts", "dependences")


def more(d):
    assert not d.d["same_binary"] and d.d["same_build"]
    assert d.functions("only_new") == {"extra"} and d.lines("only_new") == {d.line("called")}
    assert not d.d["control"]["only_old"] and not d.counts(), d.counts()
    assert len(d.parted()) == 1 and d.parted()[0][2] == d.line("called"), d.parted()
    assert d.parted()[0][1] == d.line("here", d.old), d.parted()
    ends = {l for _, a, b in d.rows("came") for l in (a, b)}
    assert d.line("called") in ends and not d.rows("went"), (d.rows("came"), d.rows("went"))
    d.rows_at({d.line("called"), d.line("extra"), d.line("extra") - 1})
    d.nothing_but("paths", "dependences")


def less(d):
    assert d.d["control"]["divergence"] == [] and not d.d["control"]["counts"], d.d["control"]
    d.nothing_but()  # it was never called


def longer(d):
    inner = {d.line("step") - 1, d.line("step"), d.line("step") + 1, d.line("here"), d.line("choice"), d.line("here") + 1}
    counts = d.counts()
    assert {k for k in counts if k != "step"} - inner == {d.line("walk")}, counts
    assert counts[d.line("walk")] == (41, 45) and counts["step"] == (40, 44), counts
    assert {counts[k] for k in counts if k in inner} == {(40, 44)}, counts
    assert d.parted()[0][2] == d.line("here"), d.parted()
    d.nothing_but("paths", "counts")


def branch(d):
    assert d.functions("only_new") == {"other"} and d.lines("only_new") == {d.line("there")}
    assert not d.d["control"]["only_old"] and set(d.counts().values()) == {(40, 39)}
    assert d.parted()[0][1:] == (d.line("here"), d.line("there")), d.parted()
    d.rows_at({d.line("other"), d.line("other") - 1, d.line("there")}, {d.line("choice", d.old)})  # it does not ask for `way` any more
    d.nothing_but("paths", "counts", "dependences")


def dependence(d):
    e = d.line("element")
    assert ("RAW", e, e) in d.rows("came"), d.rows("came")
    ends = {l for _, a, b in d.rows("came") | d.rows("went") for l in (a, b)}
    assert ends <= {e, d.line("fill"), d.line("fill") - 1}, ends
    verdicts = [(v["loop"]["line"], v["old"], v["new"], v["worse"]) for v in d.d["carried"]["verdicts"]]
    assert len(verdicts) == 1 and verdicts[0][:2] == (d.line("fill"), "parallel") and verdicts[0][3], verdicts
    assert [(i["loop"]["line"], i["object"].split("[")[0], i["class"]) for i in d.d["carried"]["came"]] == [
        (d.line("fill"), "data", "recurrence")], d.d["carried"]
    assert not d.d["carried"]["went"]
    d.nothing_but("dependences", "carried")


def dependence_gone(d):
    e = d.line("element")
    assert ("RAW", e, e) in d.rows("went"), d.rows("went")
    verdicts = [(v["loop"]["line"], v["new"], v["worse"]) for v in d.d["carried"]["verdicts"]]
    assert verdicts == [(d.line("fill"), "parallel", False)], verdicts
    assert [i["class"] for i in d.d["carried"]["went"]] == ["recurrence"] and not d.d["carried"]["came"]
    d.nothing_but("dependences", "carried")


def built_otherwise(d):
    assert not d.d["same_build"] and d.d["old"]["compilers"] != d.d["new"]["compilers"]
    assert {n["part"] for n in d.d["not_compared"]} == {"dependences", "carried"}
    d.nothing_but()


def renamed(d):
    assert d.functions("only_old") == {"step"} and d.functions("only_new") == {"stride"}
    assert not d.lines("only_old") and not d.lines("only_new"), d.d["control"]
    assert not d.counts()
    d.rows_at({d.line("step"), d.line("here")}, {d.line("step", d.old), d.line("here", d.old)})
    d.nothing_but("paths", "dependences")


# What the loop carries is of the counter and its lock.
def only_counter(d):
    assert {i["object"] for name in ("came", "went") for i in d.d["carried"][name]} <= {"counter", "lock"}, d.d["carried"]


def unlocked(d):
    assert [r["variable"] for r in d.d["races"]["new"]] == ["counter"] and not d.d["races"]["gone"], d.d["races"]
    assert {r["first"]["line"] for r in d.d["races"]["new"]} == {d.line("adds")}
    assert d.lines("only_old") == {d.line("locks", d.old), d.line("unlocks", d.old)}, d.lines("only_old")
    assert not d.d["control"]["only_new"]
    only_counter(d)


def locked(d):
    assert [r["variable"] for r in d.d["races"]["gone"]] == ["counter"] and not d.d["races"]["new"], d.d["races"]
    assert d.lines("only_new") == {d.line("locks"), d.line("unlocks")}, d.lines("only_new")
    assert not d.d["control"]["only_old"]
    only_counter(d)


# Only the schedule is another one.
def schedule(d):
    found = d.d["control"]["divergence"]
    assert found and all(r["schedule"] for r in found), found
    assert not d.d["control"]["only_old"] and not d.d["control"]["only_new"], d.d["control"]
    assert not any(d.d["races"].values()), d.d["races"]
    assert "paths" not in d.d["differs"] and "races" not in d.d["differs"], d.d["differs"]


def main():
    if sys.argv[1] == "make":
        source, to, case = sys.argv[2:]
        os.makedirs(os.path.dirname(to), exist_ok=True)
        open(to, "w").write(edit(open(source).read(), case))
        return
    case, path, old, new = sys.argv[2:]
    try:
        globals()[case](Diff(path, old, new))
    except AssertionError:
        print("%s: %s" % (case, open(path).read()[:20000]), file=sys.stderr)
        raise


main()
