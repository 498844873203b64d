# SPDX-License-Identifier: GPL-2.0-or-later
# Locks of files order what they keep apart, and nothing else: of the whole and of bytes, shared and exclusive, given back
# by the call, by a change of their kind, and by the end of the last descriptor of the one who holds them.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"
command -v python3 >/dev/null || skip "no python3"
table=$top_srcdir/tests/programs/races/file_locks.expect

"$programs/races/file_locks" || skip "files cannot be locked here"
for switch in none enter leave; do
  options=()
  [ $switch = none ] || options=("--cdr-test-switch=$switch")
  vg -q --deps=no "${options[@]}" --cdr-out-file=trace "$programs/races/file_locks"
  expect 0 "$cdrgrind" verify trace >verified
  both_ways 1 locks trace
  python3 "$top_srcdir/tests/e2e/races_lines.py" "$table" <locks.json >lines
  diff "$table" lines || fail "other races, switches: $switch"
done
