# SPDX-License-Identifier: GPL-2.0-or-later
# Random programs with OpenMP: the races are those of the slow reference.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_random_lib.sh"

check_team_seeds {1..6} 33
