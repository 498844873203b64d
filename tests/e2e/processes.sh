# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that fork and execute others behave as they do alone, and every process that is recorded leaves a
# sound trace of its own.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/processes_lib.sh"

ulimit -c 0
run_way forks fork 2
run_way forks return 2
run_way forks grandchild 3
run_way forks handler 2
run_way forks operation 2
run_way forks threads 3
run_way forks killed 2
run_way forks daemon 3
# Children that exec at once leave no trace.
run_way forks exec 1
run_way forks not-found 1
run_way forks system 1
run_way forks popen 1
run_way forks spawn 1
run_way forks vfork 2  # its second child exits
run_way forks path 2   # its child is large enough before
run_way forks become 1
run_way forks exec-thread 1

# The child names its parent, and the place of the fork in the parent's trace.
parent=$(first_trace fork) child=$(other_trace fork)
"$cdrgrind" stats "$child" >child.stats
grep -qE "^Parent: +process ${parent##*.}, " child.stats || fail "the child's parent: $(cat child.stats)"
at=$(sed -nE 's/^Parent: .* event ([0-9,]+)$/\1/p' child.stats | tr -d ,)
"$cdrgrind" dump --from="$at" --count=1 "$parent" | grep -qE "^$at 1 syscall .*result=${child##*.}( |\$)" ||
  fail "event $at is not the fork: $("$cdrgrind" dump --from="$at" --count=1 "$parent")"

# The child begins with what it inherits: frames, the block that it will free; then the fork's other end.
"$cdrgrind" dump "$child" >child.events
sed '/ gap-end /q' child.events >inherited
[ "$(grep -c ' call ' inherited)" -ge 8 ] || fail "too few frames: $(cat inherited)"
block=$(sed -nE 's/.* free addr=(0x[0-9a-f]+) size=40$/\1/p' child.events)
grep -q " alloc addr=$block size=40\$" inherited || fail "the block at '$block' is not told"
grep -A1 ' gap-end ' child.events | grep -q ' syscall .*result=0$' || fail "no end of the fork"
# Its dependences are its own: compute() writes and reads in both.
for trace in "$parent" "$child"; do
  "$cdrgrind" annotate --format=json "$trace" >online
  "$cdrgrind" annotate --format=json --from-trace "$trace" | cmp - online
done
grep -q '"ancestor":"compute"' online || fail "no dependences of the child"
grep -q '"ancestor":"fork_from_below"' online || fail "the inherited frames have no dependences"

# What repeats gives the same bytes, in the child too, and so does encoding again.
"$programs/traces/without_run" "$child" >first.bytes
for trace in "$parent" "$child" become.trace.*; do "$programs/traces/again" "$trace" | cmp - "$trace"; done
rm fork.trace.*
run_way forks fork 2
"$programs/traces/without_run" "$(other_trace fork)" | cmp - first.bytes
parent=$(first_trace fork)

# From a handler on its own stack: both stacks are told.
child=$(other_trace handler)
"$cdrgrind" dump "$child" | sed '/ gap-end /q' >inherited
grep -A1 ' stack-switch ' inherited | grep -q ' signal-enter signal=10 ' || fail "the handler: $(cat inherited)"

# How they ended.
ended "$parent" 'exit 2'
ended "$(other_trace fork)" 'exit 3'
ended "$(other_trace killed)" 'signal 6'
ended "$(other_trace path)" 'exec of /bin/echo'
ended "$(echo become.trace.*)" 'exec of /bin/echo'
ended "$(echo exec-thread.trace.*)" 'exec of /bin/echo'
ended "$(echo not-found.trace.*)" 'exit 2'
"$cdrgrind" annotate become.trace.* >/dev/null
