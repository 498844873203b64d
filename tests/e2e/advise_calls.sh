# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind advise`: which long calls could run beside what follows them, and where to wait for them.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

record calls "$programs/advise/calls"
"$cdrgrind" advise --format=json --jobs=1 calls.trace >calls.json
"$cdrgrind" advise --format=json --jobs=4 calls.trace | cmp - calls.json || fail "other advice by four threads"
python3 "$top_srcdir/tests/e2e/advise_calls.py" calls.json "$top_srcdir/tests/programs/advise/calls.c" || fail "other spawns"
python3 - calls.json <<'END'
import json, sys
callers = {c["place"]["function"]: c for c in json.load(open(sys.argv[1]))["callers"]}
# Two equal calls side by side take half the time; a tree of depth 3 has 8 equal leaves.
assert 1.9 < callers["two_fills"]["speed_up"] <= 2, callers["two_fills"]
assert 1.9 < callers["two_sums"]["speed_up"] <= 2, callers["two_sums"]
assert 7 < callers["tree"]["speed_up"] <= 8, callers["tree"]
# Of three equal ones two follow each other.
assert 1.49 < callers["anti"]["speed_up"] <= 1.51, callers["anti"]
assert "chain" not in callers and "same_scratch" not in callers, callers.keys()
for c in callers.values():
    assert 1 <= c["run_speed_up"] <= c["speed_up"] + 1e-4 or c["place"]["function"] == "main", c
END

"$cdrgrind" advise --color=never calls.trace >text
has() { grep -qE -- "$1" text || fail "no line like '$1' in: $(cat text)"; }
has '^calls\.c:[0-9]+  two_sums  with 8 threads (1\.9|2\.0) times as fast, the whole run 1\.[0-9] times as fast$'
has '^    spawn line [0-9]+: sum, 1 call, [0-9,]+ instructions; what follows runs beside it; wait before line [0-9]+$'
has '^    spawn line [0-9]+: fill, 3 calls, .* nothing there needs it: wait at the end$'
has '^      both write output: so only if it may come in any order$'

"$cdrgrind" advise --format=sarif calls.trace >calls.sarif
python3 - calls.json calls.sarif <<'END'
import json, sys
callers, run = json.load(open(sys.argv[1]))["callers"], json.load(open(sys.argv[2]))["runs"][0]
spawns = sorted(c["line"] for caller in callers for c in caller["calls"] if c["spawn"])
found = [r for r in run["results"] if r["ruleId"] == "cdr-call-spawn"]
assert sorted(r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in found) == spawns, found
assert sum("wait at the end" in r["message"]["text"] for r in found) >= 2, found
END

# With one thread nothing runs beside anything.
"$cdrgrind" advise --format=json --threads=1 calls.trace >one.json
python3 -c 'import json; assert all(c["speed_up"] == 1 for c in json.load(open("one.json"))["callers"])'
