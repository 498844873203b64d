# SPDX-License-Identifier: GPL-2.0-or-later
# By which way `cdrgrind races' found what it says: on the compact form of any trace that has one, however often it is
# cut and whatever the program does with its stacks, and then as the events say; else event by event, and why.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"

# ways NAME PROGRAM OPTION...: records it so, and compares.
ways() {
  local name=$1 program=$2 status=0
  shift 2
  vg -q --deps=no "$@" --cdr-out-file=trace "$program" </dev/null >/dev/null 2>&1 || :
  "$cdrgrind" races --format=json trace >/dev/null || status=$?
  [ $status -le 1 ] || fail "$name $*: status $status"
  both_ways $status "$name" trace
}

# Signals, exceptions, jumps out of functions, other stacks, wrappers that call back.
for program in corners/{switches,long_jumps,faults} process/signals wrappers/{jumps,cancellation}; do
  ways "$(basename $program)" "$programs/$program" --cdr-chunk-blocks=311
done
ways exceptions "$programs/corners/exceptions" --cdr-chunk-blocks=10000

# Without the stack's addresses no call tells where its frame is.
ways nonstack "$programs/races/mutexes" --cdr-data=nonstack --cdr-chunk-blocks=2000
ways nonstack "$programs/races/mutexes" --cdr-data=nonstack

# Memory that changes hands under one atomic instruction: each use of it is of its time.
cat >changes.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static long *counter, plain;
static void* add(void* rounds) {
  for (long i = 0; i < *(long*)rounds; ++i) __atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST);
  plain += *counter;
  return 0;
}
int main(void) {
  long rounds[] = {3000, 3000, 5};
  for (int i = 0; i < 3; ++i) {
    pthread_t a, b;
    counter = malloc(sizeof *counter);
    *counter = 0;
    pthread_create(&a, 0, add, &rounds[i]);
    pthread_create(&b, 0, add, &rounds[i]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(counter);
  }
  /* And in one thread, more often than is kept. */
  for (int i = 0; i < 3; ++i) {
    pthread_t a;
    long more = i < 2 ? 60000 : 3;
    counter = malloc(sizeof *counter);
    *counter = 0;
    pthread_create(&a, 0, add, &rounds[2]);
    add(&more);
    pthread_join(a, 0);
    free(counter);
  }
  return 0;
}
C
"$CC" -g -O1 -pthread -o changes changes.c
for options in --cdr-chunk-blocks=16777216 --cdr-chunk-blocks=20000; do
  ways changes ./changes $options
  grep -q '"roots":[1-9]' changes.json || fail "changes: no race"
done

# Threads that wait by looking again and again: for a flag, a lock, a ticket, by turns, at two places in turn, in a frame
# that others see. What the same copy does is looked at once.
cat >waiting.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static int turn, lock, serving, next, swapped, two[2];
static volatile int plain_turn;
static long data, racy, beside[64];
static int rounds = 2;
static void look(int* flag, int value) { while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) != value) beside[8] = value; }
static void* work(void* arg) {
  const int me = arg != 0;
  for (int i = 0; i < rounds; ++i) {
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != me) {}
    data += i;
    __atomic_store_n(&turn, 1 - me, __ATOMIC_RELEASE);
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {}
    ++data;
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    const int mine = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&serving, __ATOMIC_ACQUIRE) != mine) racy += beside[me];
    ++data;
    __atomic_store_n(&serving, mine + 1, __ATOMIC_RELEASE);
    int expected = me;
    while (!__atomic_compare_exchange_n(&swapped, &expected, 2, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) expected = me;
    ++data;
    beside[me] = i;
    __atomic_store_n(&swapped, 1 - me, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&two[0], __ATOMIC_ACQUIRE) + __atomic_load_n(&two[1], __ATOMIC_ACQUIRE) != 2 * i + me) {}
    for (int k = 0; ; k ^= 1)
      if (__atomic_load_n(&two[k], __ATOMIC_ACQUIRE) == i) { __atomic_fetch_add(&two[k], 1, __ATOMIC_ACQ_REL); break; }
    look(&turn, me);
    __atomic_store_n(&turn, 1 - me, __ATOMIC_RELEASE);
    while (plain_turn != me) {}
    ++data;
    plain_turn = 1 - me;
  }
  return 0;
}
static void* answer(void* flag) {
  for (int i = 0; i < rounds; ++i) {
    look(flag, 1);
    ++data;
    __atomic_store_n((int*)flag, 0, __ATOMIC_RELEASE);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &b);
  pthread_join(a, 0);
  pthread_join(b, 0);
  int mine = 0;
  pthread_create(&a, 0, answer, &mine);
  for (int i = 0; i < rounds; ++i) {
    __atomic_store_n(&mine, 1, __ATOMIC_RELEASE);
    look(&mine, 0);
    ++data;
  }
  pthread_join(a, 0);
  return data == 0;
}
C
for level in O0 O2; do
  "$CC" -g -$level -pthread -o waiting-$level waiting.c
  for options in --cdr-chunk-blocks=16777216 --cdr-chunk-blocks=30000; do ways waiting-$level ./waiting-$level $options; done
  both_ways 1 waiting-cxx trace --atomics=c++
done

# It is said.
"$cdrgrind" races -v trace >text || :
grep -qx 'Way: *on the compact form' text || fail "no way: $(tail -n 20 text)"
"$cdrgrind" races trace >text || :
! grep '^Way:' text || fail "a way without -v"
"$cdrgrind" races -v --from-events trace >text || :
grep -qx 'Way: *event by event: --from-events was given' text || fail "--from-events: $(tail -n 20 text)"
old=$top_srcdir/tests/traces/v1/threads.trace
"$cdrgrind" races --format=json "$old" >old.json || [ $? = 1 ] || fail "an old trace"
grep -q '"way":"events","way_reason":"the trace is in plain form"' old.json || fail "a plain trace: $(cat old.json)"
