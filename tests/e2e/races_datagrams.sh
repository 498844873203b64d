# SPDX-License-Identifier: GPL-2.0-or-later
# Datagrams order who sent them and who gets them: also at a socket that has no name when it is waited at, at the first of
# several of one port, at a new peer's, of several sent at once; and packets of a connection.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"
command -v python3 >/dev/null || skip "no python3"
table=$top_srcdir/tests/programs/races/datagrams.expect

status=0
"$programs/races/datagrams" || status=$?
[ $status != 77 ] || skip "no network"
[ $status = 0 ] || fail "status $status"
for switch in none enter leave; do
  options=()
  [ $switch = none ] || options=("--cdr-test-switch=$switch")
  vg -q --deps=no "${options[@]}" --cdr-out-file=trace "$programs/races/datagrams"
  expect 0 "$cdrgrind" verify trace >verified
  both_ways 1 datagrams trace
  python3 "$top_srcdir/tests/e2e/races_lines.py" "$table" <datagrams.json >lines
  diff "$table" lines || fail "other races, switches: $switch"
done
