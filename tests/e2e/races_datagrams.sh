# SPDX-License-Identifier: GPL-2.0-or-later
# Datagrams order who sent them and who gets them: also at a socket that has no name when it is waited at, at the first of
# several of one port, at a new peer's, of several sent at once; and packets of a connection.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"
command -v python3 >/dev/null || skip "no python3"

status=0
"$programs/races/datagrams" || status=$?
[ $status != 77 ] || skip "no network"
[ $status = 0 ] || fail "status $status"
as_its_table datagrams
