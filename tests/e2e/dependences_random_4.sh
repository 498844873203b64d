# SPDX-License-Identifier: GPL-2.0-or-later
# Random programs: the dependences are those of the slow reference.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/random_lib.sh"

check_seeds {31..40}
