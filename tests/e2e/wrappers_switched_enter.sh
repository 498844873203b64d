# SPDX-License-Identifier: GPL-2.0-or-later
# The same when another thread runs inside every wrapper, right after the operation is entered in the log.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/wrappers_lib.sh"

check_wrappers --cdr-test-switch=enter
record_switches enter
check_switched enter
