# SPDX-License-Identifier: GPL-2.0-or-later
# What threads hand over through the kernel orders what they did: pipes, FIFOs, sockets, eventfds, epolls, connections,
# what can be read, signals and their actions, System V semaphores, queues of messages, datagrams, locks of files.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"
command -v python3 >/dev/null || skip "no python3"

as_its_table channels

# They have names of their own.
"$cdrgrind" sync --scope=all trace >text
for name in pipe socket messages eventfd connection signal epoll "sent signal" "System V semaphore" "message queue" \
  "datagram address" "file lock"; do
  grep -qE "^$name( [0-9]+)?  \\(channel\\)" text || fail "no $name: $(cat text)"
done

"$cdrgrind" sync --scope=all --format=json trace >json
for name in "handler for SIGUSR1" "SIGUSR1 to thread [0-9]+" "signal 3[0-9] to the process"; do
  grep -qE "\"$name\"" json || fail "no $name"
done

# A program that is alone, and one that writes to somebody else, say nothing of it.
cat >outside.c <<'END'
#include <unistd.h>
int main(void) { char in; return write(1, "x", 1) != 1 || read(0, &in, 1) != 1; }
END
$CC -g outside.c -o outside
echo y | vg -q --cdr-out-file=outside.trace ./outside | cat >said
[ "$(cat said)" = x ] || fail "output: $(cat said)"
"$cdrgrind" dump --events=sync outside.trace >events
! grep channel events || fail "a channel from outside"

# A signal for a thread that the kernel has made, and that has not begun.
cat >unborn.c <<'END'
#include <pthread.h>
#include <signal.h>
static int first[100], late[100];
static sigset_t all;
static void *wait_for_it(void *i) {
  int got;
  sigwait(&all, &got);
  first[(long)i]++;
  late[(long)i]++;
  return 0;
}
int main(void) {
  sigemptyset(&all);
  sigaddset(&all, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &all, 0);
  for (long i = 0; i < 100; i++) {
    pthread_t t;
    pthread_create(&t, 0, wait_for_it, (void *)i);
    first[i] = 1;
    pthread_kill(t, SIGUSR1);
    late[i] = 1;
    pthread_join(t, 0);
  }
}
END
$CC -g -pthread unborn.c -o unborn
vg -q --deps=no --cdr-out-file=unborn.trace ./unborn
both_ways 1 unborn unborn.trace
grep -q '"variable":"late\[' unborn.json || fail "not found: $(cat unborn.json)"
! grep -q '"variable":"first\[' unborn.json || fail "a race in order: $(cat unborn.json)"
