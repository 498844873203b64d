# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind advise` on loops over ranges, containers and with iterators, whose steps and comparisons are functions.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
sources=$(cd "$top_srcdir" && pwd)/tests/programs/advise

compiler=$(known_compiler "$programs/advise/ranges_O2")
for name in ranges containers; do
  for level in O0 O2; do
    record "${name}_$level" "$programs/advise/${name}_$level"
    "$cdrgrind" advise --format=json "${name}_$level.trace" >"${name}_$level.json"
    python3 "$top_srcdir/tests/e2e/advise_cases.py" "${name}_$level.json" "$sources/$name.cc" $level $compiler || fail "$name at $level"
  done
done

# Such loops can be shared out as they stand, and what all of them print stays the same.
python3 - ranges_O0.json <<'END'
import json, sys
loops = {l["place"]["function"]: l for l in json.load(open(sys.argv[1]))["loops"] if l["place"]["file"].endswith("ranges.cc")}
for name in ("scale", "letters", "by_iterator", "backwards", "every_other"):
    assert loops[name]["pragma"] == "#pragma omp parallel for", loops[name]
for name in ("sum", "sum_of_plain"):
    assert loops[name]["pragma"] == "#pragma omp parallel for reduction(+:s)", loops[name]
for name in ("list", "in_chunks", "until_negative", "while_flagged", "running_sum", "up_to_found"):
    assert not loops[name]["pragma"], loops[name]
END
python3 "$top_srcdir/tests/e2e/advise_pragmas.py" ranges_O0.json "$sources/ranges.cc" >shared.cc
[ $(grep -c '#pragma omp parallel for' shared.cc) -ge 8 ] || fail "too few lines for OpenMP"
# It may have options.
# shellcheck disable=SC2206
compile=($CXX -std=c++17 -fopenmp)
if echo "int main() {}" | "${compile[@]}" -x c++ -o openmp - 2>err; then
  "${compile[@]}" -o shared shared.cc || fail "the lines for OpenMP are not taken"
  "$programs/advise/ranges_O0" >wanted
  ./shared >out
  diff wanted out || fail "the shared loops print something else"
fi
