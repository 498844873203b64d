# SPDX-License-Identifier: GPL-2.0-or-later
# The labels of 300 random programs are those of their backward slices.
. "$top_srcdir/tests/e2e/common.sh"

"$top_builddir/tests/unit/unit-tests" '[soak]'
