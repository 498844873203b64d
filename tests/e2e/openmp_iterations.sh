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

# A loop that is no longer than a chunk: what 8 neighbours have for themselves is one thread's, also if there are more; what
# the next 8 have, too, is not.
cat >chunk.c <<'END'
enum { kAll = 24 };
volatile int to[kAll];
int main(void) {
#pragma omp parallel for schedule(dynamic, 64)
  for (int i = 0; i < kAll; i++) to[(i + SHIFT) / 8] |= 1 << i % 8;
  return 0;
}
END
for shift in 0 1; do
  "$CC" -g -O0 -fopenmp -DSHIFT=$shift chunk.c -o chunk
  vg -q --deps=no --cdr-out-file=chunk.trace ./chunk
  expect $shift "$cdrgrind" races chunk.trace >text
done
grep -q '^#1 to\[2\]  (root, iteration)' text || fail "no race of two parts of a chunk: $(cat text)"
