# SPDX-License-Identifier: GPL-2.0-or-later
# Objects of synchronisation are memory: who destroys, initialises or frees one while another thread may use it has a race
# on it, named so; who does it in order has none.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

vg -q --deps=no --cdr-out-file=trace "$programs/races/object_lives"
for way in "" --from-events; do
  expect 1 "$cdrgrind" races --format=json $way trace >all.json
  python3 - all.json <<'END'
import json, re, sys
races = json.load(open(sys.argv[1]))["races"]
def side(s):
    return s.get("operation") or s["access"]
got = {(re.sub(r" at .*", "", r["variable"]), side(r["first"]), side(r["second"])) for r in races}
want = {
    ("wrong_mutex", "mutex-lock", "mutex-destroy"),
    ("wrong_condition", "cond-signal", "cond-destroy"),
    ("wrong_barrier", "barrier-wait", "barrier-destroy"),
    ("wrong_semaphore", "sem-post", "sem-destroy"),
    ("wrong_rwlock", "rw-read-lock", "rw-destroy"),
    ("wrong_spin", "spin-lock", "spin-destroy"),
    ("wrong_init", "mutex-init", "mutex-lock"),
    ("wrong_wait", "mutex-lock", "mutex-destroy"), ("wrong_wait", "mutex-unlock", "mutex-destroy"),
    ("wrong_wait", "cond-timed-wait", "mutex-destroy"),
    ("wrong_block->mutex", "mutex-lock", "write"),
}
assert all(r["labels"]["object"] and r["labels"]["status"] == "root" for r in races), races
allocators = {f["function"] for r in races for f in r["location"].get("allocated", [])[:1]}
assert allocators == {"new_wrong"}, allocators
# Findings are by lines: of several operations in one line the first is the example.
assert got == want, (got - want, want - got)
END
done
ends 1 "$cdrgrind" races trace
grep -qE '^#[0-9]+ wrong_condition  \(root, object\)$' out || fail "$(cat out)"
grep -qE '^    then  cond-destroy by thread [0-9]+, no locks held$' out || fail "$(cat out)"
ends 1 "$cdrgrind" races --format=gcc trace
grep -qE 'object_lives.c:[0-9]+:[0-9]+: warning: data race on wrong_condition: destroyed by thread [0-9]+, and used by' out || fail "$(cat out)"
