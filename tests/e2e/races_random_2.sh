# SPDX-License-Identifier: GPL-2.0-or-later
# Random programs with threads: the races are those of the slow reference.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_random_lib.sh"

check_race_seeds {9..16}
