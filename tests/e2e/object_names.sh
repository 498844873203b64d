# SPDX-License-Identifier: GPL-2.0-or-later
# annotate names what dependences are about: every line of tests/programs/scope/names.c that says a name in a comment has
# rows of itself with it, and no row has a name that is wrong; recorded and computed dependences have the same.
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
allocates = {n for n, l in enumerate(lines, 1) if "ALLOCATES" in l}
checked = 0
for number, line in enumerate(lines, 1):
    comment = re.search(r"/\* (.*) \*/$", line)
    if not comment or "ALLOCATES" in line or not line.strip().endswith("*/"): continue
    want = comment[1]
    own = [r for r in rows if r["kind"] == "RAW" and r["source"]["line"] == number == r["target"]["line"]
           and not r["source"]["code"]]
    if want == "local of main":
        own = [r for r in rows if r["ancestor"] == "main" and any(o["name"] == "local" for o in r["objects"])]
        assert own, "local is never named"
        checked += 1
        continue
    if want == "keep:kept":
        own = [r for r in rows if any("kept" in (o["name"] or "") for o in r["objects"])]
    names = {o["name"] for r in own for o in r["objects"]}
    if want == "block of 40 bytes":
        place = next(n for n, l in enumerate(lines, 1) if "ALLOCATES BYTES" in l)
        assert f"block of 40 bytes at names.c:{place}" in names, names
    elif want == "keep:kept":
        assert any("kept" in n for n in names), names
    else:
        assert want in names, (number, want, names)
    checked += 1
assert checked == 10, checked
# Nothing is called after what it is not: every name is one of the source's.
known = {"global", "fixed", "array[…]", "single.right", "grid[…].left", "both.number", "plain", "local", "first", "bytes", "i", "l",
         "sum", "n", "to", "value"}
for r in rows:
    for o in r["objects"]:
        name = o["name"]
        if name is None: continue
        if o["kind"] == "heap":
            size, place = map(int, re.fullmatch(r"block of (\d+) bytes at names\.c:(\d+)", name).groups())
            assert place in allocates and size in (16, 40), name
        elif o["kind"] == "global":
            assert name in known or "kept" in name or "." in name, name
        else:
            assert name.split(" of ")[0] in known, name
assert not any(o["kind"] == "unknown" for r in rows if r["class"] == "o" and not r["source"]["code"] for o in r["objects"])
PYTHON

# Without them.
"$cdrgrind" annotate --format=json --objects=no names.trace >without
! grep -q '"objects"' without || fail "--objects=no"
"$cdrgrind" annotate --color=never --function=main names.trace >text
grep -Eq '^  kind +class +from +to +count +variable$' text || fail "$(cat text)"
grep -Eq '^  RAW +o .* global$' text || fail "$(cat text)"
