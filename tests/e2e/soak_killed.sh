# SPDX-License-Identifier: GPL-2.0-or-later
# What limits.sh does, but killed after 2 * 10^8 blocks, with chunks as large as they are by default.
export CDR_TEST_MILLIONS=200 CDR_TEST_CHUNK=16777216
. "$top_srcdir/tests/e2e/limits.sh"
