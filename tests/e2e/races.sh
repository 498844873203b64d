# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind races` on programs with known truth: every synchronisation operation raced and clean, what is one piece of
# memory, atomic accesses, spin loops. What races does not depend on the run: hidden semaphores force the order.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"
command -v python3 >/dev/null || skip "no python3"

# finds NAME TABLE OPTIONS: the races of the recording NAME are those of the table, in JSON, both ways.
finds() {
  local name=$1 table=$2 status=1
  shift 2
  [ -s "$table" ] || status=0
  both_ways $status "$name" "$name.out" "$@"
  python3 "$top_srcdir/tests/e2e/races_lines.py" "$table" <"$name.json" >"$name.lines"
  diff "$table" "$name.lines" || fail "$name $*: other races"
}

for name in atomics hidden life memory mutexes objects rwlocks waits; do
  vg -q --deps=no --cdr-out-file="$name.out" "$programs/races/$name"
  finds "$name" "$top_srcdir/tests/programs/races/$name.expect"
  # In many epochs.
  vg -q --deps=no --cdr-chunk-blocks=500 --cdr-out-file=cut.out "$programs/races/$name"
  finds cut "$top_srcdir/tests/programs/races/$name.expect"
done

# Runtime libraries among themselves.
for name in hello_threads hello_objects; do
  vg -q --deps=no --cdr-out-file="$name.out" "$programs/races/$name" >/dev/null
  finds "$name" /dev/null
done

# Without the edges of the spin loop, what it guards races; with them it is counted.
grep -q '"adhoc":1,"atomic":6,' atomics.json || fail "summary of atomics: $(tail -n 1 atomics.json)"
{ cat "$top_srcdir/tests/programs/races/atomics.expect"; echo "spin_data 1 unschedulable"; } |
  sed 's/ adhoc$//' | sort >table
finds atomics table --adhoc=race
# What atomic accesses alone order.
{ cat "$top_srcdir/tests/programs/races/atomics.expect"; echo "by_cas 1 schedulable
by_exchange 1 schedulable
by_release 1 schedulable
by_rmw 1 schedulable
by_sc 1 schedulable
relayed 1 schedulable"; } | sort >table
finds atomics table --atomics=strict
expect 1 "$cdrgrind" races --atomics=race --format=gcc atomics.out | grep -q 'data race on statistics: ' ||
  fail "--atomics=race: no race on the counter"

# The example: both stacks in full, locks, declaration, allocation.
expect 1 "$cdrgrind" races --color=never mutexes.out >mutexes.text
sed -n '/^#[0-9]* two_locks /,/^$/p' mutexes.text >two_locks.text
for line in 'at two_locks_1 (.*/mutexes.c:[0-9]*)' 'by run_part (.*/order.h:[0-9]*)' 'write by thread [0-9]*, holding m$' \
  'write by thread [0-9]*, holding n$' 'int, declared at .*/mutexes.c:[0-9]*'; do
  grep -q "$line" two_locks.text || fail "no '$line' in: $(cat two_locks.text)"
done
expect 1 "$cdrgrind" races memory.out >memory.text
grep -A1 'allocated by thread 1' memory.text | grep -q 'at main (.*/memory.c:124)' || fail "no allocation"

# Compiler-like lines, with a column.
expect 1 "$cdrgrind" races --format=gcc mutexes.out >mutexes.gcc
grep -Eq '^/.*/mutexes\.c:[0-9]+:[0-9]+: warning: data race on write_write: .*\[cdr-race\]$' mutexes.gcc || fail "gcc"

# Suppressions: generated ones take everything away; used and unused ones are told.
expect 1 "$cdrgrind" races --gen-suppressions=all mutexes.out >all.supp
cat >>all.supp <<'S'
{
   never
   Helgrind:Race
   ...
   fun:no_such_function
}
{
   another tool's
   Memcheck:Leak
   match-leak-kinds: all
   fun:malloc
}
S
expect 0 "$cdrgrind" races --suppressions=all.supp --format=json mutexes.out >none.json 2>told
grep -q '"roots":0,.*"suppressed":11,' none.json || fail "not all are suppressed"
grep -q '11 used, 1 unused' told || fail "$(cat told)"
grep -q 'unused: 0 never (all.supp:' told || fail "$(cat told)"
printf '{\n some\n drd:ConflictingAccess\n fun:*_locks_?\n fun:run_part\n}\n' >some.supp
expect 1 "$cdrgrind" races --suppressions=some.supp --format=json mutexes.out 2>/dev/null | grep -q '"suppressed":1,' ||
  fail "a pattern with wildcards"

# Exit statuses.
expect 9 "$cdrgrind" races --error-exitcode=9 mutexes.out >/dev/null
printf '{\n broken\n cdrgrind:Race\n nonsense\n}\n' >broken.supp
ends 2 "$cdrgrind" races --suppressions=broken.supp mutexes.out
grep -q 'broken.supp:4: ' err || fail "$(cat err)"
ends 2 "$cdrgrind" races --suppressions=missing.supp mutexes.out
ends 2 "$cdrgrind" races --atomics=what mutexes.out
(mkdir nothing && cd nothing && ends 2 "$cdrgrind" races)
vg -q --deps=no --cdr-data=none --cdr-out-file=none.out "$programs/races/hello_threads" >/dev/null
ends 3 "$cdrgrind" races none.out
grep -q 'cdr-data=none' err || fail "$(cat err)"

# Frames of the C++ library between and below those of the program are one line.
cat >pool.cc <<'CC'
#include <algorithm>
#include <thread>
int total;
static void add(int n) { total += n; }
int main() {
  const int parts[] = {1};
  std::thread other([&] { std::for_each(parts, parts + 1, [](int n) { add(n); }); });
  add(2);
  other.join();
}
CC
${CXX:-c++} -g -O0 -pthread -o pool pool.cc
vg -q --deps=no --cdr-out-file=pool.trace ./pool
expect 1 "$cdrgrind" races pool.trace >pool.text
expect 1 "$cdrgrind" races --full-stacks pool.trace >pool.full
grep -Eq '^ +(…|\.\.\.) [0-9]+ frames of std::thread$' pool.text || fail "no folded frames: $(cat pool.text)"
grep -q 'by main::{lambda()#1}::operator()' pool.text || fail "a frame of the program is folded: $(cat pool.text)"
grep -q 'frames of' pool.full && fail "folded all the same: $(cat pool.full)"
grep -q 'by .*_M_invoke' pool.full || fail "not every frame: $(cat pool.full)"
grep -q '_M_invoke' pool.text && fail "not folded: $(cat pool.text)"
true
