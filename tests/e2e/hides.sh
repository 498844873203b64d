# SPDX-License-Identifier: GPL-2.0-or-later
# Hide regions in what the commands print, and the options of a recording in its trace.
. "$top_srcdir/tests/e2e/common.sh"

vg -q --cdr-test-switch=enter --cdr-out-file=a.trace "$programs/wrappers/annotations" >a.out
[ "$("$cdrgrind" dump --events=hide a.trace | awk '!/^#/ { print $2, $3 }' | tr '\n' ';')" = \
  '1 hide-begin;1 hide-end;1 hide-begin;1 hide-end;2 hide-begin;' ] || fail "$("$cdrgrind" dump --events=hide a.trace)"
"$cdrgrind" dump --format=json --events=hide-begin a.trace | grep -c '"thread":2,"event":"hide-begin"}' | grep -qx 1
"$cdrgrind" stats a.trace | grep -qx 'Hide regions: *3' || fail "$("$cdrgrind" stats a.trace | head -n 20)"
"$cdrgrind" stats --format=json a.trace | grep -q '"hide_regions": 3' || fail "no hide_regions"
vg --help-debug >help
grep -q 'cdr-test-switch=enter|leave' help || fail "not in the help"
expect 1 vg --cdr-test-switch=sometimes /bin/true 2>refused
