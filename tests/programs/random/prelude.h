// SPDX-License-Identifier: GPL-2.0-or-later
// What all random test programs begin with: C text, not C++. Data of all kinds and functions that do one
// unusual thing each. Nothing here depends on addresses, so a program without threads repeats exactly.
#ifndef CDRGRIND_TESTS_PROGRAMS_RANDOM_PRELUDE_H
#define CDRGRIND_TESTS_PROGRAMS_RANDOM_PRELUDE_H

inline constexpr char kPrelude[] = R"c(
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef u32 v4 __attribute__((vector_size(16)));
typedef u64 (*function)(int depth, u64 a, u64 b);
union mixed { u8 b[64]; u16 h[32]; u32 w[16]; u64 q[8]; float f[16]; double d[8]; };
struct bits { u32 a : 3, b : 7, c : 12, d : 10; u64 e : 33, f : 31; };
struct rec { u8 tag; u16 half; u32 word; u64 quad; double real; u8 tail[24]; };

static u64 g_quad[32];
static u8 g_byte[128];
static double g_real[16];
static v4 g_vector[8];
static union mixed g_mixed;
static struct bits g_bits;
static struct rec g_rec[8];
static u64 g_atomic[4];
static u64 g_guarded[8];
static pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
static int g_pipe[2];
static u8 *g_page;
static volatile u64 g_signals[8];
static u64 *g_shared;
static __thread u64 t_quad[8];
static __thread long fuel;
static __thread u8 *pool[8];
static __thread u32 pool_size[8];
static __thread sigjmp_buf *landing;
static __thread volatile int leap;

// Loads and stores by the function itself, by a function that it calls, and by a hidden one (a name that
// begins with hidden_). Several functions and threads make them on the same words.
#define LOAD(p) (sink ^= *(volatile u64 *)(p))
#define STORE(p) (*(volatile u64 *)(p) = *(u64 *)&t_quad)
static volatile u64 sink;
static NOINLINE void load(void *p) { LOAD(p); }
static NOINLINE void store(void *p) { STORE(p); }
static NOINLINE void hidden_load(void *p) { LOAD(p); }
static NOINLINE void hidden_store(void *p) { STORE(p); }
static u64 relay_global[8];
static u64 *relay_heap, *relay_stack, *relay_dead;

// Words of the GOT; a store leaves them as they are. The first three are read-only, and all when bound at once.
static inline u64 *link_table(void) {
  u64 *table;
  __asm__("lea _GLOBAL_OFFSET_TABLE_(%%rip), %0" : "=r"(table));
  return table;
}
#if BOUND_LAZILY
#define LINK(i) (link_table() + 3 + (i))
#define KEEP(p) (*(volatile u64 *)(p) = *(volatile u64 *)(p))
#else
#define LINK(i) (link_table() + (i))
#define KEEP(p) LOAD(p)
#endif
// Not for the eyes of AddressSanitizer.
#ifdef __SANITIZE_ADDRESS__
#define DEAD(statements)
#else
#define DEAD(statements) statements
#endif
static NOINLINE void keep(void *p) { KEEP(p); }
static NOINLINE void hidden_keep(void *p) { KEEP(p); }

// Heap blocks, each thread's own.
static NOINLINE u64 pool_new(u32 i, u32 n) {
  free(pool[i & 7]);
  n = 1 + n % 600;
  pool[i & 7] = malloc(n);
  pool_size[i & 7] = n;
  memset(pool[i & 7], n, n);
  return n;
}
static NOINLINE u64 pool_zero(u32 i, u32 n) {
  free(pool[i & 7]);
  n = 1 + n % 40;
  pool[i & 7] = calloc(n, 8);
  pool_size[i & 7] = 8 * n;
  return pool[i & 7][n];
}
static NOINLINE u64 pool_resize(u32 i, u32 n) {
  u32 old = pool_size[i & 7];
  n = 1 + n % 900;
  pool[i & 7] = realloc(pool[i & 7], n);
  pool_size[i & 7] = n;
  if (n > old) memset(pool[i & 7] + old, 7, n - old);
  return pool[i & 7][n / 2];
}
static NOINLINE void pool_drop(u32 i) {
  free(pool[i & 7]);
  pool[i & 7] = NULL;
  pool_size[i & 7] = 0;
}
static NOINLINE u64 pool_touch(u32 i, u64 x) {
  u64 q;
  u32 n = pool_size[i & 7];
  u8 *p = pool[i & 7];
  if (!n) return 1;
  p[x % n] += x;
  if (n < 8) return p[0];
  memcpy(&q, p + x % (n - 7), 8);
  q ^= x;
  memcpy(p + (x >> 3) % (n - 7), &q, 8);
  return q;
}
static NOINLINE u64 big_block(u64 x) {
  u64 n = 150000 + x % 5000;
  u8 *p = malloc(n);
  p[x % n] = x;
  p[n - 1] = p[x % n];
  p = realloc(p, n + 200000);
  x += p[n - 1];
  free(p);
  return x;
}
static NOINLINE u64 fresh_page(u64 x) {
  u8 *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  p[x & 8191] = x;
  x += p[x & 4095] + p[x & 8191];
  munmap(p, 4096);
  x += p[4096 + (x & 4095)];
  munmap(p + 4096, 4096);
  return x;
}

// A round trip through a pipe: system calls that read and write memory.
static NOINLINE u64 through_pipe(u64 x) {
  u64 out[4], in[4] = {0};
  for (int i = 0; i < 4; i++) out[i] = x + i;
  if (write(g_pipe[1], out, sizeof out) != sizeof out) return 0;
  if (read(g_pipe[0], in, sizeof in) != sizeof in) return 1;
  return in[x & 3];
}

// Jumps over frames, also out of a signal handler.
static NOINLINE u64 thrower(int depth, u64 a) {
  u8 pad[24];
  memset(pad, (int)a, sizeof pad);
  if (depth <= 0 && landing) siglongjmp(*landing, 1);
  if (depth <= 0) return pad[a % 24];
  return thrower(depth - 1, a + pad[a % 24]) + pad[depth % 24];
}
static NOINLINE u64 catcher(function f, int depth, u64 a, int from_handler) {
  sigjmp_buf here, *volatile outer = landing;
  volatile u64 kept = a;
  if (sigsetjmp(here, 1) == 0) {
    landing = &here;
    if (f) kept += f(depth, a, 3);
    leap = from_handler;
    if (from_handler) raise(SIGUSR1);
    kept += thrower(depth, a);
  }
  leap = 0;
  landing = outer;
  return kept;
}

static void on_signal(int number) {
  u64 local[4];
  for (int i = 0; i < 4; i++) local[i] = g_signals[i] + number;
  g_signals[local[1] & 7] += local[2];
  t_quad[number & 7] += local[3];
  if (leap && landing) {
    leap = 0;
    siglongjmp(*landing, 2);
  }
}
static NOINLINE u64 provoke(u64 a) {
  u64 before = g_signals[a & 7];
  raise(a & 1 ? SIGUSR1 : SIGUSR2);
  return before + g_signals[a & 7];
}

// A store that faults. The handler jumps out: Valgrind keeps too few registers
// up to date for a store that is tried again.
static __thread sigjmp_buf after_fault;
static void on_fault(int number) {
  g_signals[number & 7]++;
  siglongjmp(after_fault, 1);
}
static NOINLINE u64 fault(u64 x) {
  if (sigsetjmp(after_fault, 1) != 0) return x + g_quad[x & 31];
  g_quad[x & 31] += x;
  *(volatile u64 *)(g_page + 8 * (x & 255)) = x;
  return 0;
}

static int by_value(const void *a, const void *b) {
  u64 x = *(const u64 *)a, y = *(const u64 *)b;
  return x < y ? -1 : x > y;
}
static int by_low_byte(const void *a, const void *b) { return *(const u8 *)a - *(const u8 *)b; }
static NOINLINE u64 sorted(u64 a, u64 b) {
  u64 v[9];
  for (int i = 0; i < 9; i++) v[i] = (a * (2 * i + 1)) ^ (b >> i);
  qsort(v, 9, sizeof v[0], a & 1 ? by_value : by_low_byte);
  return v[b % 9];
}

static NOINLINE u64 many(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u8 h, u32 i, u64 j, double x, struct rec r,
                         v4 v) {
  r.tail[h % 24] += c;
  return a + b * c - d + e * 3 + (f ^ g) + h + i + (j >> 2) + r.tail[g % 24] + v[b & 3] + (x > 1.5);
}
static NOINLINE struct rec make_rec(u64 a) {
  struct rec r = {0};
  r.tag = a;
  r.half = a >> 3;
  r.quad = a * 5;
  r.real = (double)(a & 255) / 3;
  memset(r.tail, (int)(a & 63), sizeof r.tail);
  return r;
}
static void rep_copy(void *to, const void *from, u64 n) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}
static void rep_fill(void *to, u64 value, u64 quads) {
  __asm__ volatile("rep stosq" : "+D"(to), "+c"(quads) : "a"(value) : "memory");
}
static NOINLINE u64 apply(function f, int depth, u64 a, u64 b) { return f(depth, a, b) + 1; }

static NOINLINE u64 locked_add(u64 a, u64 b) {
  pthread_mutex_lock(&g_mutex);
  u64 before = g_guarded[a & 7];
  g_guarded[b & 7] += before + a;
  pthread_mutex_unlock(&g_mutex);
  return before;
}
static NOINLINE u64 compare_and_swap(u64 a, u64 b) {
  u64 seen = g_atomic[a & 3];
  for (int i = 0; i < 100; i++)
    if (__atomic_compare_exchange_n(&g_atomic[a & 3], &seen, seen + b, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) break;
  return seen;
}

// Coroutines: each runs one function after another, and is resumed by any function of any thread, unless it runs.
// One that runs can yield to its resumer, or hand over to another one, from any depth. Jumps stay within each.
struct coroutine {
  ucontext_t own, *resumer;
  struct coroutine *before;  // that handed over, until it has left its stack
  u64 a, sum;
  int running;
};
static struct coroutine g_coroutine[4];
static u8 g_stacks[4][1 << 20];
static __thread struct coroutine *t_present;
static function work_of(u64 a);
// Not inlined: after a switch the thread may be another one.
static NOINLINE struct coroutine *present(void) { return t_present; }
static NOINLINE void set_present(struct coroutine *c) { t_present = c; }
static NOINLINE sigjmp_buf *own_landing(void) { return landing; }
static NOINLINE void set_landing(sigjmp_buf *l) { landing = l; }
static int take(struct coroutine *c) { return !__atomic_exchange_n(&c->running, 1, __ATOMIC_ACQ_REL); }
static void release(struct coroutine *c) { __atomic_store_n(&c->running, 0, __ATOMIC_RELEASE); }

static NOINLINE void arrive(void) {
  struct coroutine *c = present();
  if (c->before) release(c->before);
  c->before = NULL;
}
static NOINLINE u64 resume(u32 i, u64 a) {
  struct coroutine *c = &g_coroutine[i & 3], *outer = present();
  sigjmp_buf *kept = own_landing();
  ucontext_t here;
  if (!take(c)) return a;
  c->a = a;
  c->resumer = &here;
  set_present(c);
  set_landing(NULL);
  swapcontext(&here, &c->own);
  c = present();
  a = c->sum;
  release(c);
  set_present(outer);
  set_landing(kept);
  return a;
}
static NOINLINE void yield(void) {
  struct coroutine *c = present();
  sigjmp_buf *kept = own_landing();
  if (!c) return;
  swapcontext(&c->own, c->resumer);
  arrive();
  set_landing(kept);
}
static NOINLINE void hand_over(u32 i, u64 a) {
  struct coroutine *c = present(), *to = &g_coroutine[i & 3];
  sigjmp_buf *kept = own_landing();
  if (!c || !take(to)) return;
  to->a = a;
  to->resumer = c->resumer;
  to->before = c;
  set_present(to);
  set_landing(NULL);
  swapcontext(&c->own, &to->own);
  arrive();
  set_landing(kept);
}
static void coroutine_body(int i) {
  struct coroutine *c = &g_coroutine[i];
  arrive();
  for (;; yield()) c->sum += work_of(c->a)(3, c->a, c->sum);
}
// Their stacks are heap blocks, mappings of their own, or pieces of one array.
static void make_coroutines(int stacks) {
  for (int i = 0; i < 4; i++) {
    struct coroutine *c = &g_coroutine[i];
    u64 size = sizeof g_stacks[i];
    getcontext(&c->own);
    c->own.uc_stack.ss_size = size;
    c->own.uc_stack.ss_sp = g_stacks[i];
    if (stacks == 0) c->own.uc_stack.ss_sp = malloc(size);
    if (stacks == 1)
      c->own.uc_stack.ss_sp = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    makecontext(&c->own, (void (*)(void))coroutine_body, 1, i);
  }
}

static void set_up(int alternate_stack) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  if (alternate_stack) {
    stack_t stack;
    memset(&stack, 0, sizeof stack);
    stack.ss_size = 1 << 16;
    stack.ss_sp = malloc(stack.ss_size);
    sigaltstack(&stack, NULL);
    action.sa_flags = SA_ONSTACK;
  }
  action.sa_handler = on_signal;
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  action.sa_handler = on_fault;
  sigaction(SIGSEGV, &action, NULL);
  g_page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pipe(g_pipe) != 0) exit(1);
}
static void clean_up(void) {
  for (int i = 0; i < 8; i++) pool_drop(i);
}
)c";

#endif
