# SPDX-License-Identifier: GPL-2.0-or-later
# What the C library does for itself takes part in no race, and what it orders is in order: thread-local variables of
# libraries that were loaded late, setuid() and its like, blocks that a thread's end gives back, timers, asynchronous
# input and output, locks of FILEs. The C++ library's promises hold. Races of the program beside that are found.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"
command -v python3 >/dev/null || skip "no python3"
sources=$top_srcdir/tests/programs/races

variables() { # FILE: what races, a line each; blocks by the first digits of their sizes
  python3 -c 'import json, re, sys
names = {re.sub("^(block of ...).*", r"\1", r["variable"]) for r in json.load(open(sys.argv[1]))["races"]}
print("".join(v + "\n" for v in sorted(names)), end="")' "$1"
}

cat >wrong <<'END'
block of 100
block of 200
wrong_asked
wrong_end
wrong_identity
wrong_loaded
wrong_timer
wrong_written[0]
END

$CC -g -O1 -shared -fPIC -o late.so "$sources/late_library.c"
cp late.so later.so
for level in 0 2; do
  $CC -g -O$level -pthread -I"$top_srcdir/include" -I"$top_srcdir" -o own$level "$sources/libc_own.c"
  vg -q --deps=no --cdr-out-file=right$level.trace ./own$level ./late.so ./later.so
  both_ways 0 right$level right$level.trace
  variables right$level.json | diff /dev/null - || fail "-O$level: races in order"
  vg -q --deps=no --cdr-out-file=wrong$level.trace ./own$level ./late.so ./later.so races
  both_ways 1 wrong$level wrong$level.trace
  variables wrong$level.json | diff wrong - || fail "-O$level: other races"
done

# Locks of FILEs. Without optimisation putc_unlocked() is a function of libc's.
cat >wrong0.files <<'END'
wrong_locked
wrong_order
wrong_sink
wrong_unlocked
END
(echo "block of …"; cat wrong0.files) >wrong2.files
for level in 0 2; do
  $CC -g -O$level -pthread -I"$top_srcdir/include" -I"$top_srcdir" -o files$level "$sources/files.c"
  vg -q --deps=no --cdr-out-file=files-right$level.trace ./files$level >/dev/null
  both_ways 0 files-right$level files-right$level.trace
  vg -q --deps=no --cdr-out-file=files-wrong$level.trace ./files$level races >/dev/null
  both_ways 1 files-wrong$level files-wrong$level.trace
  variables files-wrong$level.json | sed 's/^\(block of \).*/\1…/' | diff wrong$level.files - || fail "files, -O$level: other races"
done

# The C++ library's promises.
cat >wrong.objects <<'END'
wrong_ended
wrong_parts
wrong_read
wrong_stopped
wrong_tried
END
for level in 0 2; do
  $CXX -std=c++20 -g -O$level -pthread -o objects$level "$sources/standard_objects.cc"
  record objects-right$level ./objects$level
  both_ways 0 objects-right$level objects-right$level.trace
  vg -q --deps=no --cdr-out-file=objects-wrong$level.trace ./objects$level races
  both_ways 1 objects-wrong$level objects-wrong$level.trace
  variables objects-wrong$level.json | diff wrong.objects - || fail "objects, -O$level: other races"
done

# C11's threads are the program's: what libc locks for itself orders nothing in them.
cat >c11.c <<'END'
#include <dlfcn.h>
#include <threads.h>

#include "tests/programs/races/order.h"

int wrong;
static int ask(void *p) {
  if (p == &wrong) wrong = 1;
  dlsym(RTLD_DEFAULT, "no such function");
  dlerror();
  if (p == &wrong) return done(0), 0;
  await(0);
  dlsym(RTLD_DEFAULT, "no such function");
  return wrong = 2;
}
int main(void) {
  thrd_t a, b;
  prepare();
  thrd_create(&a, ask, &wrong);
  thrd_create(&b, ask, 0);
  thrd_join(a, 0);
  thrd_join(b, 0);
}
END
$CC -g -pthread -I"$top_srcdir/include" -I"$top_srcdir" -o c11 c11.c
record c11 ./c11
both_ways 1 c11 c11.trace
variables c11.json | diff <(echo wrong) - || fail "C11's threads: other races"

# What a routine of a thread or a handler ends with as a jump is done for the program, as what it calls.
cat >jumps.c <<'END'
#include <pthread.h>
#include <string.h>
static char text[256];
static void *fill(void *p) { return memset(text, *(char *)p, sizeof text); }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, fill, "a");
  pthread_create(&b, 0, fill, "b");
  pthread_join(a, 0);
  pthread_join(b, 0);
  return text[0] == 0;
}
END
$CC -g -O2 -fno-builtin-memset -pthread -o jumps jumps.c
record jumps ./jumps
both_ways 1 jumps jumps.trace
variables jumps.json | grep -q '^text' || fail "not found: $(cat jumps.json)"

# What is too wide for an instruction the compiler's library does: atomically, with plain instructions.
cat >wide.cc <<'CC'
#include <atomic>
#include <thread>
struct Pair { long ready; long* value; };
static std::atomic<Pair> message;
static long sent;
int main() {
  std::thread a([] {
    if (WRONG) message.store(Pair{1, &sent});
    sent = 42;
    if (!WRONG) message.store(Pair{1, &sent});
  });
  std::thread b([] {
    Pair got = message.load();
    while (!got.ready) {
      std::this_thread::yield();
      got = message.load();
    }
    if (*got.value == 1) std::this_thread::yield();
  });
  a.join();
  b.join();
}
CC
# It may have options.
# shellcheck disable=SC2206
compile=($CXX -std=c++17 -g -O1 -pthread)
if echo "int main() {}" | "${compile[@]}" -x c++ -o links - -latomic 2>err; then
  "${compile[@]}" -DWRONG=0 -o wide wide.cc -latomic
  "${compile[@]}" -DWRONG=1 -o wide_wrong wide.cc -latomic
  for program in wide wide_wrong; do
    record $program ./$program
    "$cdrgrind" races --format=json $program.trace >$program.json || :
  done
  grep -q '"roots":0' wide.json || fail "16 bytes: $(cat wide.json)"
  grep -q '"roots":1' wide_wrong.json || fail "16 bytes, a wrong twin: $(cat wide_wrong.json)"
fi

# The last owner frees: its branch may look at the flags some instructions behind the locked one.
cat >last.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct block { long owners; int value[4]; };
static struct block* b;
static long other;
static __attribute__((noinline)) int is_last(long* n) {
  __asm__ goto("lock subq $1, (%0)\n\tmov %1, %%rcx\n\tjmp 1f\n\t1: je %l2" : : "r"(n), "m"(other) : "rcx", "memory", "cc" : last);
  return 0;
last:
  return 1;
}
static void* work(void* number) {
  b->value[(long)number]++;
  if (is_last(&b->owners)) free(b);
  return 0;
}
int main(void) {
  pthread_t t, u;
  b = calloc(1, sizeof *b);
  b->owners = 2;
  pthread_create(&t, 0, work, (void*)0);
  pthread_create(&u, 0, work, (void*)1);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
C
"$CC" -g -O1 -pthread -o last last.c
record last ./last
"$cdrgrind" races --format=json last.trace >last.json || fail "the last owner: $(cat last.json)"

# Without debug information: the last owner of a std::shared_ptr reads both counts at once.
cat >shared.cc <<'CC'
#include <memory>
#include <thread>
#include <vector>
int main() {
  std::vector<std::thread> threads;
  auto owned = std::make_shared<int>(3);
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([c = owned]() mutable {
      for (int k = 0; k < 20; ++k) {
        auto d = c;
        if (*d == k) std::this_thread::yield();
      }
      c.reset();
    });
  owned.reset();
  for (auto& t : threads) t.join();
}
CC
# What else is as wide as two words that are changed atomically is a load as any other.
cat >alone.cc <<'CC'
#include <thread>
alignas(8) static int counts[2] = {1, 1};
static int seen;
static void own() {
  for (int i = 0; i < 20; ++i) {
    __sync_fetch_and_add(counts, 1);
    seen += *reinterpret_cast<volatile long*>(counts) == ALONE;
    __sync_fetch_and_sub(counts, 1);
  }
}
int main() {
  std::thread other([] {
    __sync_fetch_and_add(counts, 1);
    __sync_fetch_and_sub(counts, 1);
  });
  own();
  other.join();
}
CC
for level in 0 2; do
  $CXX -std=c++20 -O$level -pthread -o shared$level shared.cc
  record shared$level ./shared$level
  both_ways 0 shared$level shared$level.trace
  for status in 0 1; do
    $CXX -std=c++17 -O$level -DALONE=$((0x100000001 + status)) -pthread -o alone alone.cc
    record alone$level$status ./alone
    both_ways $status alone$level$status alone$level$status.trace
  done
done

# A string of the environment is one variable, however many bytes of it are read one by one.
cat >environment.c <<'C'
#include <stdlib.h>

#include "tests/programs/races/order.h"

static int first;
static void set(void) { setenv("RACES_NAME", "a longer value", 1); }
static void get(void) {
  const char *value = getenv("RACES_NAME");
  if (value) first = value[0];
}
int main(void) {
  prepare();
  in_turn(set, get);
}
C
$CC -g -pthread -I"$top_srcdir/include" -I"$top_srcdir" -o environment environment.c
record environment ./environment
both_ways 1 environment environment.trace
python3 - environment.json <<'END' || fail "a string of the environment: $(cat environment.json)"
import json, sys
found = [(r["variable"], r["second"]["function"], r["second"]["line"]) for r in json.load(open(sys.argv[1]))["races"]]
assert found == [("block of 26 bytes at environment.c:6 + …", "get", 8),
                 ("block of 26 bytes at environment.c:6 + 11", "get", 9)], found
END

# What functions of libc's leave for their callers is memory of the program's, not libc's own.
cat >results.c <<'END'
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
extern char **environ;
static int locked;
static long hours[2], others[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
  const long me = (long)p;
  char text[64];
  for (time_t t = me; t < 4000; t += 2000) {
    struct tm mine;
    if (locked) pthread_mutex_lock(&mutex);
    const struct tm *const theirs = localtime(&t); /* asked */
    hours[me] += theirs->tm_hour;                  /* looked at */
    if (locked) pthread_mutex_unlock(&mutex);
    localtime_r(&t, &mine);
    others[me] += mine.tm_hour + (long)mktime(&mine) + (long)strftime(text, sizeof text, "%c", &mine);
    for (char **e = environ; *e; e++) others[me] += **e;
    flockfile(stdout);
    putc_unlocked('.', stdout);
    funlockfile(stdout);
    printf("%s\n", text);
  }
  return 0;
}
int main(int argc, char **argv) {
  pthread_t a, b;
  locked = argc > 1;
  setenv("new", argv[0], 1);
  pthread_create(&a, 0, work, (void *)0);
  pthread_create(&b, 0, work, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return hours[0] + hours[1] + others[0] + others[1] == 0;
}
END
for level in 0 2; do
  $CC -g -O$level -pthread -o results$level results.c
  vg -q --deps=no --cdr-out-file=results-right$level.trace ./results$level lock >/dev/null
  both_ways 0 results-right$level results-right$level.trace
  vg -q --deps=no --cdr-out-file=results-wrong$level.trace ./results$level >/dev/null
  both_ways 1 results-wrong$level results-wrong$level.trace
  python3 -c 'import json, sys
for r in json.load(open(sys.argv[1]))["races"]:
    assert r["location"]["kind"] == "global", r
    print(sorted([r["first"]["line"], r["second"]["line"]]))' results-wrong$level.json | sort >results$level.lines
  asked=$(grep -n "asked \*/" results.c | cut -d: -f1)
  printf "[%d, %d]\n" "$asked" "$asked" "$asked" $((asked + 1)) | diff - results$level.lines || fail "results, -O$level: other races"
done
