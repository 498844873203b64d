# SPDX-License-Identifier: GPL-2.0-or-later
# Programs run under the recorder as they do alone, and each of their synchronisation and heap operations is in
# the trace.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/wrappers_lib.sh"

check_wrappers
