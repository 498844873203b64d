# SPDX-License-Identifier: GPL-2.0-or-later
# More random programs with OpenMP, and the cases of tests/programs/openmp with both compilers and their libraries, on two
# threads and on four; a million strands within 1 GB.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_random_lib.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"
. "$top_srcdir/tests/e2e/openmp_many_lib.sh"

check_many 1000000 1000 tasks chunks tasks_critical
unset OMP_NUM_THREADS
check_team_seeds {7..120}
if command -v clang >/dev/null; then CC=clang check_team_seeds {61..120}; fi

for threads in 2 4; do
  export OMP_NUM_THREADS=$threads
  for group in worksharing tasks exclusive frames; do
    check_compiled "$group" "$CC" -O0
    check_compiled "$group" "$CC" -O1 -fno-ipa-icf
    if command -v clang >/dev/null; then
      check_compiled "$group" clang -O0
      check_compiled "$group" clang -O1
    fi
  done
  # Optimised, an iteration may keep in a register what it wrongly shares.
  for compiler in "$CC" clang; do
    command -v "$compiler" >/dev/null || continue
    check_compiled iterations "$compiler" -O0
    for level in -O1 -O2; do check_kind right iterations "$compiler" $level; done
  done
done
