# SPDX-License-Identifier: GPL-2.0-or-later
# A use of a block behind its free is a bug also where the two are in order: with the stacks of the use, the free and the
# allocation, until the address is allocated anew.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

vg -q --deps=no --cdr-out-file=trace "$programs/races/freed"
for way in "" --from-events; do
  expect 1 "$cdrgrind" races --format=json $way trace >all.json
  python3 - all.json <<'END'
import json, re, sys
races = json.load(open(sys.argv[1]))["races"]
assert all(r["labels"]["ordered"] and r["labels"]["after_free"] and r["labels"]["status"] == "root" for r in races), races
def functions(stack):
    return [f["function"] for f in stack]
got = sorted((r["variable"], r["second"]["access"], r["instances"]) for r in races)
want = [("wrong_read->x[7]", "read", 1), ("wrong_self->x[7]", "read", 1), ("wrong_write->x[10]", "write", 5)]
assert got == want, got
for r in races:
    assert functions(r["location"]["allocated"])[0] == "main", r["location"]
    second = functions(r["second"]["stack"])[0]
    assert second.startswith("wrong_") and second.endswith("_2"), second
    assert any(f.startswith("wrong_") for f in functions(r["first"]["stack"])), r["first"]
own = [r for r in races if "wrong_self" in r["variable"]]
assert own[0]["first"]["thread"] == own[0]["second"]["thread"], own
END
done
ends 1 "$cdrgrind" races trace
grep -qE '^#[0-9]+ wrong_read->x\[7\] .*\(root, use after free\)$' out || fail "$(cat out)"
ends 1 "$cdrgrind" races --format=gcc trace
[ "$(grep -c 'warning: use after free of wrong_[a-z]*->x.*\[cdr-use-after-free\]$' out)" = 3 ] || fail "$(cat out)"
