# SPDX-License-Identifier: GPL-2.0-or-later
# Races on variables of frames have the names of these, whoever raced on them and wherever the frame's own thread stood,
# on the compact form of a trace and event by event.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"

source=$top_srcdir/tests/programs/races/locals.c
sed -n 's,.*/\* \(.* of .*\) \*/$,\1,p' "$source" | sort >want
[ "$(wc -l <want)" = 6 ] || fail "names in the source: $(cat want)"

named() {
  grep -o '"variable":"[^"]*"' "$1.json" | sed 's/.*:"\(.*\)"/\1/' | sort -u >names
  cmp want names || fail "$1: $(cat names)"
}

for level in -O0 -O2; do
  "$CC" -g $level -fno-inline -pthread -o locals "$source"
  for blocks in 16777216 1000; do
    vg -q --deps=no --cdr-chunk-blocks=$blocks --cdr-out-file=trace ./locals
    both_ways 1 locals$level.$blocks trace
    named locals$level.$blocks
  done
done

# Without the addresses of stacks: fewer names, and no other ones.
vg -q --deps=no --cdr-data=nonstack --cdr-out-file=trace ./locals
both_ways 1 nonstack trace
grep -o '"variable":"[^"]* of [^"]*"' nonstack.json | sed 's/.*:"\(.*\)"/\1/' | grep -v '^stack of' | sort -u >names || :
[ -z "$(comm -13 want names)" ] || fail "names from nowhere: $(cat names)"
