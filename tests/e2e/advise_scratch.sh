# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind advise' prints no line for OpenMP where iterations share an object whose stores the compiler has done away
# with, and goes on printing it where the stores are there; with these lines the programs print the same.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
here=$(cd "$top_srcdir" && pwd)/tests/programs/advise

# try SOURCE LEVEL COMPILER...: by what stands in the line before each loop.
try() {
  local source=$1 level=$2 name=${1%.*}_$2
  shift 2
  "$@" -g "-$level" -w -o "$name" "$here/$source"
  record "$name" "./$name"
  "$cdrgrind" advise --format=json "$name.trace" >"$name.json"
  python3 - "$name.json" "$here/$source" "$level" "$(known_compiler "$name")" <<'END'
import json, re, sys
advice, source, level, compiler = sys.argv[1:]
loops = {}
for l in json.load(open(advice))["loops"]:
    if l["place"]["file"].endswith("/" + source.rsplit("/", 1)[-1]):
        loops.setdefault(l["place"]["line"], []).append(l)
wrong = checked = 0
for number, line in enumerate(open(source), 1):
    wanted = re.match(r"\s*(?:/\*|!>) (scratch|result)\b(.*)", line)
    if not wanted:
        continue
    for loop in loops.get(number + 1, []):
        pragma = loop["pragma"] or ""
        checked += 1
        if wanted[1] == "scratch":
            right = not pragma or "private(" in pragma
        else:
            right = pragma or compiler != "known" or (level not in wanted[2] and "O" in wanted[2])
        if not right:
            print(f"{source}:{number + 1}: {level}: {pragma or 'no line'}: {loop['unseen']}", file=sys.stderr)
            wrong += 1
assert not wrong and checked >= 3, (wrong, checked)
END
  [ -n "$openmp" ] || return 0
  python3 "$top_srcdir/tests/e2e/advise_pragmas.py" "$name.json" "$here/$source" >"shared_$source"
  "$@" -w -O0 -fopenmp -o shared "shared_$source"
  "./$name" >wanted
  OMP_NUM_THREADS=4 ./shared >shared.out
  diff wanted shared.out || fail "$source: $level: the shared loops print something else"
}

# It may have options.
# shellcheck disable=SC2206
compile=($CXX -std=c++17 -fno-pie -no-pie -fcf-protection=none)
openmp=
if echo "int main() {}" | "${compile[@]}" -fopenmp -x c++ -o openmp - 2>err; then openmp=yes; fi
for level in O0 O1 O2 O3; do try scratch.cc "$level" "${compile[@]}"; done
"$cdrgrind" advise -n 100 scratch_O2.trace >text
grep -q "^    t: assigned in the source, but not seen in the code" text || fail "nothing of scratch"
if command -v gfortran >/dev/null; then
  for level in O0 O2; do try scratch.f90 "$level" gfortran; done
fi
