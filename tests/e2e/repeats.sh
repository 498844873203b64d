# SPDX-License-Identifier: GPL-2.0-or-later
# Instructions with a rep prefix: every element is an execution of its own, with its accesses; a count of 0
# accesses nothing.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/recording.sh"

record repeats
events repeats --events=block,access >repeats.events
elements() { count " block .* @$1 (L from(\+[0-9]+)?,1 S to|L to(\+[0-9]+)?,1 L from)(\+[0-9]+)?,1" <repeats.events; }
exhausted() { count " block .* exit=[a-z-]+,repeat.* target=$1" <repeats.events; }

[ "$(elements move_none_repeat)" = 0 ] || fail "accesses of rep with count 0"
[ "$(exhausted move_none_behind)" = 1 ] || fail "rep with count 0 does not end at once"
see_not repeats ' @move_none_repeat [LS]'

[ "$(elements move_three_repeat)" = 3 ] || fail "$(elements move_three_repeat) elements of 3"
[ "$(exhausted move_three_behind)" = 1 ] || fail "rep with count 3 does not end"
see repeats ' L from\+2,1 S to\+2,1'
see_not repeats ' S to\+3,1'

[ "$(elements compare_repeat)" = 4 ] || fail "repe cmpsb looks at $(elements compare_repeat) of 4"
