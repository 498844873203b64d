# SPDX-License-Identifier: GPL-2.0-or-later
# Programs in Fortran: races of what OpenMP's directives allow, also where one thread executed all; loops that are shared
# out, in `advise`.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"
command -v gfortran >/dev/null || skip "no gfortran"
source=$top_srcdir/tests/programs/openmp/fortran.F90

gfortran -g -O0 -fopenmp -w -o right "$source"
gfortran -g -O0 -fopenmp -w -DWRONG -o wrong "$source"
for threads in 1 2; do
  for kind in right wrong; do
    OMP_NUM_THREADS=$threads vg -q --cdr-out-file=$kind.$threads ./$kind >out
    "$cdrgrind" verify $kind.$threads >verified || fail "$kind: $(head -n 3 verified)"
    "$cdrgrind" races --scope=all --format=json $kind.$threads >$kind.json || [ $? = 1 ]
    python3 "$top_srcdir/tests/e2e/openmp_cases.py" $kind "$source" $kind.json || fail "$kind, $threads threads: other verdicts"
  done
done

# Optimised, nothing is found that is none; by threads of a team all is.
gfortran -g -O2 -fopenmp -w -o fast "$source"
for threads in 1 2; do
  OMP_NUM_THREADS=$threads vg -q --deps=no --cdr-dataflow=no --cdr-out-file=fast.trace ./fast >out
  "$cdrgrind" races --scope=all fast.trace >text || fail "optimised, $threads threads: $(grep '^#' text)"
done

# Loops that are shared out already, by name and line.
"$cdrgrind" advise --format=json right.2 >advice.json
python3 - advice.json "$source" <<'END'
import json, sys
lines = open(sys.argv[2]).read().split("\n")
shared = {}
for l in json.load(open(sys.argv[1]))["loops"]:
    if l.get("team", {}).get("shared"):
        assert lines[l["place"]["line"] - 1].strip().startswith("do "), l["place"]
        name = l["place"]["function"]
        assert name.startswith("cases::") and "MOD" not in name and "(" not in name, name
        shared[name.removeprefix("cases::").split(".")[0]] = l["team"]["schedule"]
wanted = {"static_loop": "static", "in_chunks": "static, in chunks", "dynamic_loop": "dynamic, 4", "sum_of_all": "static",
          "collapsed": "static", "rows": "static", "histogram": "static", "one_at_a_time": "static", "labelled": "static"}
assert {n: shared.get(n) for n in wanted} == wanted, shared
END
