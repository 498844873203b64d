# SPDX-License-Identifier: GPL-2.0-or-later
"""threads.py SEED: prints a C program for the comparison of `cdrgrind races' with its slow reference.

The first line of the program tells the flags to compile it with: `// flags: -O1 ...'. What is recorded may differ from
run to run; each run ends, and touches only memory that it has.

No run waits for ever. A program has rounds, the same for all threads. In a round a thread posts and signals, then waits
for the posts and signals of the round; at some time it works, at the end it meets others at a barrier. Every round has
semaphores and conditions of its own. Locks are taken in the order of their numbers, and nobody waits for anything else
meanwhile. Heap blocks change hands only between two barriers of all threads, often in a hide region so that no order is
seen.
"""
import sys

PRELUDE = r"""
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include "cdrgrind/cdrgrind.h"
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#define PACKED(n) struct __attribute__((packed, may_alias)) p##n { V u##n v; };
PACKED(8) PACKED(16) PACKED(32) PACKED(64)
#define AT(n, place) (((struct p##n *)(place))->v)
enum { kBlocks = 4, kBlock = 72, kLocks = 3, kRounds = 8 };
static V u64 g_quad[32];
static V u32 g_word[32];
static V u16 g_half[64];
static V u8 g_byte[128];
static union { V u64 q[16]; V u32 w[32]; V u16 h[64]; V u8 b[128]; } g_mixed;
static V u64 g_guarded[4];
static u8 *V blocks[kBlocks];
static V u64 g_result[16];
static pthread_mutex_t lock[kLocks] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rw[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static pthread_once_t once[3] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static sem_t posted[kRounds], token[2], spare;
static pthread_mutex_t of_condition[kRounds];
static pthread_cond_t condition[kRounds];
static int pending[kRounds]; /* guarded by of_condition */
static pthread_cond_t timed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t meeting[kRounds], everybody, unseen;
static V u64 g_signalled[4];
static const struct timespec long_ago = {1, 0};
static struct timespec soon(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += 2000000;
  if (t.tv_nsec >= 1000000000) t.tv_nsec -= 1000000000, t.tv_sec++;
  return t;
}
"""


class Random:
    """splitmix64: the same numbers everywhere."""

    def __init__(self, seed):
        self.state = seed & (2**64 - 1)

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2**64 - 1)
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & (2**64 - 1)
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & (2**64 - 1)
        return z ^ (z >> 31)

    def below(self, n):
        return self.next() % n

    def between(self, first, last):
        return first + self.below(last - first + 1)

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def some(self, choices, least=1):
        """At least so many of them, in order."""
        left = list(choices)
        count = self.between(least, len(left))
        while len(left) > count:
            left.pop(self.below(len(left)))
        return left


class Generator:
    """The lines of one program; every statement has a line of its own, and touches one variable."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.threads = self.random.between(2, 4)  # that of main() is number 0
        self.rounds = self.random.between(3, 7)
        self.routines = []   # functions before those of the threads
        self.names = 0
        self.local = False   # is there a `local', an array of some thread's stack?

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    # ---- Accesses ----

    def areas(self):
        """Arrays, with the number of their elements."""
        return [("g_quad", 32), ("g_word", 32), ("g_half", 64), ("g_byte", 128), ("g_mixed.q", 16), ("g_mixed.w", 32),
                ("g_mixed.h", 64), ("g_mixed.b", 128)] + 2 * [("local", 16)] * self.local

    def unaligned(self):
        """Some bytes somewhere, at any address."""
        bits = self.random.pick([8, 16, 32, 64])
        area, size = self.random.pick([("g_byte", 128), ("g_mixed.b", 128), ("block", 72), ("g_quad", 256)] +
                                      [("local", 128)] * self.local)
        if area == "block":
            area = f"blocks[{self.random.below(4)}]"
        return bits, area, size - bits // 8

    def touch(self, place):
        return self.random.pick([f"x += {place};", f"x ^= {place};", f"{place} = x;", f"{place} += x;",
                                 f"{place} = {self.random.below(99)};"])

    def single(self):
        if self.random.chance(50):
            area, count = self.random.pick(self.areas())
            index = self.random.below(count) if self.random.chance(70) else f"x % {count}"
            return [self.touch(f"{area}[{index}]")]
        bits, area, last = self.unaligned()
        offset = self.random.below(last + 1) if self.random.chance(70) else f"x % {last + 1}"
        return [self.touch(f"AT({bits}, {area} + {offset})" if area != "g_quad" and area != "local"
                           else f"AT({bits}, (V u8 *){area} + {offset})")]

    def loop(self):
        i = self.name("i")
        if self.random.chance(60):
            area, count = self.random.pick(self.areas())
            place = area + "[{}]"
            last = count - 1
        else:
            bits, area, last = self.unaligned()
            place = f"AT({bits}, (V u8 *){area} + {{}})"
        stride = self.random.between(1, 5)
        times = self.random.between(2, max(2, min(14, last // stride)))
        first = self.random.below(last - stride * (times - 1) + 1)
        up = self.random.chance(75)
        index = f"{first} + {stride} * {i}" if up else f"{first + stride * (times - 1)} - {stride} * {i}"
        head = f"for (int {i} = 0; {i} < {times}; {i}++)"
        if self.random.chance(25):
            outer = self.name("o")
            head = f"for (int {outer} = 0; {outer} < {self.random.between(2, 4)}; {outer}++) " + head
        return [head, "  " + self.touch(place.format(index))]

    def yields(self):
        return ["sched_yield();"]

    def accesses(self):
        return self.random.pick([self.single, self.single, self.loop, self.loop])()

    def some_accesses(self, most=2):
        lines = []
        for _ in range(self.random.between(1, most)):
            lines += self.accesses()
        if self.random.chance(25):
            lines += self.yields()
        return lines

    # ---- What orders ----

    @staticmethod
    def inside(before, lines, after):
        return [before] + ["  " + line for line in lines] + [after]

    def guarded(self):
        place = f"g_guarded[{self.random.below(4)}]"
        return [self.touch(place)] + self.some_accesses() if self.random.chance(50) else self.some_accesses()

    def locked(self):
        first = self.random.below(3)
        inner = self.guarded()
        if first < 2 and self.random.chance(25):
            second = self.random.between(first + 1, 2)
            inner += self.inside(f"pthread_mutex_lock(&lock[{second}]);", self.guarded(),
                                 f"pthread_mutex_unlock(&lock[{second}]);")
        return self.inside(f"pthread_mutex_lock(&lock[{first}]);", inner, f"pthread_mutex_unlock(&lock[{first}]);")

    def tried(self):
        k = self.random.below(3)
        if self.random.chance(25):
            return self.inside(f"if (pthread_rwlock_trywrlock(&rw[{k & 1}]) == 0) {{", self.guarded() +
                               [f"pthread_rwlock_unlock(&rw[{k & 1}]);"], "}")
        attempt = self.random.pick([f"pthread_mutex_trylock(&lock[{k}])",
                                    f"pthread_mutex_timedlock(&lock[{k}], &long_ago)"])
        return self.inside(f"if ({attempt} == 0) {{", self.guarded() + [f"pthread_mutex_unlock(&lock[{k}]);"],
                           "}" if self.random.chance(50) else f"}} else {self.single()[0]}")

    def read_or_write(self):
        k = self.random.below(2)
        kind = self.random.pick(["rdlock", "rdlock", "wrlock"])
        return self.inside(f"pthread_rwlock_{kind}(&rw[{k}]);", self.guarded(), f"pthread_rwlock_unlock(&rw[{k}]);")

    def with_token(self):
        k = self.random.below(2)
        return self.inside(f"sem_wait(&token[{k}]);", self.guarded(), f"sem_post(&token[{k}]);")

    def spare_token(self):
        if self.random.chance(50):
            return ["sem_post(&spare);"]
        return self.inside("if (sem_trywait(&spare) == 0) {", self.some_accesses(), "}")

    def only_once(self):
        return [f"pthread_once(&once[{self.random.below(3)}], routine{self.random.below(3)});"]

    def timed_wait(self):
        if self.random.chance(50):
            return [self.signalled(), f"pthread_cond_{self.random.pick(['signal', 'broadcast'])}(&timed);"]
        until = self.name("until")
        return self.inside("pthread_mutex_lock(&lock[0]);", self.guarded() + [
            f"struct timespec {until} = " + self.random.pick(["long_ago;", "soon();"]),
            f"pthread_cond_timedwait(&timed, &lock[0], &{until});", self.signalled()] + self.accesses(),
            "pthread_mutex_unlock(&lock[0]);")

    def signalled(self):
        return self.touch(f"g_signalled[{self.random.below(4)}]")

    def announced(self):
        what = self.random.pick(["BEFORE", "AFTER"])
        return [f"CDRGRIND_HAPPENS_{what}(&g_guarded[{self.random.below(2)}]);"]

    def hidden(self):
        inner = self.locked() if self.random.chance(40) else self.some_accesses()
        return self.inside("CDRGRIND_HIDE_BEGIN;", inner, "CDRGRIND_HIDE_END;")

    def scratch(self):
        p = self.name("p")
        size = self.random.pick([24, 40, 72])
        return [f"u64 *{p} = malloc({size});", f"for (int k = 0; k < {size // 8}; k++) AT(64, {p} + k) = x;",
                f"x += AT(64, {p} + {self.random.below(size // 8)});", f"free({p});", "x++;"]

    def child(self):
        """A thread of the thread, which works on the parent's array while the parent does."""
        function = self.name("child")
        outer, self.local = self.local, True
        body = self.work(self.random.between(1, 3), False)
        mine = self.some_accesses(3)
        self.local = outer
        t, l = self.name("t"), "local"
        end = self.random.pick(["return NULL;", "pthread_exit(NULL);"])
        self.routines += [f"static void *{function}(void *argument) {{", "  V u64 *local = argument;", "  u64 x = 3;"]
        self.routines += ["  " + line for line in body] + ["  g_result[15] = x;", f"  {end}", "}"]
        return self.inside("{", [f"V u64 {l}[16] = {{0}};", f"pthread_t {t};",
                                 f"pthread_create(&{t}, NULL, {function}, (void *)local);"] + mine +
                           [f"pthread_join({t}, NULL);"] + self.accesses(), "}")

    def repeated(self):
        i = self.name("r")
        return self.inside(f"for (int {i} = 0; {i} < {self.random.between(2, 5)}; {i}++) {{",
                           self.work(self.random.between(1, 3), False), "}")

    def work(self, statements, children=True):
        kinds = 3 * [self.some_accesses] + 3 * [self.locked] + 2 * [self.read_or_write, self.with_token] + [
            self.tried, self.spare_token, self.only_once, self.timed_wait, self.announced, self.hidden, self.scratch,
            self.yields] + 2 * [self.repeated] * children
        lines = []
        for _ in range(statements):
            lines += self.random.pick(kinds)()
        if children and self.random.chance(12):
            lines += self.child()
        return lines

    # ---- Rounds ----

    def plan(self):
        """Who does what in each round; the same for all threads."""
        r, everybody = self.random, range(self.threads)
        rounds = []
        for _ in range(self.rounds):
            posters, waiters = r.some(everybody), r.some(everybody)
            signallers = r.some(everybody)
            rounds.append({
                "posters": posters if r.chance(60) else [],
                "waiters": waiters[:len(posters)],
                "signallers": signallers if r.chance(60) else [],
                "sleepers": r.some(everybody)[:len(signallers)],
                "broadcast": r.chance(40),
                "outside": r.chance(40),
                "meeting": r.some(everybody, 2) if r.chance(50) else [],
                "owner": r.below(self.threads) if r.chance(50) else None,
                "block": r.below(4),
                "unseen": r.chance(70),
            })
        return rounds

    def signal(self, k, plan):
        wake = f"pthread_cond_{'broadcast' if plan['broadcast'] else 'signal'}(&condition[{k}]);"
        unlock = f"pthread_mutex_unlock(&of_condition[{k}]);"
        # What comes between the two is ordered by the signal alone.
        ends = [unlock, self.signalled(), wake, self.signalled()] if plan["outside"] else [wake, unlock]
        return [f"pthread_mutex_lock(&of_condition[{k}]);", f"pending[{k}]++;"] + self.accesses() + ends

    def sleep(self, k):
        return [f"pthread_mutex_lock(&of_condition[{k}]);",
                f"while (pending[{k}] == 0) pthread_cond_wait(&condition[{k}], &of_condition[{k}]);",
                f"pending[{k}]--;"] + self.accesses() + [self.signalled(), f"pthread_mutex_unlock(&of_condition[{k}]);",
                                                         self.signalled()]

    def change_hands(self, me, plan):
        barrier = "unseen" if plan["unseen"] else "everybody"
        meet = [f"pthread_barrier_wait(&{barrier});"]
        if plan["unseen"]:
            meet = self.inside("CDRGRIND_HIDE_BEGIN;", meet, "CDRGRIND_HIDE_END;")
        block = f"blocks[{plan['block']}]"
        # A call in the last place would be a jump, which has no line of its own.
        fresh = [f"free({block});", f"{block} = malloc(kBlock);", f"x += AT(64, {block});"]
        return meet + (fresh if me == plan["owner"] else []) + meet

    def round(self, me, k, plan):
        post, wait = [], []
        if me in plan["posters"]:
            post += [f"sem_post(&posted[{k}]);"]
        if plan["sleepers"] and me in plan["signallers"]:
            post += self.signal(k, plan)
        if plan["posters"] and me in plan["waiters"]:
            wait += [f"sem_wait(&posted[{k}]);"] + self.accesses()
        if plan["signallers"] and me in plan["sleepers"]:
            wait += self.sleep(k)
        work = self.work(self.random.between(2, 5))
        orders = [post + work + wait, post + wait + work, work + post + wait]
        if not post and not self.random.chance(25):  # who only waits is early, who only posts is late
            orders = [wait + work]
        elif not wait and not self.random.chance(25):
            orders = [work + post]
        lines = [f"// round {k}"] + self.random.pick(orders)
        if me in plan["meeting"]:
            lines += [f"pthread_barrier_wait(&meeting[{k}]);"] + self.accesses()
        if plan["owner"] is not None:
            lines += self.change_hands(me, plan)
        return lines + self.accesses()

    def thread(self, me, plans):
        self.local = True
        lines = [f"static void *thread{me}(void *argument) {{", "  V u64 *local = argument;", f"  u64 x = {me + 5};"]
        for k, plan in enumerate(plans):
            lines += ["  " + line for line in self.round(me, k, plan)]
        end = self.random.pick(["return NULL;", "pthread_exit(NULL);"]) if me else "return NULL;"
        return lines + [f"  g_result[{me}] = x;", f"  {end}", "}"]

    def once_routines(self):
        self.local = False
        lines = []
        for k in range(3):
            body = ["u64 x = 1;"] + self.some_accesses()
            lines += self.inside(f"static void routine{k}(void) {{", body + [f"g_result[{8 + k}] = x;"], "}")
        return lines

    def set_up(self, plans):
        lines = [f"for (int k = 0; k < kBlocks; k++) blocks[k] = malloc(kBlock);",
                 "for (int k = 0; k < kRounds; k++) sem_init(&posted[k], 0, 0);",
                 "for (int k = 0; k < kRounds; k++) pthread_mutex_init(&of_condition[k], NULL);",
                 "for (int k = 0; k < kRounds; k++) pthread_cond_init(&condition[k], NULL);",
                 f"sem_init(&token[0], 0, 1);", f"sem_init(&token[1], 0, {self.random.between(1, 3)});",
                 f"sem_init(&spare, 0, {self.random.below(3)});",
                 f"pthread_barrier_init(&everybody, NULL, {self.threads});",
                 f"pthread_barrier_init(&unseen, NULL, {self.threads});"]
        return lines + [f"pthread_barrier_init(&meeting[{k}], NULL, {len(plan['meeting'])});"
                        for k, plan in enumerate(plans) if plan["meeting"]]

    def last_thread(self):
        """It has the stack of one that has ended."""
        self.local = True
        body = ["V u64 *local = argument;", "u64 x = 1;"] + self.work(2, False) + ["g_result[14] = x;", "return NULL;"]
        return self.inside("static void *last(void *argument) {", body, "}")

    def main_function(self, plans, last):
        self.local = True
        lines = ["V u64 local[16] = {0};", "u64 x = 0;", "pthread_t t[5];"] + self.set_up(plans)
        for me in range(1, self.threads):
            lines += [f"pthread_create(&t[{me}], NULL, thread{me}, (void *)local);"] + self.accesses()
        lines += ["thread0((void *)local);"] + self.accesses()
        for me in range(1, self.threads):
            if last and me == self.threads - 1:
                lines += ["pthread_create(&t[4], NULL, last, (void *)local);"] + self.accesses()
            lines += [f"pthread_join(t[{me}], NULL);"] + self.accesses()
        if last:
            lines += ["pthread_join(t[4], NULL);"]
        return self.inside("int main(void) {", lines + ["g_result[13] = x;", "return 0;"], "}")

    def program(self):
        optimise = self.random.pick(["-O0", "-O1", "-O1", "-O2"])
        v = "volatile" if optimise == "-O0" or self.random.chance(60) else ""
        plans = self.plan()
        last = self.last_thread() if self.random.chance(50) else []
        once = self.once_routines()
        threads = [line for me in range(self.threads) for line in self.thread(me, plans)]
        main = self.main_function(plans, last)
        # No calls of memset() and memcpy() in place of loops.
        head = f"// flags: {optimise} -g -pthread -w -fno-tree-loop-distribute-patterns\n#define V {v}"
        return head + PRELUDE + "\n".join(once + self.routines + last + threads + main) + "\n"


print(Generator(int(sys.argv[1])).program(), end="")
