# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind sync`: objects and chart equal a slow count over the dumped events; the chart as text, Mermaid and JSON;
# ranges and objects; what is wrong.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

counted() { # NAME OPTION...
  "$cdrgrind" dump --format=json "$1.trace" >"$1.events"
  "$cdrgrind" sync --format=json "$1.trace" >"$1.json"
  python3 "$top_srcdir/tests/reference/sync.py" "$1.events" "$1.json" "${@:2}" || fail "$1"
}

for name in once annotations timed_waits; do
  record $name "$programs/wrappers/$name"
  counted $name
done
for name in rwlocks semaphores barriers; do
  record $name "$programs/wrappers/$name"
  counted $name --rerun
done
# The same with a thread switch inside every wrapper, and in epochs of a few blocks.
record conditions "$programs/wrappers/conditions" --cdr-test-switch=enter --cdr-chunk-blocks=200
counted conditions
record pipeline "$examples/pipeline"
counted pipeline --rerun

# The chart: what is passed on has an arrow from who gave it, in lanes; places in the source.
LC_ALL=C.UTF-8 "$cdrgrind" sync --color=never pipeline.trace >text
has() { grep -qE -- "$1" "${2-text}" || fail "no line like '$1' in: $(cat "${2-text}")"; }
has '^ +# +1   2   3   4 +thread$'
has '^ {11}├(─|┼)+▶● +starts$'
has '^ +[0-9]+  .*mutex-lock (made|squared)\.lock.* +pipeline\.c:(22|31)$'
has '^ +[0-9]+  .*cond-signal made\.not_empty +pipeline\.c:26$'
has '^squared\.lock  \(mutex\)$'
has '^    [0-9]+ hand-overs between threads: 2 to 3: [0-9]+, 3 to 2: [0-9]+$'
has '^    longest critical section [0-9,]+ instructions, thread [234], from pipeline\.c:[0-9]+; [0-9,]+ in all$'
"$cdrgrind" sync pipeline.trace >ascii
! grep -P '[^\x00-\x7f]' ascii || fail "not plain"
has '^ {11}\+[-+]+>\* +starts$' ascii

# Every thread adds 13 numbers or takes them: each taking and each adding locks once, and waits by hand.
python3 - pipeline.json <<'END'
import json, sys
objects = {o["name"]: o for o in json.load(open(sys.argv[1]))["objects"]}
for queue in "made", "squared":
    waits = objects[queue + ".not_empty"]["acquisitions"] + objects[queue + ".not_full"]["acquisitions"]
    assert objects[queue + ".lock"]["acquisitions"] == 26 + waits, objects[queue + ".lock"]
    assert objects[queue + ".not_empty"]["releases"] == objects[queue + ".not_full"]["releases"] == 13
END

# Ranges and objects. All rows of two halves are those of the whole.
"$cdrgrind" sync --format=json --to-sync=100 pipeline.trace >first
"$cdrgrind" sync --format=json --from-sync=101 pipeline.trace >second
"$cdrgrind" sync --format=json --object=made pipeline.trace >made
python3 - pipeline.json first second made <<'END'
import json, sys
whole, first, second, made = (json.load(open(f)) for f in sys.argv[1:])
assert first["chart"] + second["chart"] == whole["chart"]
assert [o["name"] for o in made["objects"]] == ["made.lock", "made.not_empty", "made.not_full"], made["objects"]
rows = {r["object"] for r in made["chart"]}
assert rows <= {"made.lock", "made.not_empty", "made.not_full"} and "made.lock" in rows, rows
assert made["chart"] == [r for r in whole["chart"] if r.get("object") in rows]
END
address=$(python3 -c 'import json; print(hex([o["address"] for o in json.load(open("made"))["objects"] if o["name"] == "made.lock"][0]))')
"$cdrgrind" sync --object="$address" pipeline.trace >one
has '^made\.lock  \(mutex\)$' one
! grep 'squared' one || fail "--object shows another one"

# Mermaid: participants first, then messages and notes of these only.
"$cdrgrind" sync --format=mermaid --to-sync=300 pipeline.trace >mermaid
python3 - mermaid <<'END'
import re, sys
lines = open(sys.argv[1]).read().splitlines()
assert lines[0] == "sequenceDiagram"
who = set()
messages = 0
for line in lines[1:]:
    if m := re.fullmatch(r"    participant (\w+) as (.+)", line):
        assert not messages
        who.add(m[1])
    elif m := re.fullmatch(r"    (\w+)->>(\w+): [^;#]+", line):
        assert {m[1], m[2]} <= who and m[1] != m[2], line
        messages += 1
    else:
        m = re.fullmatch(r"    Note over (\w+): [^;#]+", line)
        assert m and m[1] in who, line
assert who == {"T1", "T2", "T3", "T4", "M"} and messages > 50, (who, messages)
END

# An object on the heap is called by the pointer to its block, or, in what the C++ library makes, by the block.
record objects "$programs/races/objects"
"$cdrgrind" sync --format=json objects.trace >objects.json
"$cdrgrind" sync objects.trace >text
has 'more rows from event [0-9,]+ on: cdrgrind sync --from-sync=[0-9]+ objects\.trace$'
grep -q '"name":"block of [0-9]* bytes at objects.cc:[0-9]* + [0-9]*"' objects.json || fail "no block of the heap"
grep -q '"name":"steps\[255\]"' objects.json || fail "no object behind a pointer: $(grep -c steps objects.json)"

# Old traces, which are streams of events, and traces without synchronisation.
ends 0 "$cdrgrind" sync "$top_srcdir/tests/traces/v1/threads.trace"
has '\(mutex\)$' out
ends 0 "$cdrgrind" sync "$top_srcdir/tests/traces/v1/hello.trace"

# What is wrong.
refused 3 "no object of synchronisation is called 'nothing'" sync --object=nothing pipeline.trace
refused 3 'there are [0-9]+ synchronisation events, and --from-sync=9999' sync --from-sync=9999 pipeline.trace
refused 2 '--to-sync=3 is before --from-sync=7' sync --from-sync=7 --to-sync=3 pipeline.trace
refused 2 'none of text, mermaid, json' sync --format=xml pipeline.trace
refused 2 'try .cdrgrind sync --help' sync --from-sync=0 pipeline.trace
(mkdir -p empty && cd empty && refused 2 'no FILE, and no trace in this folder' sync)
refused 3 'cannot be opened' sync missing.trace
