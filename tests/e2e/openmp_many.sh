# SPDX-License-Identifier: GPL-2.0-or-later
# A hundred thousand tasks, chunks of a loop, and bodies of single: their races are found in little memory, and all counted.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"
. "$top_srcdir/tests/e2e/openmp_many_lib.sh"

check_many 100000 250 tasks tasks_critical chunks singles tasks_wrong
