# SPDX-License-Identifier: GPL-2.0-or-later
# What `cdrgrind races' says depends on the trace alone: not on what time it is, nor on how long it takes. Its clock is
# one that goes an hour further each time that it is read.
. "$top_srcdir/tests/e2e/common.sh"

cat >clock.c <<'C'
#define _GNU_SOURCE
#include <time.h>
#include <sys/time.h>
static long now = 4102444800; /* 2100 */
int clock_gettime(clockid_t clock, struct timespec* t) {
  (void)clock;
  t->tv_sec = now += 3600;
  t->tv_nsec = 0;
  return 0;
}
int gettimeofday(struct timeval* restrict t, void* restrict zone) {
  (void)zone;
  t->tv_sec = now += 3600;
  t->tv_usec = 0;
  return 0;
}
time_t time(time_t* t) {
  now += 3600;
  if (t) *t = now;
  return now;
}
clock_t clock(void) { return (now += 3600) * CLOCKS_PER_SEC; }
C
"$CC" -shared -fPIC -o clock.so clock.c
cat >reads.c <<'C'
#include <stdio.h>
#include <time.h>
int main(void) {
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  clock_gettime(CLOCK_MONOTONIC, &b);
  printf("%ld\n", (long)(b.tv_sec - a.tv_sec));
}
C
"$CC" -o reads reads.c
[ "$(LD_PRELOAD=$PWD/clock.so ./reads)" = 3600 ] || fail "the clock is not replaced"

vg -q --deps=no --cdr-out-file=trace "$programs/slice/cases" >/dev/null
vg -q --deps=no --cdr-out-file=tangles "$programs/races/artifacts" >/dev/null
for trace in trace tangles; do
  for options in --format=json '--show-artifacts --color=never'; do
    # shellcheck disable=SC2086
    expect 1 "$cdrgrind" races --adhoc=race $options $trace >natural
    # shellcheck disable=SC2086
    LD_PRELOAD=$PWD/clock.so expect 1 "$cdrgrind" races --adhoc=race $options $trace >slow
    cmp natural slow || fail "$trace $options: other verdicts"
  done
  grep -q '(artifact of' natural || fail "$trace: no artifacts"
done

# No other report tells the time either, but `loops', which says on demand how long it took.
for command in annotate sync sharing patterns stats; do
  "$cdrgrind" $command trace >natural
  LD_PRELOAD=$PWD/clock.so "$cdrgrind" $command trace >slow
  cmp natural slow || fail "$command: another report"
done
