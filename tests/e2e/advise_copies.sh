# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind advise' prints no line for OpenMP that is wrong for another copy of the loop in the code, whose copies of
# variables a function put in line does not mean, or for whose head OpenMP has no iterations; with the lines that it
# prints the program prints the same.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
here=$(cd "$top_srcdir" && pwd)/tests/programs/advise

# It may have options.
# shellcheck disable=SC2206
compile=($CXX -std=c++17 -w -fno-pie -no-pie -fcf-protection=none)
openmp=
if echo "int main() {}" | "${compile[@]}" -fopenmp -x c++ -o openmp - 2>err; then openmp=yes; fi
for level in O0 O1 O2 O3; do
  "${compile[@]}" -g "-$level" -o "copies_$level" "$here/copies.cc"
  record "$level" "./copies_$level"
  "$cdrgrind" advise --format=json "$level.trace" >"$level.json"
  python3 - "$level.json" "$here/copies.cc" "$level" "$(known_compiler "copies_$level")" <<'END'
import json, re, sys
advice, source, level, compiler = sys.argv[1:]
loops = {}
for l in json.load(open(advice))["loops"]:
    if l["place"]["file"].endswith("/copies.cc"):
        loops.setdefault(l["place"]["line"], []).append(l)
wrong = checked = 0
for number, line in enumerate(open(source), 1):
    wanted = re.match(r"\s*/\* (none|line)\b(.*) \*/", line)
    if not wanted:
        continue
    for loop in loops.get(number + 1, []):
        checked += 1
        if wanted[1] == "none":
            right = not loop["pragma"]
        else:
            right = loop["pragma"] or compiler != "known" or ("O" in wanted[2] and level not in wanted[2])
        if not right:
            print(f"copies.cc:{number + 1}: {level}: {loop['pragma'] or 'no line'}", file=sys.stderr)
            wrong += 1
assert not wrong and checked >= 8, (wrong, checked)
END
  [ -n "$openmp" ] || continue
  python3 "$top_srcdir/tests/e2e/advise_pragmas.py" "$level.json" "$here/copies.cc" >shared.cc
  "${compile[@]}" -O0 -fopenmp -o shared shared.cc
  "./copies_$level" >wanted
  OMP_NUM_THREADS=4 ./shared >shared.out
  diff wanted shared.out || fail "$level: the shared loops print something else"
done

# What the report says of them.
"$cdrgrind" advise -n 100 O1.trace >text
grep -q "^    no line: this loop of the source is also shift(.*) (0x[0-9a-f]*), where it is pipeline$" text ||
  fail "nothing of the other copy"
grep -q "^    i: OpenMP takes no loop that ends where its counter wraps around" text || fail "nothing of the head"
"$cdrgrind" advise --format=sarif O1.trace >sarif
grep -q "No line: this loop of the source is also shift" sarif || fail "nothing of the other copy in SARIF"
