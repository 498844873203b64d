# SPDX-License-Identifier: GPL-2.0-or-later
# What limits.sh does, but killed after 2 * 10^8 blocks.
export CDR_TEST_MILLIONS=200
. "$top_srcdir/tests/e2e/limits.sh"
