# SPDX-License-Identifier: GPL-2.0-or-later
# Locks of files order what they keep apart, and nothing else: of the whole and of bytes, shared and exclusive, given back
# by the call, by a change of their kind, and by the end of the last descriptor of the one who holds them.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"
command -v python3 >/dev/null || skip "no python3"

"$programs/races/file_locks" || skip "files cannot be locked here"
as_its_table file_locks
