# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind patterns`: everything equals a slow count over the dumped events, also over many epochs and of plain traces;
# walks of which all is known, and the advice for them; what is wrong.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

counted() { # TRACE
  "$cdrgrind" dump --format=json "$1" >events
  "$cdrgrind" patterns --format=json "$1" >patterns
  python3 "$top_srcdir/tests/reference/patterns.py" events patterns || fail "$1"
}

record walks "$programs/patterns/walks"
counted walks.trace
record quicksort "$examples/quicksort" --cdr-chunk-blocks=2000
counted quicksort.trace
counted "$top_srcdir/tests/traces/v1/threads.trace"

"$cdrgrind" patterns --format=json walks.trace >walks.json
python3 - walks.json "$top_srcdir/tests/programs/patterns/walks.c" <<'END'
import json, sys
lines = [l for l in json.load(open(sys.argv[1]))["lines"] if l["file"].endswith("walks.c")]
source = open(sys.argv[2]).read().splitlines()

def loads(mark):
    number = next(i for i, l in enumerate(source, 1) if f"/* {mark} */" in l)
    return [i for l in lines if l["line"] == number for i in l["instructions"] if not i["store"] and i["accesses"] > 100]

def load(mark):
    found = loads(mark)
    assert len(found) == 1, (mark, found)
    return found[0]

def kinds(i):
    return [a["kind"] for a in i["advice"]]

def mostly(i, stride):
    """Blocks at the ends of a loop have steps of their own."""
    most = i["strides"][0]
    return most["stride"] == stride and most["count"] > 0.95 * i["accesses"]

row = 640 * 8
i = load("rows")
assert (i["accesses"], i["footprint_bytes"], i["footprint_lines"]) == (64 * 640, 64 * row, 64 * 80), i
assert mostly(i, 8) and kinds(i) == [], i
i = load("columns")
assert (i["accesses"], i["footprint_bytes"]) == (64 * 640, 64 * row), i
assert mostly(i, row), i
assert kinds(i) == ["layout", "prefetch"] and "exchange the loops" in i["advice"][0]["text"], i
i = load("members")
assert mostly(i, 128) and i["footprint_bytes"] == 8000, i
assert kinds(i) == ["layout"] and "4 of its 64 bytes are used" in i["advice"][0]["text"], i
for mark, count in (("unrolled", 8), ("whole", 2), ("pushed", 2)):
    assert len(loads(mark)) == count and all(kinds(i) == [] for i in loads(mark)), (mark, loads(mark))
i = load("masses")
assert kinds(i) == ["layout"] and "8 of its 64 bytes are used" in i["advice"][0]["text"], i
i = load("anywhere")
assert i["accesses"] == 20000 and i["different_strides"] > 1000 and kinds(i) == ["irregular"], i
END

LC_ALL=C.UTF-8 "$cdrgrind" patterns --color=never -n 0 walks.trace >text
has() { grep -qE -- "$1" text || fail "no line like '$1' in: $(grep -A9 walks.c text)"; }
has '^walks\.c:[0-9]+  columns  40,960 accesses, 327,680 bytes in 5,120 lines$'
has '^    load  0x[0-9a-f]+  40,960 of 8 bytes; 327,680 bytes in 5,120 lines, each 1\.0 times$'
has '^        steps 5120: 9[0-9]\.[0-9] %, '
has '^        layout: every step of 5120 bytes is in another line, .*exchange the loops'
"$cdrgrind" patterns -n 1 walks.trace >text
has '^[0-9,]+ more source lines \(-n, --format=json\)$'

# What is walked over: each line of walked.c that says a name in a comment, and no other name.
record walked "$programs/patterns/walked"
counted walked.trace
"$cdrgrind" patterns --format=json walked.trace >walked.json
python3 - walked.json "$top_srcdir/tests/programs/patterns/walked.c" <<'END'
import json, re, sys
lines = [l for l in json.load(open(sys.argv[1]))["lines"] if l["file"].endswith("/walked.c")]
source = open(sys.argv[2], encoding="utf-8").read().splitlines()
place = {m[1]: n for n, l in enumerate(source, 1) if (m := re.search(r"/\* AT (\w+) \*/$", l))}
checked = 0
for number, text in enumerate(source, 1):
    comment = re.search(r"/\* (.*) \*/$", text)
    if not comment or comment[1].startswith(("AT ", "SPDX")): continue
    wanted = [re.sub(r"walked\.c:(\w+)$", lambda m: f"walked.c:{place[m[1]]}", w) for w in comment[1].split(" | ")]
    loads = [i for l in lines if l["line"] == number for i in l["instructions"] if not i["store"] and i["accesses"] + i["frame_accesses"] > 1]
    names = {tuple(o["name"] for o in i["objects"]) for i in loads}
    if wanted == ["MUCH"]: wanted = [f"{c}[…]" for c in "abcdef"]
    assert tuple(wanted) in names, (number, wanted, names)
    # The line of the list also loads where it goes on.
    assert names <= {tuple(wanted), (wanted[0].replace("->value", "->next"),)}, (number, wanted, names)
    checked += 1
assert checked == 7, checked
END
LC_ALL=C.UTF-8 "$cdrgrind" patterns --color=never -n 0 walked.trace >text
has '^        over table\[…\]$'
has '^        over a\[…\] \(28\.6 %\); b\[…\] \(23\.8 %\); c\[…\] \(19\.0 %\); d\[…\] \(14\.3 %\); 2 others$'
has '^        over later\[…\], block at walked\.c:[0-9]+ \(57\.1 %\); first\[…\], block at '
"$cdrgrind" patterns --objects=no --format=json walked.trace >without
! grep -q '"objects"' without || fail "--objects=no"

# What is wrong.
refused 2 'none of text, json' patterns --format=xml walks.trace
refused 2 'cdrgrind patterns --help' patterns -n x walks.trace
refused 3 'cannot be opened' patterns missing.trace
record none "$programs/patterns/walks" --cdr-data=none
refused 3 'recorded with --cdr-data=none' patterns none.trace
