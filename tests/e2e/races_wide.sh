# SPDX-License-Identifier: GPL-2.0-or-later
# Accesses that cover several variables: a race is called by all that both accesses have in common, in every format.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

vg -q --deps=no --cdr-out-file=wide.out "$programs/races/wide"
expect 1 "$cdrgrind" races --format=json wide.out >wide.json
python3 - wide.json >names <<'END'
import json, sys
for race in json.load(open(sys.argv[1]))["races"]:
    several = race.get("variables")
    assert several is None or len(several) > 1 and several[0] == race["variable"], race
    print(", ".join(several or [race["variable"]]))
END
sort names >sorted
cat >expected <<'END'
cells[…]
gaps.letter, gaps.number, gaps.sum
pairs[…].left, pairs[…].right
three.second
times.end
tnow, tout
END
LC_ALL=C sort expected | diff - sorted || fail "other names"

expect 1 "$cdrgrind" races --color=never wide.out >text
grep -q '^#[0-9]* tnow, tout  (root' text || fail "text: $(grep '^#' text)"
expect 1 "$cdrgrind" races --format=gcc wide.out >gcc
grep -q 'warning: data race on tnow, tout: ' gcc || fail "gcc: $(cat gcc)"
expect 1 "$cdrgrind" races --format=sarif wide.out >sarif
python3 "$top_srcdir/tests/reference/sarif.py" sarif wide.json || fail "SARIF"
python3 - sarif <<'END'
import json, sys
results = json.load(open(sys.argv[1]))["runs"][0]["results"]
[one] = [r for r in results if r["properties"]["variable"] == "tnow"]
assert one["properties"]["variables"] == ["tnow", "tout"] and "tnow, tout" in one["message"]["text"], one
END
expect 1 "$cdrgrind" races --format=xml wide.out >xml
python3 "$top_srcdir/tests/reference/valgrind_xml.py" xml wide.json || fail "XML"
grep -q '<auxwhat>both accesses cover tnow, tout</auxwhat>' xml || fail "XML: no names"
# What is known by the first name stays known.
expect 0 "$cdrgrind" races --format=json --baseline=wide.json wide.out >known.json
