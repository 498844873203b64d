# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind sync` finds barriers that are made of a mutex and a condition, with rounds, threads and lines; what looks
# like one and is none, it does not take for one: queues, gates, turns, a wait for the last.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

meeting() { # CASE OPTION...
  local name=$1
  shift
  vg -q --deps=no --cdr-out-file="$name.trace" "$@" "$programs/sync/meetings" "$name" >/dev/null
  "$cdrgrind" sync --scope=program --format=json "$name.trace" >"$name.json"
}

for name in made mixed macro library; do
  meeting $name
  python3 - $name.json "$top_srcdir/tests/programs/sync/meetings.cc" $name <<'END'
import json, sys
doc = json.load(open(sys.argv[1]))
source = open(sys.argv[2]).read().splitlines()
name = sys.argv[3]
(b,) = doc["barriers"]
assert b["kind"] == "mutex and condition", b
assert (b["rounds"], b["threads_least"], b["threads_most"]) == (4, 3, 3), b
assert sum(t["rounds"] for t in b["last"]) == 4 and {t["thread"] for t in b["last"]} <= {2, 3, 4}, b
variable, mutex = ("meeting.all_", "meeting.mutex_") if name == "library" else ("go", "lock")
assert b["name"].endswith(variable) and b["mutex"].endswith(mutex), b
lines = {source[p["line"] - 1].strip(): p["rounds"] for p in b["at"]}
want = {"made": "pthread_mutex_lock(&lock);", "mixed": "pthread_mutex_lock(&lock);",
        "library": "std::unique_lock<std::mutex> hold(mutex_);"}
if name == "macro":
    assert sorted(p["rounds"] for p in b["at"]) == [2, 2] and set(lines) == {"MEET;"}, b["at"]
else:
    assert lines == {want[name]: 4}, lines
assert b["insns_would_wait"] > 0, b
END
done
for name in queue slot swap gate turns done; do
  meeting $name
  python3 -c 'import json, sys
barriers = json.load(open(sys.argv[1]))["barriers"]
assert barriers == [], barriers' $name.json || fail "$name is taken for a barrier"
done

# Without addresses it cannot be seen where threads are counted; the rest is the same. With switches in the wrappers, in
# epochs of a few blocks, and in a trace that is no compact one.
for options in --cdr-data=none "--cdr-test-switch=leave --cdr-chunk-blocks=100"; do
  # shellcheck disable=SC2086
  meeting made $options
  grep -q '"kind":"mutex and condition".*"rounds":4,' made.json || fail "$options: $(grep -A3 '"barriers"' made.json)"
  # shellcheck disable=SC2086
  meeting swap $options
done
[ "$(grep -c '"kind":"mutex and condition"' swap.json)" = 0 ] || fail "swap with switches"

# In text: a section of its own, and the chart says what is ready and what goes.
LC_ALL=C.UTF-8 "$cdrgrind" sync --color=never library.trace >text
has() { grep -qE -- "$1" text || fail "no line like '$1' in: $(cat text)"; }
has '^.*meeting\.all_ with .*meeting\.mutex_  \(made of a mutex and a condition\)$'
has '^    4 rounds of 3 threads at meetings\.cc:[0-9]+$'
has '^    last to come: thread .*; the others would wait [0-9,]+ instructions$'
has 'cond-wait .*meeting\.all_: ready, gives .*meeting\.mutex_ '
has 'cond-wait .*meeting\.all_: go, has .*meeting\.mutex_, from '
has 'cond-broadcast .*meeting\.all_: all are there '
has '^.*meeting\.all_  \(condition of a barrier\)$'

# The library's barriers are told alike.
record barriers "$programs/wrappers/barriers"
"$cdrgrind" sync --format=json barriers.trace >barriers.json
python3 - barriers.json <<'END'
import json, sys
doc = json.load(open(sys.argv[1]))
passes = {o["address"]: o["acquisitions"] for o in doc["objects"] if o["kind"] == "barrier"}
told = {b["address"]: b for b in doc["barriers"]}
assert told and all(b["kind"] == "barrier" for b in told.values())
for address, b in told.items():
    assert b["threads_least"] == b["threads_most"] and b["rounds"] * b["threads_most"] == passes[address], (b, passes)
END
