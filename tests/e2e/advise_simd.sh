# SPDX-License-Identifier: GPL-2.0-or-later
# Loops under `omp simd': what the run did that lanes may not do.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
source=$top_srcdir/tests/programs/advise/simd.c

for level in -O0 -O2; do
  "$CC" -std=gnu11 -g $level -fopenmp -w -o simd "$source"
  record simd ./simd
  "$cdrgrind" advise --format=json simd.trace >simd.json
  python3 - simd.json $level <<'END' || fail "$level"
import json, sys
report, level = sys.argv[1:]
loops = {}
for l in json.load(open(report))["loops"]:
    loops.setdefault(l["place"]["function"].split(".")[0], []).append(l)
seen = {n: [b for l in all_ if "simd" in l for b in l["simd"]["breaks"]] for n, all_ in loops.items() if any("simd" in l for l in all_)}
for name, breaks in seen.items():
    assert not name.startswith("right_") or not breaks, (name, breaks)
assert "plain" not in seen and "main" not in seen, seen.keys()
if level == "-O0":
    wanted = {"wrong_backward": ("a", "raw", 1), "wrong_before": ("a", "raw", 1), "wrong_far": ("a", "raw", 4), "wrong_sum": ("s", "raw", 1),
              "wrong_private": ("t", "war", 1), "wrong_counter": ("k", "raw", 1)}
    for name, want in wanted.items():
        got = [(b["object"].split("[")[0], b["kind"], b["least"]) for b in seen[name]]
        assert want in got, (name, got)
    rights = ["right_forward", "right_ahead", "right_far", "right_sum", "right_private"]
    assert all(n in seen for n in rights), seen.keys()
    assert loops["wrong_far"][0]["simd"]["safelen"] == 8
END
  [ $level = -O2 ] || "$cdrgrind" advise -n 0 simd.trace >text
done
grep -qE '^    simd of 8 lanes is wrong: a: RAW [0-9]+ (→|->) [0-9]+, distance 4$' text || fail "text: $(grep simd text)"
grep -qx '    simd of 4 lanes: nothing of this run is in its way' text || fail "text: $(grep simd text)"
