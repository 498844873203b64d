# SPDX-License-Identifier: GPL-2.0-or-later
# What `cdrgrind advise' says of loops is so: with its lines for OpenMP there is no race; with a plain line at a loop that
# it calls blocked there is one.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
echo 'int main(void) { return 0; }' | "${CC:-cc}" -fopenmp -x c -o omp - 2>err || skip "no OpenMP"
source=$(cd "$top_srcdir" && pwd)/tests/programs/advise/cases.c

record O0 "$programs/advise/cases_O0"
"$cdrgrind" advise --format=json O0.trace >O0.json

# twin NAME ARGUMENT...: the source with such lines, its races.
twin() {
  local name=$1
  shift
  python3 "$top_srcdir/tests/e2e/advise_pragmas.py" O0.json "$source" "$@" >"$name.c"
  "${CC:-cc}" -g -O0 -w -fopenmp -o "$name" "$name.c" -lm
  record "$name" "./$name" --cdr-dataflow=no
  "$cdrgrind" races --no-artifacts --format=json "$name.trace" >"$name.json" || [ $? = 1 ]
}

twin parallel
[ "$(grep -c '^#pragma omp' parallel.c)" -ge 22 ] || fail "few lines for OpenMP"
python3 - parallel.json <<'END' || fail "parallel, and there are races"
import json, sys
races = json.load(open(sys.argv[1]))["races"]
for r in races:
    print(r["variable"], r["first"]["function"], r["first"]["line"], r["second"]["line"], r["labels"])
sys.exit(bool(races))
END

twin naive naive
grep -n '^_Pragma' naive.c | cut -d: -f1 >blocked
[ "$(wc -l <blocked)" -ge 14 ] || fail "few loops are blocked: $(wc -l <blocked)"
python3 - O0.json naive.json blocked <<'END' || fail "blocked, and there is no race"
import json, sys
loops, report = (json.load(open(f)) for f in sys.argv[1:3])
lines = [{f["line"] for f in side["stack"] if f["file"].endswith("naive.c")}
         for r in report["races"] for side in (r["first"], r["second"])]
missing = []
for first in map(int, open(sys.argv[3])):
    last, function = next((l["last_line"], l["place"]["function"]) for l in loops["loops"]
                          if l["place"]["line"] == first and l["place"]["file"].endswith("/cases.c"))
    if not any(first <= line <= last for stack in lines for line in stack):
        missing.append(f"{function}, lines {first} to {last}")
print("\n".join(missing))
sys.exit(bool(missing))
END
