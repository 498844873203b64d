# SPDX-License-Identifier: GPL-2.0-or-later
# Places of a recorded program, found without reading what lies before them, are those that reading finds: segments,
# blocks, executions of a line, in epochs of different sizes; and in a trace of format version 2 by reading.
. "$top_srcdir/tests/e2e/common.sh"

cat >program.c <<'C'
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total, table[64];
__attribute__((noinline)) static long inner(long i) {
  table[i % 64] += i; /* line 6 */
  return table[(7 * i) % 64];
}
__attribute__((noinline)) static long outer(long n) {
  long sum = 0;
  for (long i = 0; i < n; i++) sum += inner(i);
  return sum;
}
static void* work(void* arg) {
  for (long i = 0; i < 40; i++) {
    const long sum = outer((long)arg + i % 5);
    pthread_mutex_lock(&lock);
    total += sum;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void*)(i + 3));
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return total == 0;
}
C
${CC:-cc} -g -O1 -pthread program.c -o program

# What lies between the M-th synchronisation event of the listing and the next.
segment() { awk -v m="$1" '$3 ~ /^sync-/ { n++ } n == m { print } n > m { exit }' "$2"; }
nth() { awk -v n="$1" -v event="$2" '$3 == event && ++k == n { print; exit }' "$3"; }

check_places() {
  local trace=$1 thread=$2 m i
  "$cdrgrind" dump --thread="$thread" "$trace" >all
  for m in 1 2 7 40 41 80; do
    segment "$m" all >want
    "$cdrgrind" dump --thread="$thread" --at-sync="$m" --segment "$trace" >got
    grep -v '^#' got | cmp - want || fail "$trace: segment $m of thread $thread is another one"
    grep -q '^#. .* work (.*program.c:1[79])$\|^#. .* work (.*program.c:19)$' got ||
      fail "$trace: segment $m of thread $thread: no work() in the stack: $(grep '^#' got)"
  done
  for i in 1 2 100 517 1000; do
    "$cdrgrind" dump --thread="$thread" --at-block="$i" "$trace" | grep -v '^#' >got
    nth "$i" block all | cmp - got || fail "$trace: block $i of thread $thread is another one"
  done
  for i in 1 9 60; do
    "$cdrgrind" dump --thread="$thread" --at-line="program.c:6:$i" "$trace" >got
    grep -q '^#0 .* inner (.*program.c:[5-7])$' got || fail "$trace: execution $i is not in inner: $(cat got)"
    grep -q '^#1 .* outer (.*program.c:11)$' got || fail "$trace: execution $i: outer did not call inner: $(cat got)"
    grep -q '^#2 .* work (.*program.c:16)$' got || fail "$trace: execution $i: work did not call outer: $(cat got)"
    grep -v '^#' got >>"lines.$thread.$(basename "$trace")"
  done
}

# All of it in one epoch, in small ones, and at another length of the stretches of blocks.
vg -q --cdr-out-file=whole ./program
vg -q --cdr-out-file=pieces --cdr-chunk-blocks=700 ./program
for trace in whole pieces; do
  for thread in 2 3; do check_places "$trace" "$thread"; done
done

# From any event on, the listing is what it is from the first on.
vg -q --cdr-out-file=predicted --cdr-chunk-blocks=700 --cdr-control=predict ./program
for trace in pieces predicted; do
  "$cdrgrind" dump "$trace" >all
  events=$(wc -l <all)
  for from in 1 699 5000 $((events / 2)) $((events - 3)); do
    "$cdrgrind" dump --from="$from" "$trace" >got
    awk -v from="$from" '!begun && $1 >= from { begun = 1 } begun' all | cmp - got ||
      fail "$trace: from event $from on the listing is another one"
  done
  "$cdrgrind" dump --thread=2 --from=$((events - 3)) "$trace" >got || fail "$trace: thread 2, which has ended, is unknown"
  [ ! -s got ] || fail "$trace: thread 2 goes on behind its end: $(cat got)"
  refused 3 "there is no thread 9" dump --thread=9 --from=$((events - 3)) "$trace"
done

# Blocks, executions and segments that are not there.
expect 3 "$cdrgrind" dump --thread=2 --at-block=1000000000 whole 2>err
grep -q 'there are [0-9]* blocks, and --at-block=1000000000 was asked' err || fail "$(cat err)"
expect 3 "$cdrgrind" dump --thread=9 --at-block=1 whole 2>err
grep -q 'there is no thread 9' err || fail "$(cat err)"
expect 3 "$cdrgrind" dump --thread=2 --at-line=program.c:6:1000000 whole 2>err
expect 3 "$cdrgrind" dump --thread=2 --at-line=nothing.c:6 whole 2>err
expect 2 "$cdrgrind" dump --at-block=1 whole 2>err
grep -q 'needs --thread' err || fail "$(cat err)"
expect 2 "$cdrgrind" dump --thread=2 --at-line=program.c whole 2>err
expect 2 "$cdrgrind" dump --segment whole 2>err

# A trace of version 2 answers the same questions.
old=$top_srcdir/tests/traces/v2/chain.trace
"$cdrgrind" dump --thread=1 "$old" >all
"$cdrgrind" dump --thread=1 --at-block=50 "$old" | grep -v '^#' >got
nth 50 block all | cmp - got || fail "version 2: block 50 is another one"
