# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind advise` on loops over ranges, containers and with iterators, whose steps and comparisons are functions.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
sources=$(cd "$top_srcdir" && pwd)/tests/programs/advise

compiler=$(known_compiler "$programs/advise/ranges_O2")
for name in ranges containers deques; do
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
assert loops["any_above"]["pragma"] == "#pragma omp parallel for reduction(|:any)", loops["any_above"]
assert loops["by_pair"]["pragma"] == "#pragma omp parallel for private(p)", loops["by_pair"]
assert loops["powers"]["pragma"] == "#pragma omp parallel for", loops["powers"]
for name in ("list", "in_chunks", "until_negative", "while_flagged", "running_sum", "up_to_found",
             "sum_in_pair", "printed"):
    assert not loops[name]["pragma"], loops[name]
for name, wanted in (("from_braces", "int i = 1"), ("from_parentheses", "EveryOther i = EveryOther{plain}"),
                     ("from_before", "i = …"), ("beside_a_bound", "int i = 0")):
    l = loops[name]
    assert not l["pragma"] and l["counter_edit"] == f"OpenMP wants it to begin by '{wanted}'", l
assert not any(l["counter_edit"] for l in loops.values() if l["pragma"])
assert not loops["no_sevens"]["counter_edit"], loops["no_sevens"]
END
# What functions put in line count up in registers is the source's all the same.
if [ "$compiler" = known ]; then
  python3 - ranges_O2.json <<'END'
import json, sys
loops = {l["place"]["function"]: l for l in json.load(open(sys.argv[1]))["loops"] if l["place"]["file"].endswith("ranges.cc")}
assert loops["put_by_own"]["pragma"] == "#pragma omp parallel for", loops["put_by_own"]
for name in ("put_by_member", "put_by_argument"):
    assert not loops[name]["pragma"] and loops[name]["unseen"] == ["out"], loops[name]
assert not loops["piled"]["pragma"] and loops["piled"]["unseen"] == ["pile"], loops["piled"]
END
fi
"$cdrgrind" advise -n 100 ranges_O0.trace >ranges.txt
[ $(grep -c "^    i: OpenMP wants it to begin by '" ranges.txt) -ge 4 ] || fail "text says nothing of how counters begin"
"$cdrgrind" advise --format=sarif -n 100 ranges_O0.trace >ranges.sarif
grep -q " i: OpenMP wants it to begin by 'int i = 1'\." ranges.sarif || fail "SARIF says nothing of how counters begin"
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

  # Where a counter begins in another way than OpenMP wants, the line is taken once what is said has been done.
  python3 - ranges_O0.json "$sources/ranges.cc" >begun.cc <<'END'
import json, re, sys
lines = open(sys.argv[2]).read().split("\n")
for l in json.load(open(sys.argv[1]))["loops"]:
    wanted = re.search("'(.*)'", l["counter_edit"])
    if wanted and l["place"]["file"].endswith("ranges.cc"):
        at = l["place"]["line"] - 1
        first = wanted[1].replace("…", "2")
        declares = l["place"]["function"] != "from_before"
        lines[at] = re.sub(r"for \([^;]*;", lambda _: f"for ({first};", lines[at].replace("i < end", "i < limit / 2"))
        lines[at] = "#pragma omp parallel for" + ("" if declares else " lastprivate(i)") + "\n" + lines[at]
print("\n".join(lines))
END
  [ $(grep -c '#pragma omp parallel for' begun.cc) = 4 ] || fail "not all loops that begin in other ways"
  "${compile[@]}" -o begun begun.cc || fail "counters that begin as they are said to are not taken"
  ./begun >out
  diff wanted out || fail "the shared loops that begin in another way print something else"
fi
