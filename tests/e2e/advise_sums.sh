# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind advise`: sums around calls, truth values and arrays that are scratch, and what is like them; with the lines
# for OpenMP that it prints the program prints the same.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
here=$(cd "$top_srcdir" && pwd)
source=$here/tests/programs/advise/sums.c

# It may have options.
# shellcheck disable=SC2206
compile=($CC -std=gnu11 -fno-pie -no-pie -fcf-protection=none)
openmp=
if echo "int main(void) {}" | "${compile[@]}" -fopenmp -x c -o openmp - 2>err; then openmp=yes; fi

# try NAME LEVEL COMPILER...
try() {
  local name=$1_$2 level=$2 compiler=other
  shift 2
  "$@" -g "-$level" -w -o "$name" "$source" -lm
  record "$name" "./$name"
  "$cdrgrind" advise --format=json "$name.trace" >"$name.json"
  # With optimisation no loop is parallel that is not.
  if [ "$name" = own_O0 ]; then compiler=$(known_compiler "$name"); fi
  local as=O2
  if [ "$compiler" = known ]; then as=O0; fi
  python3 "$here/tests/e2e/advise_cases.py" "$name.json" "$source" $as "$compiler" || fail "$name"
  [ -n "$openmp" ] || return 0
  python3 "$here/tests/e2e/advise_pragmas.py" "$name.json" "$source" >shared.c
  "${compile[@]}" -w -O0 -fopenmp -o shared shared.c -lm
  "./$name" >wanted
  OMP_NUM_THREADS=4 ./shared >shared.out
  diff wanted shared.out || fail "$name: the shared loops print something else"
}

for level in O0 O1 O2 O3; do try own "$level" "${compile[@]}"; done
if command -v clang >/dev/null; then
  for level in O0 O1 O2 O3; do try clang "$level" clang -fno-pie -no-pie; done
fi

[ "$(known_compiler own_O0)" = known ] || exit 0
python3 - own_O0.json <<'END'
import json, sys
lines = {}
for l in json.load(open(sys.argv[1]))["loops"]:
    lines.setdefault(l["place"]["function"], []).append(l["pragma"])
for function, line in {
    "transform": "#pragma omp parallel for",
    "any": "#pragma omp parallel for reduction(||:found)",
    "all": "#pragma omp parallel for reduction(&&:every)",
    "any_number": "#pragma omp parallel for reduction(||:found)",
    "any_from_right": "#pragma omp parallel for reduction(||:found)",
    "all_numbers": "#pragma omp parallel for reduction(&&:every)",
    "any_of_matrix": "#pragma omp parallel for reduction(||:found)",
    "fills": "#pragma omp parallel for private(t)",
}.items():
    assert line in lines[function], (function, lines[function])
for function in ("fills_and_reads", "partly", "result_beside"):
    assert not any("private(t)" in (line or "") for line in lines[function]), (function, lines[function])
END
