# SPDX-License-Identifier: GPL-2.0-or-later
# Options that record less: --instr-atstart, --toggle-collect, --cdr-data; and --cdr-hide.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/recording.sh"

# Nothing but one gap: no block, but calls and the heap.
record parts --instr-atstart=no
events parts >parts.events
[ "$(count ' gap-begin scope=process' <parts.events)" = 1 ] || fail "$(count ' gap-begin ' <parts.events) gaps"
see_not parts ' gap-end| block | partial '
see parts ' call ip=main'
see parts ' alloc .* size=4$'

# Three executions of `wanted', each with two calls of `helper'; nothing of `unwanted' and main.
record parts --toggle-collect=wanted
events parts --events=block,gap,access,enter >parts.events
[ "$(count ' gap-end scope=thread' <parts.events)" = 3 ] || fail "$(count ' gap-end ' <parts.events) recorded parts"
[ "$(count ' block .* addr=wanted flags=entry' <parts.events)" = 3 ] || fail "blocks of wanted"
[ "$(count ' block .* addr=helper flags=entry' <parts.events)" = 6 ] || fail "blocks of helper"
see_not parts ' block .* addr=(main|unwanted)'
"$cdrgrind" annotate parts.trace >parts.txt
grep -qE '^Gaps: +4, in which nothing was recorded$' parts.txt || fail "$(head -8 parts.txt)"
see parts ' enter .* addr=main'
see_not parts ' enter .* addr=unwanted' # nothing happens in it
# No dependence across a gap: each part begins with an empty memory table, so the last `global +=' of one part
# is not what the first of the next depends on.
add=$(line parts 'global += local') get=$(line parts 'return global')
rows parts >parts.rows
[ "$(grep -E "^RAW o wanted .*c .*c " parts.rows | awk '{ n += $NF } END { print n + 0 }')" = 3 ] || fail "$(cat parts.rows)"
grep -qxE "RAW o helper $add $get 6" parts.rows || fail "$(cat parts.rows)"

# No addresses, or only those that are not on the thread's own stack; the dependences are there all the same.
record parts
rows parts >all.rows
[ -s all.rows ] || fail "no dependences"
record parts --cdr-data=none
events parts --events=block,access >parts.events
see_not parts ' [LS] '
rows parts | cmp - all.rows
expect 3 "$cdrgrind" annotate --from-trace parts.trace >none.out 2>none.err
grep -q 'parts.trace.*--cdr-data=none' none.err || fail "$(cat none.err)"

record parts --cdr-data=nonstack
events parts --events=block,access >parts.events
see parts ' @helper.* [LS] global,4'
# The word of these accesses is 4 times the index, so the first is 0.
for element in table 'table\+4' 'table\+8'; do see parts " S $element,4"; done
see_not parts ' @helper [LS]'
rows parts | cmp - all.rows

# What lies below a hidden function is not shown, and the endpoint says so.
record parts --cdr-hide='help*'
events parts --events=block >parts.events
see parts ' block .* addr=helper flags=entry,hidden '
rows parts >parts.rows
! grep ' helper ' parts.rows || fail "a hidden ancestor is shown"
rows parts --class=all | grep -qE '^RAW o wanted [0-9]+h [0-9]+h ' || fail "no hidden end: $(rows parts --class=all)"
