# SPDX-License-Identifier: GPL-2.0-or-later
# The benchmark of kernels: what it finds out is plausible, wrong use is refused, an interrupt leaves nothing behind.
. "$top_srcdir/tests/e2e/common.sh"

bench() {
  python3 -B "$top_srcdir/tests/bench/bench.py" "$@"
}
export TMPDIR=$work/tmp
expect 0 python3 -B "$top_srcdir/tests/bench/results_test.py" 2>err || fail "$(cat err)"

mkdir "$TMPDIR"

expect 0 bench --seconds=0 --runs=1 --threads=2 --configs=native,none,data --format=json --output=bench.json \
  --record-options=--cdr-memory=16 sor 2>err
python3 - <<'END' || fail "$(cat bench.json)"
import json
with open("bench.json") as f:
    bench = json.load(f)
assert bench["schema"] == "cdrgrind.bench/1"
runs = {(s["kernel"], s["threads"], s["tool"]): s["runs"] for s in bench["samples"]}
assert {tool for _, _, tool in runs} == {"native", "none", "data"}
assert len(runs["sor", 2, "data"]) == 1 and runs["sor", 2, "data"][0]["trace_bytes"] > 1000
assert runs["sor", 2, "none"][0]["trace_bytes"] == 0
assert runs["sor", 2, "none"][0]["peak_kb"] > runs["sor", 2, "native"][0]["peak_kb"] > 0
# One iteration: 10,000 points are written, after four loads each or five; and the start-up.
counts = bench["counts"][0]
assert counts["accesses"] > 50000 and counts["blocks"] > 10000 and counts["events"] > counts["blocks"]
END
[ -z "$(ls "$TMPDIR")" ] || fail "left: $(ls -R "$TMPDIR")"

expect 0 bench --sizes --threads=2 --format=json --output=sizes.json sor 2>err
python3 - <<'END' || fail "$(cat sizes.json)"
import json
with open("sizes.json") as f:
    rows = json.load(f)["sizes"]
assert [(r["threads"], r["part"]) for r in rows] == [(2, "control"), (2, "data")]
for r in rows:
    assert 100 < r["kernel_bytes"] < r["whole_bytes"] and r["kernel_raw_bytes"] < r["whole_raw_bytes"]
# A hundred iterations over 10,000 points: five accesses each or six.
assert rows[1]["kernel_raw_bytes"] - rows[0]["kernel_raw_bytes"] > 4 * 5000000
END

expect 0 bench --compression --recorded-rounds=2 --threads=1,2 --format=json --output=compression.json sor 2>err
python3 - <<'END' || fail "$(cat compression.json)"
import json
with open("compression.json") as f:
    rows = json.load(f)["rows"]
assert [(r["kernel"], r["threads"]) for r in rows] == [("sor", 1), ("sor", 2)]
for r in rows:
    assert r["raw_bytes"] > 4 * 2 * 50000 and 0 < r["percent"] < r["whole_percent"]
    assert r["kernel_bytes"] == r["compare"]["compact"]["kernel"] and r["rounds"] == 2
END

# The tables stand between the marks of the page, and the rest of it stays.
mkdir -p tree/docs
{
  sed '/<!-- bench: begin -->/q' "$top_srcdir/docs/performance.md"
  printf '%s\n' 'old figures' '<!-- bench: end -->' 'behind'
} >tree/docs/performance.md
(top_srcdir=$work/tree python3 -B "$top_srcdir/tests/bench/bench.py" --docs --seconds=0 --runs=1 --threads=1 \
  --configs=native sor 2>err) || fail "$(cat err)"
grep -q '^| sor | 1 |' tree/docs/performance.md
grep -q '^# What recording costs' tree/docs/performance.md
[ "$(tail -n 2 tree/docs/performance.md)" = "<!-- bench: end -->
behind" ] || fail "$(cat tree/docs/performance.md)"
! grep 'old figures' tree/docs/performance.md

expect 2 bench --threads=0 2>err
expect 2 bench --configs=lackey 2>err
expect 2 bench no_kernel 2>err
grep -q 'no kernel no_kernel' err || fail "$(cat err)"

# Ended while a recording is under way.
python3 -B "$top_srcdir/tests/bench/bench.py" --seconds=0 --runs=1000000 --configs=data --threads=1 sor >out 2>err &
for ((i = 0; i < 300; i++)); do
  ! compgen -G "$TMPDIR/*/trace*" >/dev/null || break
  sleep 0.1
done
kill "$!"
expect 130 wait "$!"
grep -q 'interrupted' err || fail "$(cat err)"
[ -z "$(ls "$TMPDIR")" ] || fail "left: $(ls -R "$TMPDIR")"
