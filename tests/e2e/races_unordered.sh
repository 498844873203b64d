# SPDX-License-Identifier: GPL-2.0-or-later
# A matrix decomposition without its barriers: very many races, one finding for each pair of lines and variable, and
# one entry for each pair of instructions. All accesses of the two threads are concurrent, so nothing depends on the run.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"
command -v python3 >/dev/null || skip "no python3"

sed '/^ *wait_for_all();$/d' "$top_srcdir/tests/bench/programs/lu.c" >unordered.c
"$CC" -g -O1 -pthread -I"$top_srcdir" -o unordered unordered.c
vg -q --deps=no --cdr-dataflow=no --cdr-chunk-blocks=10000 --cdr-out-file=unordered.out ./unordered -q -n 64 -t 2 \
  >/dev/null || true
both_ways 1 cut unordered.out
vg -q --deps=no --cdr-dataflow=no --cdr-out-file=unordered.out ./unordered -q -n 64 -t 2 >/dev/null || true
both_ways 1 unordered unordered.out

python3 - <<'P' >numbers || fail "$(cat numbers)"
import json
findings = json.load(open("unordered.json"))["races"]
lines = [(f["variable"].split("[")[0], f["first"]["line"], f["second"]["line"]) for f in findings]
instances = sum(f["instances"] for f in findings)
print(f"{instances} instances, {len(findings)} findings")
assert len(set(lines)) == len(lines), lines
assert instances > 10000 * len(findings)
assert len(findings) <= 40
P
cat numbers
