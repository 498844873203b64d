/* SPDX-License-Identifier: GPL-2.0-or-later
 * Calls every entry point of libgomp that is wrapped, in teams of one thread, and prints which operation each must be
 * in the log, with what the call gave. */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>

typedef unsigned long long Ull;

static void function(void* data) { (void)data; }

/* --- loops --- */

#define DECLARE_LOOP(kind)                                                    \
  extern bool GOMP_loop_##kind##_start(long, long, long, long, long*, long*); \
  extern bool GOMP_loop_##kind##_next(long*, long*);
#define DECLARE_RUNTIME_LOOP(kind)                                      \
  extern bool GOMP_loop_##kind##_start(long, long, long, long*, long*); \
  extern bool GOMP_loop_##kind##_next(long*, long*);
#define DECLARE_ULL(kind)                                                         \
  extern bool GOMP_loop_ull_##kind##_start(bool, Ull, Ull, Ull, Ull, Ull*, Ull*); \
  extern bool GOMP_loop_ull_##kind##_next(Ull*, Ull*);
#define DECLARE_RUNTIME_ULL(kind)                                            \
  extern bool GOMP_loop_ull_##kind##_start(bool, Ull, Ull, Ull, Ull*, Ull*); \
  extern bool GOMP_loop_ull_##kind##_next(Ull*, Ull*);

/* with a chunk, and its schedule; without one; of each the ordered ones */
#define CHUNKED(F) \
  F(static, 1, 0) F(dynamic, 2, 0) F(guided, 3, 0) F(nonmonotonic_dynamic, 2, 0) F(nonmonotonic_guided, 3, 0)
#define ORDERED(F) F(ordered_static, 1, 1) F(ordered_dynamic, 2, 1) F(ordered_guided, 3, 1)
#define RUNTIME(F) \
  F(runtime, 4, 0) F(nonmonotonic_runtime, 4, 0) F(maybe_nonmonotonic_runtime, 4, 0) F(ordered_runtime, 4, 1)

#define DECLARE(kind, schedule, ordered) DECLARE_LOOP(kind) DECLARE_ULL(kind)
#define DECLARE_RUNTIME(kind, schedule, ordered) DECLARE_RUNTIME_LOOP(kind) DECLARE_RUNTIME_ULL(kind)
CHUNKED(DECLARE)
ORDERED(DECLARE)
RUNTIME(DECLARE_RUNTIME)
extern void GOMP_loop_end(void), GOMP_loop_end_nowait(void);
extern bool GOMP_loop_end_cancel(void);
extern bool GOMP_loop_start(long, long, long, long, long, long*, long*, void*, void**);
extern bool GOMP_loop_ordered_start(long, long, long, long, long, long*, long*, void*, void**);
extern bool GOMP_loop_ull_start(bool, Ull, Ull, Ull, long, Ull, Ull*, Ull*, void*, void**);
extern bool GOMP_loop_ull_ordered_start(bool, Ull, Ull, Ull, long, Ull, Ull*, Ull*, void*, void**);
extern void GOMP_ordered_start(void), GOMP_ordered_end(void);

static void told(const char* op, unsigned long value, unsigned long first, unsigned long end, unsigned long result) {
  printf("%s %lu %lu %lu %lu\n", op, value, result ? first : 0, result ? end : 0, result);
}
static void told_start(int schedule, int chunk, int ordered, bool got, unsigned long first, unsigned long end) {
  told("omp-work-begin", 1 | schedule << 4 | ordered << 7 | chunk << 8, first, end, got);
}
static void told_end(void) {
  told("omp-work-end", 0, 0, 0, 0);
  GOMP_loop_end();
}
static void in_order(int ordered) {
  if (!ordered) return;
  GOMP_ordered_start();
  GOMP_ordered_end();
  told("omp-exclusive-begin", 5, 0, 5, 1);
  told("omp-exclusive-end", 5, 0, 0, 0);
}

#define REST(kind, type, ordered)                                            \
  while (got) {                                                              \
    in_order(ordered);                                                       \
    got = GOMP_loop_##kind##_next(&first, &end);                             \
    told("omp-work-next", 0, (unsigned long)first, (unsigned long)end, got); \
  }                                                                          \
  told_end();
#define TRY(kind, schedule, ordered)                                                 \
  {                                                                                  \
    long first = 0, end = 0;                                                         \
    bool got = GOMP_loop_##kind##_start(0, 4, 1, 2, &first, &end);                   \
    told_start(schedule, 2, ordered, got, (unsigned long)first, (unsigned long)end); \
    REST(kind, long, ordered)                                                        \
  }                                                                                  \
  {                                                                                  \
    Ull first = 0, end = 0;                                                          \
    bool got = GOMP_loop_ull_##kind##_start(true, 0, 4, 1, 2, &first, &end);         \
    told_start(schedule, 2, ordered, got, first, end);                               \
    REST(ull_##kind, Ull, ordered)                                                   \
  }
#define TRY_RUNTIME(kind, schedule, ordered)                                         \
  {                                                                                  \
    long first = 0, end = 0;                                                         \
    bool got = GOMP_loop_##kind##_start(0, 4, 1, &first, &end);                      \
    told_start(schedule, 0, ordered, got, (unsigned long)first, (unsigned long)end); \
    REST(kind, long, ordered)                                                        \
  }                                                                                  \
  {                                                                                  \
    Ull first = 0, end = 0;                                                          \
    bool got = GOMP_loop_ull_##kind##_start(true, 0, 4, 1, &first, &end);            \
    told_start(schedule, 0, ordered, got, first, end);                               \
    REST(ull_##kind, Ull, ordered)                                                   \
  }

static void general_loops(void) {
  long first = 0, end = 0;
  Ull ull_first = 0, ull_end = 0;
  bool got = GOMP_loop_start(0, 4, 1, 2, 3, &first, &end, NULL, NULL);
  told_start(2, 3, 0, got, (unsigned long)first, (unsigned long)end);
  told_end();
  got = GOMP_loop_ordered_start(0, 4, 1, 3, 1, &first, &end, NULL, NULL);
  told_start(3, 1, 1, got, (unsigned long)first, (unsigned long)end);
  told_end();
  got = GOMP_loop_ull_start(true, 0, 4, 1, 2, 3, &ull_first, &ull_end, NULL, NULL);
  told_start(2, 3, 0, got, ull_first, ull_end);
  told("omp-work-end", 1, 0, 0, 0);
  GOMP_loop_end_nowait();
  got = GOMP_loop_ull_ordered_start(true, 0, 4, 1, 1, 1, &ull_first, &ull_end, NULL, NULL);
  told_start(1, 1, 1, got, ull_first, ull_end);
  const bool cancelled = GOMP_loop_end_cancel();
  told("omp-work-end", 0, 0, 0, cancelled);
}

/* --- doacross --- */

#define CHUNKED_DOACROSS(F) F(static, 1) F(dynamic, 2) F(guided, 3)
#define DECLARE_DOACROSS(kind, schedule)                                              \
  extern bool GOMP_loop_doacross_##kind##_start(unsigned, long*, long, long*, long*); \
  extern bool GOMP_loop_ull_doacross_##kind##_start(unsigned, Ull*, Ull, Ull*, Ull*);
CHUNKED_DOACROSS(DECLARE_DOACROSS)
extern bool GOMP_loop_doacross_runtime_start(unsigned, long*, long*, long*);
extern bool GOMP_loop_ull_doacross_runtime_start(unsigned, Ull*, Ull*, Ull*);
extern bool GOMP_loop_doacross_start(unsigned, long*, long, long, long*, long*, void*, void**);
extern bool GOMP_loop_ull_doacross_start(unsigned, Ull*, long, Ull, Ull*, Ull*, void*, void**);
extern void GOMP_doacross_post(long*), GOMP_doacross_wait(long, ...);
extern void GOMP_doacross_ull_post(Ull*), GOMP_doacross_ull_wait(Ull, ...);

static void told_doacross(int schedule, int chunk, bool got, unsigned long first, unsigned long end) {
  told_start(schedule, chunk, 0, got, first, end);
  told("omp-doacross-post", 0, 0, 0, 0);
  told("omp-doacross-wait", 0, 0, 0, 0);
  told_end();
}
/* The last iteration waits for the first one, which is the thread's own. */
#define POST_AND_WAIT(ull, type)             \
  GOMP_doacross_##ull##post((type[]){1, 2}); \
  GOMP_doacross_##ull##wait((type)0, (type)2);
#define TRY_DOACROSS(kind, schedule)                                             \
  {                                                                              \
    long first = 0, end = 0, sizes[] = {2, 3};                                   \
    bool got = GOMP_loop_doacross_##kind##_start(2, sizes, 2, &first, &end);     \
    POST_AND_WAIT(, long)                                                        \
    told_doacross(schedule, 2, got, (unsigned long)first, (unsigned long)end);   \
  }                                                                              \
  {                                                                              \
    Ull first = 0, end = 0, sizes[] = {2, 3};                                    \
    bool got = GOMP_loop_ull_doacross_##kind##_start(2, sizes, 2, &first, &end); \
    POST_AND_WAIT(ull_, Ull)                                                     \
    told_doacross(schedule, 2, got, first, end);                                 \
  }
static void doacross(void) {
  CHUNKED_DOACROSS(TRY_DOACROSS)
  long first = 0, end = 0, sizes[] = {2, 3}, seven[] = {2, 1, 1, 1, 1, 1, 1};
  Ull ull_first = 0, ull_end = 0, ull_sizes[] = {2, 3};
  bool got = GOMP_loop_doacross_runtime_start(2, sizes, &first, &end);
  POST_AND_WAIT(, long)
  told_doacross(4, 0, got, (unsigned long)first, (unsigned long)end);
  got = GOMP_loop_ull_doacross_runtime_start(2, ull_sizes, &ull_first, &ull_end);
  POST_AND_WAIT(ull_, Ull)
  told_doacross(4, 0, got, ull_first, ull_end);
  got = GOMP_loop_doacross_start(7, seven, 1, 2, &first, &end, NULL, NULL);
  GOMP_doacross_post((long[]){1, 0, 0, 0, 0, 0, 0});
  GOMP_doacross_wait(0L, 0L, 0L, 0L, 0L, 0L, 0L);
  told_doacross(1, 2, got, (unsigned long)first, (unsigned long)end);
  got = GOMP_loop_ull_doacross_start(2, ull_sizes, 2, 2, &ull_first, &ull_end, NULL, NULL);
  told_start(2, 2, 0, got, ull_first, ull_end);
  told_end();
}

/* --- sections, single, barriers --- */

extern unsigned GOMP_sections_start(unsigned), GOMP_sections_next(void);
extern unsigned GOMP_sections2_start(unsigned, void*, void**);
extern void GOMP_sections_end(void), GOMP_sections_end_nowait(void);
extern bool GOMP_sections_end_cancel(void), GOMP_single_start(void), GOMP_barrier_cancel(void);
extern void* GOMP_single_copy_start(void);
extern void GOMP_single_copy_end(void*), GOMP_barrier(void);

static void next_sections(void) {
  for (unsigned n = 1; n;) {
    n = GOMP_sections_next();
    told("omp-work-next", 0, 0, 0, n);
  }
}
static void sections(void) {
  told("omp-work-begin", 2, 0, 0, GOMP_sections_start(2));
  next_sections();
  GOMP_sections_end();
  told("omp-work-end", 0, 0, 0, 0);
  told("omp-work-begin", 2, 0, 0, GOMP_sections2_start(1, NULL, NULL));
  next_sections();
  GOMP_sections_end_nowait();
  told("omp-work-end", 1, 0, 0, 0);
  told("omp-work-begin", 2, 0, 0, GOMP_sections_start(1));
  next_sections();
  told("omp-work-end", 0, 0, 0, GOMP_sections_end_cancel());
}
static void singles(void) {
  told("omp-work-begin", 3, 0, 0, GOMP_single_start());
  told("omp-work-begin", 4, 0, 0, GOMP_single_copy_start() == NULL);
  GOMP_single_copy_end(NULL);
  told("omp-work-end", 0, 0, 0, 0);
  GOMP_barrier();
  told("omp-barrier", 0, 0, 0, 0);
  told("omp-barrier", 0, 0, 0, GOMP_barrier_cancel());
  omp_get_thread_num();
  told("omp-thread-number", 0, 0, 0, 0);
}

/* --- locks --- */

extern void GOMP_critical_start(void), GOMP_critical_end(void), GOMP_atomic_start(void), GOMP_atomic_end(void);
extern void GOMP_critical_name_start(void**), GOMP_critical_name_end(void**);

static void* name;
static omp_lock_t lock;
static omp_nest_lock_t nest;

static void begun(unsigned long kind, int got) { told("omp-exclusive-begin", kind, 0, kind, (unsigned long)got); }
static void ended(unsigned long kind) { told("omp-exclusive-end", kind, 0, 0, 0); }

static void locks(void) {
  GOMP_critical_start();
  begun(0, 1);
  GOMP_critical_end();
  ended(0);
  GOMP_critical_name_start(&name);
  begun(1, 1);
  GOMP_critical_name_end(&name);
  ended(1);
  GOMP_atomic_start();
  begun(2, 1);
  GOMP_atomic_end();
  ended(2);
  omp_init_lock(&lock);
  omp_set_lock(&lock);
  begun(3, 1);
  const int got = omp_test_lock(&lock);
  told("omp-exclusive-begin", 3, 0, 0, (unsigned long)got);
  omp_unset_lock(&lock);
  ended(3);
  omp_init_nest_lock(&nest);
  omp_set_nest_lock(&nest);
  begun(4, 1);
  begun(4, omp_test_nest_lock(&nest) == 2);
  omp_unset_nest_lock(&nest);
  ended(4);
  omp_unset_nest_lock(&nest);
  ended(4);
}

/* --- tasks --- */

extern void GOMP_task(void (*)(void*), void*, void (*)(void*, void*), long, long, bool, unsigned, void**, int, void*);
extern void GOMP_taskloop(void (*)(void*), void*, void (*)(void*, void*), long, long, unsigned, unsigned long, int,
                          long, long, long);
extern void GOMP_taskloop_ull(void (*)(void*), void*, void (*)(void*, void*), long, long, unsigned, unsigned long, int,
                              Ull, Ull, Ull);
extern void GOMP_taskwait(void), GOMP_taskwait_depend(void**), GOMP_taskgroup_start(void), GOMP_taskgroup_end(void);
extern void GOMP_taskgroup_reduction_register(unsigned long*), GOMP_taskgroup_reduction_unregister(unsigned long*);
extern void GOMP_task_reduction_remap(unsigned long, unsigned long, void**);

static long bounds[8][2], given[3];
static int loops_run;
static void add(void* data) {
  const long* const values = data;
  given[0] = values[0];
  given[1] = values[1];
}
static void take_bounds(void* data) {
  const long* const values = data;
  bounds[loops_run][0] = values[0];
  bounds[loops_run++][1] = values[1];
}
static void copy(void* to, void* from) {
  long *const t = to, *const f = from;
  t[0] = f[0] + 1;
  t[1] = f[1] + 1;
}

static void fulfil(void* data) { omp_fulfill_event(*(omp_event_handle_t*)data); }

static void told_task(unsigned long flags, int tasks, unsigned long size) {
  for (int i = 0; i < tasks; i++) told("omp-task-data", size, 0, 0, 0);
  for (int i = 0; i < tasks; i++) told("omp-task", 0, 0, 0, 0);
  told("omp-task-create", flags, 0, 0, 0);
}
static void tasks(void) {
  long data[2] = {5, 6};
  void* depend[] = {(void*)2, (void*)1, &data[0], &data[1]};
  GOMP_task(add, data, NULL, sizeof data, sizeof(long), false, 0, NULL, 0, NULL);
  told_task(1, 1, sizeof data);
  printf("# %ld %ld\n", given[0], given[1]);
  GOMP_task(add, data, copy, sizeof data, 64, false, 2, NULL, 0, NULL);
  told_task(3, 1, sizeof data);
  printf("# %ld %ld\n", given[0], given[1]);
  GOMP_task(function, NULL, NULL, 0, 1, false, 8, depend, 0, NULL);
  told("omp-task-depend", 2, 0, 0, 0);
  told("omp-task-depend", 1, 0, 0, 0);
  told_task(1, 1, 0);
  GOMP_taskloop(take_bounds, data, NULL, sizeof data, sizeof(long), 1 << 8 | 1 << 11, 2, 0, 0, 4, 1);
  told_task(4 | 1 | 8, 2, sizeof data);
  GOMP_taskloop_ull(take_bounds, data, NULL, sizeof data, sizeof(long), 1 << 8 | 1 << 11, 2, 0, 0, 6, 1);
  told_task(4 | 1 | 8, 2, sizeof data);
  for (int i = 0; i < loops_run; i++) printf("# %ld %ld\n", bounds[i][0], bounds[i][1]);
  GOMP_taskwait();
  told("omp-taskwait", 0, 0, 0, 0);
  GOMP_taskwait_depend(depend);
  told("omp-task-depend", 2, 0, 0, 0);
  told("omp-task-depend", 1, 0, 0, 0);
  told("omp-taskwait", 1, 0, 0, 0);
  omp_event_handle_t event;
  GOMP_task(fulfil, data, NULL, sizeof data, sizeof(long), false, 1 << 13, NULL, 0, &event);
  told("omp-task-data", sizeof data, 0, 0, 0);
  told("omp-task-fulfil", 0, 0, 0, 0);
  told("omp-task", 0, 0, 0, 0);
  told("omp-task-create", 1 | 16, 0, 0, 0);
  GOMP_taskgroup_start();
  told("omp-taskgroup-begin", 0, 0, 0, 0);
  GOMP_taskgroup_end();
  told("omp-taskgroup-end", 0, 0, 0, 0);
}

/* --- regions --- */

extern void GOMP_teams_reg(void (*)(void*), void*, unsigned, unsigned, unsigned);
extern void GOMP_parallel(void (*)(void*), void*, unsigned, unsigned);
extern unsigned GOMP_parallel_reductions(void (*)(void*), void*, unsigned, unsigned);
extern void GOMP_parallel_sections(void (*)(void*), void*, unsigned, unsigned, unsigned);
#define DECLARE_PARALLEL(kind) \
  extern void GOMP_parallel_loop_##kind(void (*)(void*), void*, unsigned, long, long, long, long, unsigned);
#define DECLARE_RUNTIME_PARALLEL(kind) \
  extern void GOMP_parallel_loop_##kind(void (*)(void*), void*, unsigned, long, long, long, unsigned);
DECLARE_PARALLEL(static)
DECLARE_PARALLEL(dynamic)
DECLARE_PARALLEL(guided)
DECLARE_PARALLEL(nonmonotonic_dynamic)
DECLARE_PARALLEL(nonmonotonic_guided)
DECLARE_RUNTIME_PARALLEL(runtime)
DECLARE_RUNTIME_PARALLEL(nonmonotonic_runtime)
DECLARE_RUNTIME_PARALLEL(maybe_nonmonotonic_runtime)

static void all_loops(void* data) {
  (void)data;
  CHUNKED(TRY)
  ORDERED(TRY)
  RUNTIME(TRY_RUNTIME)
  general_loops();
  doacross();
  sections();
  singles();
  locks();
  tasks();
}
static void told_region(void) {
  told("omp-implicit-task", 0, 0, 0, 0);
  told("omp-parallel", 1, 0, 0, 0);
}
static void end_loop(void* data) {
  (void)data;
  GOMP_loop_end_nowait();
}
static void end_sections(void* data) {
  (void)data;
  GOMP_sections_end_nowait();
}
static void regions(void) {
  GOMP_teams_reg(function, NULL, 2, 0, 0);
  told("omp-implicit-task", 0, 0, 0, 0);
  told("omp-implicit-task", 1, 0, 0, 0);
  told("omp-parallel", 1UL << 32 | 2, 0, 0, 0);
  GOMP_parallel(all_loops, NULL, 1, 0);
  told_region();
#define REGION(kind, schedule)                                 \
  GOMP_parallel_loop_##kind(end_loop, NULL, 1, 0, 4, 1, 2, 0); \
  told("omp-work-begin", 1 | schedule << 4 | 2 << 8, 0, 0, 0); \
  told("omp-work-end", 1, 0, 0, 0);                            \
  told_region();
#define RUNTIME_REGION(kind)                                \
  GOMP_parallel_loop_##kind(end_loop, NULL, 1, 0, 4, 1, 0); \
  told("omp-work-begin", 1 | 4 << 4, 0, 0, 0);              \
  told("omp-work-end", 1, 0, 0, 0);                         \
  told_region();
  REGION(static, 1)
  REGION(dynamic, 2)
  REGION(guided, 3)
  REGION(nonmonotonic_dynamic, 2)
  REGION(nonmonotonic_guided, 3)
  RUNTIME_REGION(runtime)
  RUNTIME_REGION(nonmonotonic_runtime)
  RUNTIME_REGION(maybe_nonmonotonic_runtime)
  GOMP_parallel_sections(end_sections, NULL, 1, 3, 0);
  told("omp-work-begin", 2, 0, 0, 0);
  told("omp-work-end", 1, 0, 0, 0);
  told_region();
}

/* --- target constructs, executed by the host --- */

extern void GOMP_target_ext(int, void (*)(void*), size_t, void**, size_t*, unsigned short*, unsigned, void**, void**);
extern bool GOMP_teams4(unsigned, unsigned, unsigned, bool);
#define DECLARE_UPDATE(name) extern void name(int, size_t, void**, size_t*, unsigned short*, unsigned, void**);
DECLARE_UPDATE(GOMP_target_update_ext)
DECLARE_UPDATE(GOMP_target_enter_exit_data)

static void two_teams(void* data) {
  *((void***)data)[0] = data;
  for (bool first = true; GOMP_teams4(2, 2, 0, first); first = false)
    ;
}
static void targets(void) {
  enum { ON_HOST = -2, NOWAIT = 1, TOFROM = 3 };
  void *word = NULL, *list[] = {&word}, *depend[] = {(void*)1, (void*)1, &word};
  size_t sizes[] = {sizeof word};
  unsigned short kinds[] = {3 << 8 | TOFROM};
  GOMP_target_ext(ON_HOST, two_teams, 1, list, sizes, kinds, 0, depend, NULL);
  told("omp-thread-number", 2, 0, 0, 0);
  told("omp-task-depend", 2, 0, 0, 0);
  told("omp-task-data", 0, 0, 0, 0);
  told("omp-implicit-task", 0, 0, 0, 0);
  told("omp-implicit-task", 1, 0, 0, 0);
  told("omp-parallel", 1UL << 32 | 2, 0, 0, 0);
  told("omp-task", 0, 0, 0, 0);
  told("omp-task-create", 1, 0, 0, 0);
  printf("# %d\n", word != NULL);
  GOMP_target_update_ext(ON_HOST, 1, list, sizes, kinds, 0, depend);
  told("omp-task-depend", 2, 0, 0, 0);
  told("omp-taskwait", 1, 0, 0, 0);
  GOMP_target_enter_exit_data(ON_HOST, 1, list, sizes, kinds, 0, NULL);
  told("omp-thread-number", 2, 0, 0, 0);
  GOMP_target_ext(ON_HOST, function, 0, NULL, NULL, NULL, NOWAIT, NULL, NULL);
  told("omp-thread-number", 2, 0, 0, 0);
  told("omp-task-data", 0, 0, 0, 0);
  told("omp-task-create", 32, 0, 0, 0);
  GOMP_taskwait();
  told("omp-task", 0, 0, 0, 0);
  told("omp-taskwait", 0, 0, 0, 0);
  omp_get_team_num();
  told("omp-thread-number", 2, 0, 0, 0);
}

int main(void) {
  regions();
  targets();
  /* What the compiler's code calls of task reductions is not told line by line. */
#pragma omp parallel num_threads(1) reduction(task, + : loops_run)
#pragma omp taskgroup task_reduction(+ : loops_run)
#pragma omp task in_reduction(+ : loops_run)
  loops_run += 1;
#pragma omp parallel num_threads(1)
#pragma omp for reduction(task, + : loops_run)
  for (int i = 0; i < 2; i++) loops_run += 1;
  return 0;
}
