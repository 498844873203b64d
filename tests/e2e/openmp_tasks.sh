# SPDX-License-Identifier: GPL-2.0-or-later
# Races in OpenMP programs are found by strands, not by the threads that ran them: tasks, and what only one thread does at a time.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"

check_cases exclusive tasks
