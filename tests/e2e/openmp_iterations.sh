# SPDX-License-Identifier: GPL-2.0-or-later
# What one iteration of a shared loop does to another is found, also where one thread executed all of them; what the
# program keeps apart is not.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"

check_cases iterations
export OMP_NUM_THREADS=1
check_compiled iterations "$CC" -O0
"$cdrgrind" races iterations.wrong >text || [ $? = 1 ]
grep -qE '^#[0-9]+ to\[[0-9]*\]  \(.*iteration' text || fail "text: no label"
grep -q 'iteration: one thread executed both in turn' text || fail "text: no note"
grep -q 'iteration [0-9]* of thread 0 of team' text || fail "text: no strand's name"

# Optimised, too.
"$CC" -std=gnu11 -g -O1 -fopenmp -w -DWRONG -o optimised "$top_srcdir/tests/programs/openmp/iterations.c"
for case in static_loop behind_master; do
  vg -q --deps=no --cdr-dataflow=no --cdr-out-file=optimised.trace ./optimised $case >out
  expect 1 "$cdrgrind" races optimised.trace >text
  grep -qE '^#[0-9]+ to\[.*iteration' text || fail "$case, optimised: no race of iterations"
done
