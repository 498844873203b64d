# SPDX-License-Identifier: GPL-2.0-or-later
# Races in OpenMP programs are found by strands, not by the threads that ran them: chunks and sections.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"

check_cases worksharing
