# SPDX-License-Identifier: GPL-2.0-or-later
# Plain stores beside atomic instructions: which the source calls atomic, and what holds where it cannot be read.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"
command -v python3 >/dev/null || skip "no python3"
table=$top_srcdir/tests/programs/races/stores.expect
here=$(cd "$top_srcdir/tests/programs/races" && pwd)

finds() { # TABLE OPTIONS
  local table=$1 status=1
  shift
  [ -s "$table" ] || status=0
  both_ways $status stores stores.out "$@"
  python3 "$top_srcdir/tests/e2e/races_lines.py" "$table" <stores.json >lines
  diff "$table" lines || fail "$*: other races"
}

vg -q --deps=no --cdr-out-file=stores.out "$programs/races/stores"
finds "$table"

# The same of loads and stores where there are no atomic instructions.
vg -q --deps=no --cdr-out-file=alone.out "$programs/races/stores" alone
cat >alone.expect <<'END'
last * schedulable
next * schedulable
stored * schedulable mixed
END
both_ways 1 alone alone.out
python3 "$top_srcdir/tests/e2e/races_lines.py" alone.expect <alone.json >lines
diff alone.expect lines || fail "by the source alone: other races"

# Where the source is gone, stores are presumed to be atomic, too.
finds /dev/null --path-map="$here/stores.cc=/nowhere/stores.cc"
# It is looked for as all sources are.
mkdir -p elsewhere
cp "$here/stores.cc" "$here/stores.h" elsewhere
finds "$table" --path-map="$here/stores.cc=/nowhere/stores.cc" -I elsewhere
# Then it is said so, where such a store races with another one.
expect 1 "$cdrgrind" races --atomics=race --format=json stores.out >race.json
! grep -q 'source cannot be read' race.json || fail "--atomics=race presumes nothing"
vg -q --deps=no --cdr-out-file=unread.out "$programs/races/stores" unread
expect 1 "$cdrgrind" races --path-map="$here/stores.cc=/nowhere/stores.cc" unread.out >unread.text
grep -q 'note: a store is presumed to be atomic, .*: its source cannot be read' unread.text || fail "no note: $(cat unread.text)"
expect 1 "$cdrgrind" races unread.out >read.text
! grep -q 'cannot be read' read.text || fail "a note, although the source is there"
