# SPDX-License-Identifier: GPL-2.0-or-later
# More random programs with OpenMP, and the cases of tests/programs/openmp: both compilers' runtimes, on one thread, two and
# four, with every schedule that a program leaves open.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_random_lib.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"

check_team_seeds {13..120}
