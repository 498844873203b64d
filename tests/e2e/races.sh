# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind races` on programs with known truth: every synchronisation operation raced and clean.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

# finds NAME TABLE OPTIONS: the races of the recording NAME are those of the table, in JSON.
finds() {
  local name=$1 table=$2 status=1
  shift 2
  [ -s "$table" ] || status=0
  expect $status "$cdrgrind" races --format=json "$@" "$name.out" >"$name.json"
  python3 "$top_srcdir/tests/e2e/races_lines.py" <"$name.json" >"$name.lines"
  diff "$table" "$name.lines" || fail "$name $*: other races"
}

for name in mutexes rwlocks waits; do
  vg -q --deps=no --cdr-out-file="$name.out" "$programs/races/$name"
  finds "$name" "$top_srcdir/tests/programs/races/$name.expect"
done
