# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind advise' prints no line for OpenMP where the source changes variables from outside of the loop and the code
# does not show which, or where no clause can say it.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
source=$(cd "$top_srcdir" && pwd)/tests/programs/advise/hidden.cc

# It may have options.
# shellcheck disable=SC2206
compile=($CXX -std=c++17 -g -fno-pie -no-pie -fcf-protection=none)
for level in O0 O2; do
  "${compile[@]}" -$level -w -o hidden_$level "$source"
  record hidden_$level ./hidden_$level
  "$cdrgrind" advise --format=json hidden_$level.trace >hidden_$level.json
  python3 - hidden_$level.json "$source" $level "$(known_compiler hidden_$level)" <<'END'
import json, re, sys
advice, source, level, compiler = sys.argv[1:]
loops = {l["place"]["line"]: l for l in json.load(open(advice))["loops"] if l["place"]["file"].endswith("hidden.cc")}
wrong = checked = 0
for number, line in enumerate(open(source), 1):
    wanted = re.search(rf"/\* .*\b{level} (.*?)( O2 .*)? \*/", line) if "for (" not in line else None
    if not wanted or (number + 1 not in loops and compiler != "known"):
        continue
    checked += 1
    pragma = loops[number + 1]["pragma"] if number + 1 in loops else "gone"
    got = "none" if not pragma else pragma.removeprefix("#pragma omp parallel for ")
    # Another compiler may show more.
    if got != wanted[1] and (compiler == "known" or wanted[1] == "none"):
        print(f"{source}:{number + 1}: {level}: {got}, not {wanted[1]}", file=sys.stderr)
        wrong += 1
assert not wrong and checked >= 10, (wrong, checked)
END
done

"$cdrgrind" advise -n 100 hidden_O0.trace >text
grep -q "OpenMP takes no loop whose body changes i" text || fail "nothing of the counter"
grep -q "an array without a name here: declare it in the loop's body" text || fail "nothing of the arrays"
grep -q "t: it is static in the loop's body: give each iteration its own" text || fail "nothing of the static variable"
grep -q "i: OpenMP takes '!=' with steps of 1 and -1 only: compare by '<' or '>'" text || fail "nothing of steps"
grep -q "i: OpenMP takes no loop in a constexpr function" text || fail "nothing of the constexpr function"
[ "$(grep -c ": OpenMP has no reduction of its type: declare one" text)" = 2 ] || fail "not two types without a reduction"
[ "$(grep -c "^    Data::.*: a static member, of which OpenMP makes no copies" text)" = 2 ] || fail "nothing of class data"
grep -q "m: its class may have no constructor for a copy in each thread" text || fail "nothing of the constructor"
grep -q "at: write the loop as a 'for' that counts by one variable" text || fail "nothing of the while loop"
! grep -q "seen: assigned in the source, but not seen" text || fail "what a callee was seen to read was not seen"
if echo "int main() {}" | "${compile[@]}" -fopenmp -x c++ -o openmp - 2>err; then
  ./hidden_O0 >wanted
  for level in O0 O2; do
    python3 "$top_srcdir/tests/e2e/advise_pragmas.py" hidden_$level.json "$source" >shared.cc
    "${compile[@]}" -w -fopenmp -o shared shared.cc
    ./shared >out
    diff wanted out || fail "$level: the shared loops print something else"
  done
fi
