# SPDX-License-Identifier: GPL-2.0-or-later
# Many stacks in one mapping, which move between threads: each is one stack of its own, used by one thread at a time.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/recording.sh"
. "$top_srcdir/tests/e2e/random_lib.sh"

record moving_stacks
compare_keys moving_stacks
events moving_stacks --events=stack,signal,call,thread >moving_stacks.events

# Slots of tasks, threads, and what the C library makes.
slots=8 threads=4
stacks=$(grep -oE ' stack=[0-9]+' moving_stacks.events | sort -u | wc -l)
[ "$stacks" -ge $((slots + threads)) ] && [ "$stacks" -le $((slots + threads + 3)) ] || fail "$stacks stacks"

# One that several threads were on.
grep -oE '^.* stack-switch .*' moving_stacks.events | awk '
  { for (i = 2; i <= NF; i++) if ($i ~ /^stack=/) users[$i, $2] }
  END { for (u in users) { split(u, part, SUBSEP); if (++n[part[1]] > 1) moved++ } exit !(moved >= 2) }' ||
  fail "no stack moves between threads"

# What a task does in one resumption, another does in the next: each hangs below schedule().
rows moving_stacks --class=all >moving_stacks.rows
at() { line moving_stacks "/* $1 */"; }
grep -qE "^RAW . schedule $(at resumption)c $(at resumption)c " moving_stacks.rows ||
  fail "resumptions do not depend on each other: $(cat moving_stacks.rows)"
