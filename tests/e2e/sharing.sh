# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind sharing`: everything equals slow counts over the dumped events; what may happen, in programs of which it is
# known, whatever the schedule; two counters in one line and their padded
# twins, a producer and a consumer, of which all is known; what is wrong.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

counted() { # NAME LINE-SIZE
  [ -s "$1.events" ] || "$cdrgrind" dump --format=json "$1.trace" >"$1.events"
  "$cdrgrind" sharing --format=json --all --line-size="$2" "$1.trace" >"$1.all"
  python3 "$top_srcdir/tests/reference/sharing.py" "$1.events" "$1.all" || fail "$1, lines of $2 bytes"
  python3 "$top_srcdir/tests/reference/may_share.py" "$1.events" "$1.all" || fail "$1, lines of $2 bytes: may"
}

record counters "$programs/sharing/counters"
counted counters 64
counted counters 8
record pipeline "$examples/pipeline" --cdr-chunk-blocks=500
counted pipeline 128
record memory "$programs/races/memory"
counted memory 64

# Each of threads 2 and 3 adds 50 times to a counter, in turns; thread 2 passes 50 numbers on to thread 3.
"$cdrgrind" sharing --format=json counters.trace >counters.json
python3 - counters.json "$top_srcdir/tests/programs/sharing/counters.c" <<'END'
import json, re, sys
report = json.load(open(sys.argv[1]))
source = open(sys.argv[2]).read().splitlines()
line_of = lambda text: next(i for i, l in enumerate(source, 1) if text in l)

lines = {p["name"]: l for l in report["lines"] for p in l["parts"]}
beside = lines["beside[0]"]
# The semaphores order all of it, and still the line goes to and fro.
assert beside["may"] == {"true": 0, "false": 0, "threads": [], "pairs": []}, beside["may"]
entry = next(f for f in report["false_sharing"] if f["objects"] == ["beside"])
assert (entry["may"]["false"], entry["false_misses"], entry["lines"]) == (0, 98, 1), entry
assert beside is lines["beside[1]"]
assert beside["misses"] == beside["false_misses"] == 98, beside
assert beside["threads"] == [
    {"thread": t, "loads": 50, "stores": 50, "misses": 49, "false_misses": 49} for t in (2, 3)], beside
assert (beside["upgrades"], beside["updates"]) == (99, 99), beside
parts = [(p["begin"], p["end"], p["name"], p["readers"], p["writers"]) for p in beside["parts"]]
assert parts == [(0, 8, "beside[0]", [2], [2]), (8, 16, "beside[1]", [3], [3])], parts
assert re.search(r"elements of `beside` .* pad each to 64 bytes", entry["fix"]), entry["fix"]
# The padded ones are in no line that two threads touch.
assert not [name for name in lines if name.startswith("apart")], lines.keys()

variables = {v["variable"]: v for v in report["variables"]}
assert "beside[…]" not in variables, "nothing of it is passed on"
mail = variables["mail"]
assert mail["threads"] == [{"thread": 2, "loads": 0, "stores": 50}, {"thread": 3, "loads": 50, "stores": 0}], mail
assert mail["pairs"] == [{"from": 2, "to": 3, "count": 50}] and mail["hand_overs"] == 50, mail
assert (mail["write_runs"], mail["repeated_stores"], mail["read_between"], mail["protocol"]) == (50, 49, 49, "update"), mail
assert lines["mail"]["misses"] == 49 and lines["mail"]["false_misses"] == 0, lines["mail"]
assert not any("mail" in f["objects"] for f in report["false_sharing"]), report["false_sharing"]
passed = {(p["from"]["line"], p["to"]["line"]): p["bytes"] for p in report["passed"]}
assert passed[(line_of("mail = i"), line_of("+= mail"))] == 200, passed
END

LC_ALL=C.UTF-8 "$cdrgrind" sharing --color=never counters.trace >text
has() { grep -qE -- "$1" text || fail "no line like '$1' in: $(cat text)"; }
has '^mail  \(global\)$'
has '^    50 loads by threads 3; 50 stores by 2$'
has '^    50 hand-overs: 2 to 3: 50$'
has '^    50 write runs of 1\.0 stores; of 49 repeated stores 49 were read in between: update$'
has '^    may happen: no: what orders the threads keeps them apart$'
has '^    happened: 98 misses, 98 of them for nothing; messages: 199 to invalidate, 101 to update$'
has '^    bytes   0 to   7  beside\[0\]  stored by 2, loaded by 2$'
has '^    fix: elements of `beside` belong to different threads: pad each to 64 bytes \(alignas\(64\) on its type\)$'
has '^           200 bytes  counters\.c:[0-9]+ -> counters\.c:[0-9]+$'
# In lines of 8 bytes nothing of it is left.
"$cdrgrind" sharing --line-size=8 counters.trace >text
! grep -q 'beside' text || fail "false sharing in lines of the counters' size"

# Fourteen programs in one: the same is found however long the threads' turns are.
planted() { # NAME OPTION... -- ARGUMENT...
  local name=$1 options=()
  shift
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  vg -q --deps=no --cdr-out-file="$name.trace" ${options[@]+"${options[@]}"} "$programs/sharing/planted" "$@"
  "$cdrgrind" sharing --format=json --scope=program "$name.trace" >"$name.json"
}
planted turns --
planted fair --fair-sched=try --
planted yields -- yield
counted turns 64
python3 - turns.json fair.json yields.json <<'END'
import json, sys
# By objects: false sharing of the pair of threads, and what to do; a counter that is added to is loaded and stored.
want_false = {
    ("counters",): (120, "elements of `counters` belong to different threads: pad each to 64 bytes (alignas(64) on its type)"),
    ("cache",): (120, "members of `cache` belong to different threads: give `cache.hits` and `cache.misses` lines of "
                      "their own, alignas(64)"),
    ("left_sum", "right_sum"): (120, "different variables: give `left_sum` and `right_sum` lines of their own, alignas(64)"),
    ("sums",): (120, "one heap block: pad what each thread stores in it to 64 bytes (alignas(64) on its type)"),
    ("beats", "limit"): (60, None),
    ("mixed",): (240, "elements of `mixed` belong to different threads: pad each to 64 bytes (alignas(64) on its type)"),
}
want_true = {"common": (120, ["common"]), "point": (240, ["point.x", "point.y"]), "mixed": (120, ["mixed.total"])}
for name in sys.argv[1:4]:
    report = json.load(open(name))
    found = {tuple(f["objects"]): (f["may"]["false"], f["fix"]) for f in report["false_sharing"] if f["may"]["false"]}
    assert found == want_false, (name, found)
    found = {t["object"]: (t["may"]["true"], sorted(t["variables"])) for t in report["true_sharing"]}
    assert found == want_true, (name, found)
    assert report["summary"]["may_false"] >= sum(n for n, _ in want_false.values()), report["summary"]
    # Padded and ordered twins: nothing happens, either.
    named = {o for f in report["false_sharing"] for o in f["objects"]}
    assert named == {o for objects in want_false for o in objects}, (name, named)
END

# What memset does in a routine that pthread_once calls, it does for the program.
record once "$programs/sharing/once"
"$cdrgrind" sharing --format=json once.trace >once.json
python3 - once.json <<'END'
import json, sys
filled = [v for v in json.load(open(sys.argv[1]))["variables"] if v["variable"].startswith("filled")]
assert [v["pairs"] for v in filled] == [[{"from": 2, "to": 1, "count": 1}]], filled
END

# Memory that was given back is what it was.
record given_back "$programs/sharing/given_back"
"$cdrgrind" sharing --format=json given_back.trace >given_back.json
python3 - given_back.json <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
lines = [l for l in report["lines"] if l["misses"]]
assert len(lines) == 1 << 13, len(lines)
assert {p["name"].split("[")[0] for l in lines for p in l["parts"]} == {"table"}, lines[0]
END

# Old traces.
ends 0 "$cdrgrind" sharing "$top_srcdir/tests/traces/v1/threads.trace"

# A table that is only loaded is handed over by nobody; two lines are one row, whatever functions stand in them.
if command -v "${CXX:-g++}" >/dev/null; then
  cat >started.cc <<'END'
#include <thread>
static void work(int) {}
int main() {
  std::thread a(work, 1), b(work, 2);
  a.join();
  b.join();
}
END
  "${CXX:-g++}" -g -O0 -pthread -o started started.cc
  record started ./started
  "$cdrgrind" sharing -n 0 started.trace >text
  ! grep -qE 'vtable|0 stores by none' text || fail "only loaded: $(cat text)"
  rows=$(sed -n '/^-- From line/,$s/^ *[0-9,]* bytes  //p' text)
  [ -n "$rows" ] && [ -z "$(sort <<<"$rows" | uniq -d)" ] || fail "rows twice: $(cat text)"
fi

# What is wrong.
refused 2 "'48' is no power of 2 from 8 to 256" sharing --line-size=48 counters.trace
refused 2 "none of text, json" sharing --format=xml counters.trace
refused 3 'cannot be opened' sharing missing.trace
record none "$programs/sharing/counters" --cdr-data=none
refused 3 'recorded with --cdr-data=none' sharing none.trace
