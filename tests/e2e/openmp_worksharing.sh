# SPDX-License-Identifier: GPL-2.0-or-later
# Races in OpenMP programs are found by strands, not by the threads that ran them: chunks and sections.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"

check_cases worksharing

# Bodies of single are strands where the library tells their end, whichever threads ran them.
command -v clang >/dev/null || exit 0
clang -std=gnu11 -g -O0 -fopenmp -w -o singles "$top_srcdir/tests/programs/openmp/singles.c" || exit 0
for threads in 1 2; do
  OMP_NUM_THREADS=$threads vg -q --deps=no --cdr-dataflow=no --cdr-out-file=singles.trace ./singles >out
  expect 1 "$cdrgrind" races --scope=all --format=json singles.trace >singles.json
  python3 - singles.json <<'END' || fail "single with $threads threads: other verdicts"
import json, sys
found = {r["variable"] for r in json.load(open(sys.argv[1]))["races"]}
assert found == {"wrong_twice", "wrong_behind", "wrong_master", "wrong_loop"}, found
END
done
