/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of what begins a team in libomp, of its barriers, of single and reductions. */
#include <stdarg.h>

#include "cdrgrind/preload/kmp.h"

enum { MOST_ARGUMENTS = 128 };

/* The region's function has two arguments of the runtime before those of the program: the more there are, the more are
 * passed; who has fewer does not look. */
typedef void Micro(int*, int*, ...);
#define FOUR(i) a[i], a[(i) + 1], a[(i) + 2], a[(i) + 3]
#define SIXTEEN(i) FOUR(i), FOUR((i) + 4), FOUR((i) + 8), FOUR((i) + 12)
#define SIXTY_FOUR(i) SIXTEEN(i), SIXTEEN((i) + 16), SIXTEEN((i) + 32), SIXTEEN((i) + 48)
static void call_micro(Micro* micro, int* thread, int* bound, Word count, const Word* a) {
  if (count <= 4)
    micro(thread, bound, FOUR(0));
  else if (count <= 16)
    micro(thread, bound, SIXTEEN(0));
  else
    micro(thread, bound, SIXTY_FOUR(0), SIXTY_FOUR(64));
}

typedef struct {
  Team team;
  Micro* micro;
  Word count;
  const Word* arguments;
} KmpTeam;

/* In place of the region's function. */
static void run_micro(int* thread, int* bound, KmpTeam* t) {
  RUN_MEMBER(&t->team, call_micro(t->micro, thread, bound, t->count, t->arguments));
}

/* The runtime's own region: the team of threads that execute target constructs with `nowait`. */
static void run_unlogged(int* thread, int* bound, KmpTeam* t) {
  call_micro(t->micro, thread, bound, t->count, t->arguments);
}

/* How many threads the program asks for in the region that it comes to next; 0: not told. */
static __thread Word asked __attribute__((tls_model("initial-exec")));
ALWAYS_INLINE Word take_asked(void) {
  const Word threads = asked;
  asked = 0;
  return threads;
}
static void wrap_push_threads(Word place, Word thread, Word threads) {
  OrigFn fn = original();
  const int own = within_operation();
  Operation operation = {0, CDR_SYNC_THREAD_NUMBER, 0, 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, UNTOLD);
  CALL_FN_W_WWW(r, fn, place, thread, threads);
  (void)r;
  leave(&operation, UNTOLD, 0);
  if (!own) asked = (unsigned)threads;
}

#define FORK(wrapper, league)                                                                         \
  static void wrapper(Word place, Word count, Micro* micro, ...) {                                    \
    OrigFn fn = original();                                                                           \
    Word arguments[MOST_ARGUMENTS];                                                                   \
    KmpTeam t = {{0, 0, 0, cdr_new_team(), 0, 0, 0, 0, league}, micro, (unsigned)count, arguments};   \
    Operation operation = {0, CDR_SYNC_PARALLEL, t.team.number, (Word)micro};                         \
    Word r;                                                                                           \
    va_list all;                                                                                      \
    UNWOUND_BY(cdr_sync_unwound);                                                                     \
    va_start(all, micro);                                                                             \
    for (Word i = 0; i < t.count && i < MOST_ARGUMENTS; i++) arguments[i] = va_arg(all, Word);        \
    va_end(all);                                                                                      \
    enter(&operation, (league) ? LEAGUE : take_asked());                                              \
    CALL_FN_W_WWWW(r, fn, place, 1, (operation.op & CDR_SYNC_HIDDEN) ? run_unlogged : run_micro, &t); \
    (void)r;                                                                                          \
    leave(&operation, 0, 0);                                                                          \
  }                                                                                                   \
  typedef int fork_##wrapper
FORK(wrap_fork_call, 0);
FORK(wrap_fork_teams, 1);
KMP_NAMES(wrap_fork_call, __kmpc_fork_call);
KMP_NAMES(wrap_fork_teams, __kmpc_fork_teams);

static void wrap_serialized(Word place, Word thread) {
  OrigFn fn = original();
  const int own = within_operation();
  Operation operation = {0, CDR_SYNC_THREAD_NUMBER, 0, 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, UNTOLD);
  CALL_FN_W_WW(r, fn, place, thread);
  (void)r;
  leave(&operation, UNTOLD, 0);
  take_asked();
  if (!own) cdr_serialized++;
}
static void wrap_end_serialized(Word place, Word thread) {
  OrigFn fn = original();
  const int own = within_operation();
  Operation operation = {0, CDR_SYNC_THREAD_NUMBER, 0, 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  if (!own && cdr_serialized) cdr_serialized--;
  enter(&operation, UNTOLD);
  CALL_FN_W_WW(r, fn, place, thread);
  (void)r;
  leave(&operation, UNTOLD, 0);
}
KMP_NAMES(wrap_serialized, __kmpc_serialized_parallel);
KMP_NAMES(wrap_end_serialized, __kmpc_end_serialized_parallel);

RUNTIME_CALL(wrap_kmp_barrier, (Word place, Word thread), CALL_FN_W_WW(r, fn, place, thread),
             OF_TEAM(CDR_SYNC_TEAM_BARRIER), 0, 0, TOLD_OR(0), 0, TOLD_OR(0), 0, r);
RUNTIME_CALL(wrap_kmp_cancel_barrier, (Word place, Word thread), CALL_FN_W_WW(r, fn, place, thread),
             OF_TEAM(CDR_SYNC_TEAM_BARRIER), 0, 0, TOLD_OR(0), 0, TOLD_OR(0), (int)r != 0, r);
/* The runtime copies from who executed the single to the others, between two barriers. */
RUNTIME_CALL(wrap_kmp_copyprivate, (Word place, Word thread, Word size, Word data, Word copy, Word executed),
             CALL_FN_W_6W(r, fn, place, thread, size, data, copy, executed), OF_TEAM(CDR_SYNC_TEAM_BARRIER), 0, 0,
             TOLD_OR(0), 0, TOLD_OR(0), 0, r);
RUNTIME_CALL(wrap_kmp_single, (Word place, Word thread), CALL_FN_W_WW(r, fn, place, thread),
             OF_TEAM(CDR_SYNC_WORK_BEGIN), 0, 0, TOLD_OR(WORK_SINGLE | WORK_ENDS_TOLD), 0, TOLD_OR(0), (int)r != 0, r);
RUNTIME_CALL(wrap_kmp_end_single, (Word place, Word thread), CALL_FN_W_WW(r, fn, place, thread),
             OF_TEAM(CDR_SYNC_WORK_END), 0, 0, TOLD_OR(1), 0, TOLD_OR(1), 0, r);
KMP_NAMES(wrap_kmp_barrier, __kmpc_barrier);
KMP_NAMES(wrap_kmp_cancel_barrier, __kmpc_cancel_barrier);
KMP_NAMES(wrap_kmp_copyprivate, __kmpc_copyprivate);
KMP_NAMES(wrap_kmp_single, __kmpc_single);
KMP_NAMES(wrap_kmp_end_single, __kmpc_end_single);

UNTOLD_CALL(wrap_untold_1, (Word a), CALL_FN_W_W(r, fn, a));
UNTOLD_CALL(wrap_untold_2, (Word a, Word b), CALL_FN_W_WW(r, fn, a, b));
UNTOLD_CALL(wrap_untold_3, (Word a, Word b, Word c), CALL_FN_W_WWW(r, fn, a, b, c));
UNTOLD_CALL(wrap_untold_4, (Word a, Word b, Word c, Word d), CALL_FN_W_WWWW(r, fn, a, b, c, d));
UNTOLD_CALL(wrap_untold_5, (Word a, Word b, Word c, Word d, Word e), CALL_FN_W_5W(r, fn, a, b, c, d, e));
KMP_NAMES(wrap_untold_2, __kmpc_master);
KMP_NAMES(wrap_untold_2, __kmpc_end_master);
KMP_NAMES(wrap_untold_3, __kmpc_masked);
KMP_NAMES(wrap_untold_2, __kmpc_end_masked);
KMP_NAMES(wrap_untold_1, __kmpc_global_thread_num);
KMP_NAMES(wrap_push_threads, __kmpc_push_num_threads);
KMP_NAMES(wrap_untold_4, __kmpc_push_num_teams);
KMP_NAMES(wrap_untold_5, __kmpc_push_num_teams_51);
KMP_NAMES(wrap_untold_3, __kmpc_push_proc_bind);
KMP_NAMES(wrap_untold_3, __kmpc_cancel);
KMP_NAMES(wrap_untold_3, __kmpc_cancellationpoint);
KMP_NAMES(wrap_untold_5, __kmpc_threadprivate_cached);
KMP_NAMES(wrap_untold_1, __kmpc_begin);
KMP_NAMES(wrap_untold_1, __kmpc_end);

/* Who gets 1 adds its part, under a lock or for all; who gets 2 does so by atomic instructions; who gets 0 does
 * nothing. */
RUNTIME_CALL(wrap_reduce_nowait, (Word place, Word thread, Word count, Word size, Word data, Word add, Word lock),
             CALL_FN_W_7W(r, fn, place, thread, count, size, data, add, lock), CDR_SYNC_EXCLUSIVE_BEGIN, lock, 0,
             EXCLUSIVE_CRITICAL, 0, EXCLUSIVE_CRITICAL, (int)r == 1, r);
RUNTIME_CALL(wrap_end_reduce_nowait, (Word place, Word thread, Word lock), CALL_FN_W_WWW(r, fn, place, thread, lock),
             CDR_SYNC_EXCLUSIVE_END, lock, 0, EXCLUSIVE_CRITICAL, 0, EXCLUSIVE_CRITICAL, 0, r);
KMP_NAMES(wrap_reduce_nowait, __kmpc_reduce_nowait);
KMP_NAMES(wrap_end_reduce_nowait, __kmpc_end_reduce_nowait);

/* With a barrier: who gets 0 has passed it then, the others pass it at the end. That is what a single with copyprivate
 * does. */
static Word wrap_reduce(Word place, Word thread, Word count, Word size, Word data, Word add, Word lock) {
  OrigFn fn = original();
  Operation operation = {0, OF_TEAM(CDR_SYNC_WORK_BEGIN), 0, 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, TOLD_OR(WORK_COPY_SINGLE));
  CALL_FN_W_7W(r, fn, place, thread, count, size, data, add, lock);
  leave(&operation, TOLD_OR(0), (int)r != 0);
  if ((int)r == 1) tell(CDR_SYNC_EXCLUSIVE_BEGIN, lock, 0, EXCLUSIVE_CRITICAL, 1);
  return r;
}
static Word wrap_end_reduce(Word place, Word thread, Word lock) {
  OrigFn fn = original();
  Operation operation = {0, OF_TEAM(CDR_SYNC_WORK_END), 0, 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  tell(CDR_SYNC_EXCLUSIVE_END, lock, 0, EXCLUSIVE_CRITICAL, 0);
  enter(&operation, TOLD_OR(0));
  CALL_FN_W_WWW(r, fn, place, thread, lock);
  leave(&operation, TOLD_OR(0), 0);
  return r;
}
KMP_NAMES(wrap_reduce, __kmpc_reduce);
KMP_NAMES(wrap_end_reduce, __kmpc_end_reduce);

RUNTIME_CALL(wrap_kmp_critical, (Word place, Word thread, Word lock), CALL_FN_W_WWW(r, fn, place, thread, lock),
             CDR_SYNC_EXCLUSIVE_BEGIN, lock, 0, EXCLUSIVE_NAMED, 0, EXCLUSIVE_NAMED, 1, r);
RUNTIME_CALL(wrap_kmp_critical_with_hint, (Word place, Word thread, Word lock, Word hint),
             CALL_FN_W_WWWW(r, fn, place, thread, lock, hint), CDR_SYNC_EXCLUSIVE_BEGIN, lock, 0, EXCLUSIVE_NAMED, 0,
             EXCLUSIVE_NAMED, 1, r);
RUNTIME_CALL(wrap_kmp_end_critical, (Word place, Word thread, Word lock), CALL_FN_W_WWW(r, fn, place, thread, lock),
             CDR_SYNC_EXCLUSIVE_END, lock, 0, EXCLUSIVE_NAMED, 0, EXCLUSIVE_NAMED, 0, r);
KMP_NAMES(wrap_kmp_critical, __kmpc_critical);
KMP_NAMES(wrap_kmp_critical_with_hint, __kmpc_critical_with_hint);
KMP_NAMES(wrap_kmp_end_critical, __kmpc_end_critical);

RUNTIME_CALL(wrap_kmp_ordered, (Word place, Word thread), CALL_FN_W_WW(r, fn, place, thread), CDR_SYNC_EXCLUSIVE_BEGIN,
             THE_ORDERED, 0, EXCLUSIVE_ORDERED, 0, EXCLUSIVE_ORDERED, 1, r);
RUNTIME_CALL(wrap_kmp_end_ordered, (Word place, Word thread), CALL_FN_W_WW(r, fn, place, thread),
             CDR_SYNC_EXCLUSIVE_END, THE_ORDERED, 0, EXCLUSIVE_ORDERED, 0, EXCLUSIVE_ORDERED, 0, r);
KMP_NAMES(wrap_kmp_ordered, __kmpc_ordered);
KMP_NAMES(wrap_kmp_end_ordered, __kmpc_end_ordered);
