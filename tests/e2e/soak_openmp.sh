# SPDX-License-Identifier: GPL-2.0-or-later
# More random programs with OpenMP, and the cases of tests/programs/openmp with both compilers and their libraries, on one, two
# and four threads, with all schedules; a million strands within 1 GB.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_random_lib.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"
. "$top_srcdir/tests/e2e/openmp_many_lib.sh"

check_many 1000000 1000 tasks chunks tasks_critical
unset OMP_NUM_THREADS
check_team_seeds {7..120}
if command -v clang >/dev/null; then CC=clang check_team_seeds {61..120}; fi

# Every case with both compilers, one, two and four threads, and every schedule: the verdicts are the same. Optimised, an
# iteration may keep in a register what it wrongly shares, so with one thread wrong ones are not optimised.
compilers=("$CC")
! command -v clang >/dev/null || compilers+=(clang)
for compiler in "${compilers[@]}"; do
  # Functions that are alike are one for gcc else.
  flags=()
  [ "$compiler" = clang ] || flags=(-fno-ipa-icf)
  for threads in 1 2 4; do
    export OMP_NUM_THREADS=$threads
    for group in worksharing tasks exclusive frames iterations; do
      # LLVM 14's library fails an assertion of its own there.
      left_out=
      [ "$compiler $threads $group" != "clang 1 tasks" ] || left_out=detach
      check_compiled "$group" "$compiler" -O0
      for level in -O1 -O2; do
        check_kind right "$group" "$compiler" "$level" "${flags[@]}"
      done
    done
    left_out=
    for schedule in static "static, 2" dynamic "dynamic, 3" guided; do
      for group in worksharing exclusive iterations; do check_compiled "$group" "$compiler" -O0; done
    done
    schedule=
  done
  for group in worksharing tasks exclusive frames; do check_kind wrong "$group" "$compiler" -O1 "${flags[@]}"; done
done
