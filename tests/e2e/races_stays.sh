# SPDX-License-Identifier: GPL-2.0-or-later
# Races that only follow from others: which of them a lock at the root alone would leave (`stays'), how they are listed, and
# what becomes of them when the root is left out.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

vg -q --deps=no --cdr-out-file=trace "$programs/races/stays"
for way in "" --from-events; do
  expect 1 "$cdrgrind" races --format=json $way trace >all.json
  python3 - all.json <<'END'
import json, sys
races = json.load(open(sys.argv[1]))["races"]
got = sorted((r["variable"], r["labels"]["status"], r["labels"]["stays"]) for r in races)
want = [("gone_2", "artifact", False), ("gone_5[1]", "artifact", False), ("gone_6[2]", "artifact", False),
        ("v1", "root", False), ("v2", "root", False), ("v3", "root", False), ("v5", "root", False),
        ("w_1", "artifact", True), ("w_3[1]", "artifact", True), ("w_4[2]", "artifact", True)]
got = sorted(set(got))
assert got == want, got
END
done

# Text: below their root, a line each.
ends 1 "$cdrgrind" races trace
grep -qE '^    2 other races follow from #[0-9]+ ' out || fail "$(cat out)"
grep -qE '^      #[0-9]+ w_1, stays.c:9 and stays.c:10, stays$' out || fail "$(cat out)"
grep -qE '^      #[0-9]+ gone_2, stays.c:14 and stays.c:15$' out || fail "$(cat out)"
ends 1 "$cdrgrind" races --show-artifacts trace
grep -qE '^#[0-9]+ w_1  \(artifact of #[0-9]+, stays\)$' out || fail "$(cat out)"

# The root suppressed, or in the baseline: what stays is a finding of its own, and the root of what follows from it.
python3 - <<'END'
import json
report = json.load(open("all.json"))
json.dump(dict(report, races=[r for r in report["races"] if r["variable"].startswith("v")]), open("roots.json", "w"))
END
cat >left_out.py <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
races = {r["id"]: r for r in report["races"]}
status = {r["variable"]: (r["labels"]["status"], races[r["labels"]["of"]]["variable"] if r["labels"]["of"] else None)
          for r in races.values()}
assert status["w_1"] == ("root", None) and status["w_3[1]"] == ("root", None), status
assert status["w_4[2]"] == ("artifact", "w_3[1]"), status
assert status["gone_2"][0] == "artifact" and status["gone_5[1]"][0] == "artifact", status
assert report["summary"]["roots"] == 2, report["summary"]
END
ends 1 "$cdrgrind" races --format=json --baseline=roots.json trace
python3 left_out.py out
ends 1 "$cdrgrind" races --format=gcc --baseline=roots.json trace
[ "$(grep -c 'warning: data race' out)" = 2 ] || fail "$(cat out)"
