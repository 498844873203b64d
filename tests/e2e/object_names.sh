# SPDX-License-Identifier: GPL-2.0-or-later
# annotate names what dependences are about: every line of tests/programs/scope/names.c and objects.cc that says a name in
# a comment has rows of itself with it, and with no other name; recorded and computed dependences have the same.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

source=$top_srcdir/tests/programs/scope/names.c
vg -q --cdr-out-file=names.trace "$programs/scope/names" >/dev/null
"$cdrgrind" annotate --format=json names.trace >recorded
"$cdrgrind" annotate --format=json --from-trace --jobs=3 names.trace >computed
cmp recorded computed || fail "computed dependences have other names"
python3 - recorded "$source" <<'PYTHON'
import json, re, sys
rows = [r for r in json.load(open(sys.argv[1]))["dependences"] if r["source"]["file"].endswith("/names.c")]
lines = open(sys.argv[2], encoding="utf-8").read().splitlines()
place = {word: next(n for n, l in enumerate(lines, 1) if l.endswith(f"/* {word} */"))
         for word in ("ALLOCATES", "ALLOCATES BYTES")}
known_as = {"keep:kept": "keep::kept", "local of main": "local", "plain": "plain[…]",
            "block of 40 bytes": f"bytes[…], block at names.c:{place['ALLOCATES BYTES']}"}
checked = 0
for number, line in enumerate(lines, 1):
    comment = re.search(r"/\* (.*) \*/$", line)
    if not comment or "ALLOCATES" in line: continue
    own = [r for r in rows if r["kind"] == "RAW" and r["source"]["line"] == number == r["target"]["line"]]
    names = {o["name"] for r in own for o in r["objects"]}
    want = known_as.get(comment[1], comment[1])
    if want in ("keep::kept", "local"):  # of what calls do
        names = {o["name"] for r in rows if r["ancestor"] == "main" for o in r["objects"]}
    assert want in names, (number, want, names)
    checked += 1
assert checked == 10, checked
# Nothing is called after what it is not: every name is one of the source's.
known = {"global", "fixed", "array[…]", "single.right", "grid[…].left", "both.number", "keep::kept", "plain[…]", "local",
         "first", "bytes", "i", "l", "sum", "n", "to", "value", known_as["block of 40 bytes"]}
known |= {f"l->{member}, block at names.c:{place['ALLOCATES']}" for member in ("value", "next")}
for r in rows:
    for o in r["objects"]:
        assert o["name"] is None or re.sub(r" of \w+$", "", o["name"]) in known, o
assert not any(o["kind"] == "unknown" for r in rows if r["class"] == "o" and not r["source"]["code"] for o in r["objects"])
PYTHON

# Objects of all kinds, not optimised and optimised.
for level in O0 O2; do
  vg -q --cdr-out-file=$level.trace "$programs/scope/objects_$level"
  "$cdrgrind" annotate --format=json $level.trace >$level.json
  python3 - $level.json "$top_srcdir/tests/programs/scope/objects.cc" $level <<'PYTHON'
import json, re, sys
rows = [r for r in json.load(open(sys.argv[1]))["dependences"]
        if r["kind"] == "RAW" and r["source"]["file"].endswith("/objects.cc") and r["source"]["line"] == r["target"]["line"]]
lines = open(sys.argv[2], encoding="utf-8").read().splitlines()
place = {m[1]: n for n, l in enumerate(lines, 1) if (m := re.search(r"// AT (\w+)$", l))}
optimised = sys.argv[3] == "O2"
checked = exact = 0
for number, line in enumerate(lines, 1):
    comment = re.search(r"// (.*)$", line)
    if not comment or line.startswith("//") or comment[1].startswith("AT "): continue
    wanted = [re.sub(r"objects\.cc:(\w+)$", lambda m: f"objects.cc:{place[m[1]]}", w) for w in comment[1].split(" | ")]
    names = {o["name"] for r in rows if r["source"]["line"] == number for o in r["objects"]}
    told = lambda w: set() if w == "NONE" else {None if w == "UNKNOWN" else w}
    if optimised:
        # Compilers differ in what they tell; what they tell is no other name.
        assert names <= set.union({None}, *map(told, wanted)), (number, wanted, names)
        exact += names == told(wanted[-1])
    else:
        assert names == told(wanted[0]), (number, wanted, names)
    checked += 1
assert checked == 54 and (not optimised or exact >= 46), (checked, exact)
PYTHON
done

# Races and sharing have the same names.
vg -q --deps=no --cdr-out-file=races.trace "$programs/sharing/planted"
"$cdrgrind" races --format=json races.trace >races.json || :
"$cdrgrind" sharing --format=json races.trace >sharing.json
grep -q '"sums\[' sharing.json || fail "a block of the heap has no name"

# Without them.
"$cdrgrind" annotate --format=json --objects=no names.trace >without
! grep -q '"objects"' without || fail "--objects=no"
"$cdrgrind" annotate --color=never --function=main names.trace >text
grep -Eq '^  kind +class +from +to +count( +from earlier)? +variable$' text || fail "$(cat text)"
grep -Eq '^  RAW +o .* global$' text || fail "$(cat text)"

# Functions, those in which most is passed on first.
"$cdrgrind" annotate --color=never --summary names.trace >text
grep -Eq '^ +RAW +of calls +WAR +WAW  function, its most frequent RAW$' text || fail "$(cat text)"
grep -Eq '^ +[0-9,]+ +[0-9,]+ +[0-9,]+ +[0-9,]+  main  \(names\.c:[0-9]+ to [0-9]+' text || fail "$(cat text)"
refused 2 'summary is text' annotate --summary --format=json names.trace
