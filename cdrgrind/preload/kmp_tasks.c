/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of libomp's tasks. The runtime makes room for a task, which the program fills and hands over. We ask for
 * more room, between the task and what it shares (which the runtime tells by an address): there stands what we know of
 * the task. */
#include <stdint.h>

#include "cdrgrind/preload/kmp.h"
#include "cdrgrind/preload/task.h"

typedef struct KmpTask {
  char* shareds;
  void* routine;
} KmpTask;

typedef struct {
  int (*entry)(int, KmpTask*);
  void (*duplicate)(KmpTask*, KmpTask*, int);
  Word number, size, flags, handle;
} Known;

typedef struct {
  Word addr, size;
  uint8_t flags;
} KmpDepend;

/* Of the runtime. */
enum { KMP_FINAL = 2, KMP_DETACHABLE = 64 };
enum { KMP_IN = 1, KMP_OUT = 2, KMP_MUTEXINOUTSET = 4, KMP_INOUTSET = 8 };

ALWAYS_INLINE Known* known_of(const KmpTask* task) { return (Known*)task->shareds - 1; }

/* In place of the program's. */
static int run_kmp_task(int thread, KmpTask* task) {
  const Word serialized = cdr_serialized;
  const Known* const known = known_of(task);
  Operation operation = {0, CDR_SYNC_TASK, known->number, (Word)__builtin_frame_address(0)};
  int r;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, 0);
  if (!(known->flags & UNDEFERRED)) cdr_serialized = 0; /* of a team, whatever its thread was about */
  r = known->entry(thread, task);
  leave(&operation, 0, 0);
  cdr_serialized = serialized;
  return r;
}

ALWAYS_INLINE KmpTask* filled(KmpTask* task, Word flags, Word shareds, int (*entry)(int, KmpTask*)) {
  const Known known = {entry, 0, 0, (Word)(task->shareds + sizeof(Known) + shareds - (char*)task), flags, 0};
  task->shareds += sizeof(Known);
  *known_of(task) = known;
  return task;
}

static KmpTask* wrap_task_alloc(Word place, Word thread, Word flags, Word size, Word shareds,
                                int (*entry)(int, KmpTask*)) {
  OrigFn fn = original();
  Operation operation = {0, CDR_SYNC_THREAD_NUMBER, 0, 0};
  KmpTask* task;
  UNWOUND_BY(cdr_sync_unwound);
  if (within_operation()) { /* for a target construct: there is room */
    CALL_FN_W_6W(task, fn, place, thread, flags, size, shareds, entry);
    return task;
  }
  enter(&operation, UNTOLD);
  CALL_FN_W_6W(task, fn, place, thread, flags, size, shareds + sizeof(Known), run_kmp_task);
  leave(&operation, UNTOLD, 0);
  return filled(task, (flags & KMP_FINAL ? IS_FINAL : 0) | (flags & KMP_DETACHABLE ? IS_DETACHED : 0), shareds, entry);
}
KMP_NAMES(wrap_task_alloc, __kmpc_omp_task_alloc);

/* Of a target construct with `nowait`. */
static KmpTask* wrap_target_alloc(Word place, Word thread, Word flags, Word size, Word shareds,
                                  int (*entry)(int, KmpTask*), Word device) {
  OrigFn fn = original();
  Operation operation = {0, CDR_SYNC_THREAD_NUMBER, 0, 0};
  KmpTask* task;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, UNTOLD);
  CALL_FN_W_7W(task, fn, place, thread, flags, size, shareds + sizeof(Known), run_kmp_task, device);
  leave(&operation, UNTOLD, 0);
  return filled(task, IS_OF_TARGET, shareds, entry);
}
KMP_NAMES(wrap_target_alloc, __kmpc_omp_target_task_alloc);

static Word wrap_completion_event(Word place, Word thread, KmpTask* task) {
  OrigFn fn = original();
  Operation operation = {0, CDR_SYNC_THREAD_NUMBER, 0, 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, UNTOLD);
  CALL_FN_W_WWW(r, fn, place, thread, task);
  leave(&operation, UNTOLD, 0);
  known_of(task)->handle = r;
  return r;
}
KMP_NAMES(wrap_completion_event, __kmpc_task_allow_completion_event);

static void tell_kmp_dependences(Word count, const KmpDepend* all) {
  for (Word i = 0; i < (unsigned)count; i++) {
    const uint8_t flags = all[i].flags;
    depend_on(all[i].addr, flags & KMP_OUT             ? KIND_OUT
                           : flags & KMP_MUTEXINOUTSET ? KIND_MUTEXINOUTSET
                           : flags & KMP_INOUTSET      ? KIND_INOUTSET
                                                       : KIND_IN);
  }
}

/* TASK(wrapper, parameters, the call, what it depends on); a region of one thread runs them at once */
#define TASK(wrapper, parameters, call, count, list)                                                      \
  static Word wrapper parameters {                                                                        \
    OrigFn fn = original();                                                                               \
    Known* const known = known_of(task);                                                                  \
    const Word told = known->flags | (cdr_serialized && !(known->flags & IS_OF_TARGET) ? UNDEFERRED : 0); \
    Operation operation = {0, CDR_SYNC_TASK_CREATE, (Word)known->entry, 0};                               \
    Word r;                                                                                               \
    UNWOUND_BY(cdr_sync_unwound);                                                                         \
    known->flags = told;                                                                                  \
    known->number = cdr_new_task();                                                                       \
    enter(&operation, told);                                                                              \
    tell_kmp_dependences(count, list);                                                                    \
    tell(CDR_SYNC_TASK_DATA, known->number, (Word)task, known->size, (long)known->handle);                \
    call;                                                                                                 \
    leave(&operation, told, 0);                                                                           \
    return r;                                                                                             \
  }                                                                                                       \
  typedef int task_##wrapper
TASK(wrap_kmp_task, (Word place, Word thread, KmpTask* task), CALL_FN_W_WWW(r, fn, place, thread, task), 0, 0);
TASK(wrap_kmp_task_with_deps,
     (Word place, Word thread, KmpTask* task, Word count, const KmpDepend* list, Word other_count, Word others),
     CALL_FN_W_7W(r, fn, place, thread, task, count, list, other_count, others), count, list);
KMP_NAMES(wrap_kmp_task, __kmpc_omp_task);
KMP_NAMES(wrap_kmp_task_with_deps, __kmpc_omp_task_with_deps);

/* Of a taskloop: the runtime makes all tasks of one. */
static void duplicate_task(KmpTask* to, KmpTask* from, int last) {
  Known* const known = known_of(to);
  Operation operation = {0, CDR_SYNC_TASK_DATA, cdr_new_task(), (Word)to};
  UNWOUND_BY(cdr_sync_unwound);
  known->number = operation.object;
  enter(&operation, known->size);
  if (known->duplicate) known->duplicate(to, from, last);
  leave(&operation, known->size, 0);
}
#define TASKLOOP(wrapper, more_parameters, call)                                                                \
  static Word wrapper(Word place, Word thread, KmpTask* task, Word if_clause, Word first, Word last, Word step, \
                      Word no_group, Word schedule, Word grain,                                                 \
                      more_parameters (*duplicate)(KmpTask*, KmpTask*, int)) {                                  \
    OrigFn fn = original();                                                                                     \
    Known* const known = known_of(task);                                                                        \
    const Word told = IS_LOOP | known->flags | ((int)if_clause && !cdr_serialized ? 0 : UNDEFERRED) |           \
                      ((int)no_group ? HAS_NO_GROUP : 0);                                                       \
    Operation operation = {0, CDR_SYNC_TASK_CREATE, (Word)known->entry, (Word)task};                            \
    Word r;                                                                                                     \
    UNWOUND_BY(cdr_sync_unwound);                                                                               \
    known->flags = told;                                                                                        \
    known->duplicate = duplicate;                                                                               \
    enter(&operation, told);                                                                                    \
    call;                                                                                                       \
    leave(&operation, told, 0);                                                                                 \
    return r;                                                                                                   \
  }                                                                                                             \
  typedef int taskloop_##wrapper
#define NO_MORE void
#define MODIFIER Word modifier, void
TASKLOOP(wrap_kmp_taskloop, NO_MORE,
         CALL_FN_W_11W(r, fn, place, thread, task, if_clause, first, last, step, no_group, schedule, grain,
                       duplicate_task));
TASKLOOP(wrap_kmp_taskloop_5, MODIFIER,
         CALL_FN_W_12W(r, fn, place, thread, task, if_clause, first, last, step, no_group, schedule, grain, modifier,
                       duplicate_task));
KMP_NAMES(wrap_kmp_taskloop, __kmpc_taskloop);
KMP_NAMES(wrap_kmp_taskloop_5, __kmpc_taskloop_5);

RUNTIME_CALL(wrap_kmp_taskwait, (Word place, Word thread), CALL_FN_W_WW(r, fn, place, thread), CDR_SYNC_TASKWAIT, 0, 0,
             0, 0, 0, 0, r);
RUNTIME_CALL(wrap_kmp_taskgroup, (Word place, Word thread), CALL_FN_W_WW(r, fn, place, thread),
             CDR_SYNC_TASKGROUP_BEGIN, 0, 0, 0, 0, 0, 0, r);
RUNTIME_CALL(wrap_kmp_end_taskgroup, (Word place, Word thread), CALL_FN_W_WW(r, fn, place, thread),
             CDR_SYNC_TASKGROUP_END, 0, 0, 0, 0, 0, 0, r);
KMP_NAMES(wrap_kmp_taskwait, __kmpc_omp_taskwait);
KMP_NAMES(wrap_kmp_taskgroup, __kmpc_taskgroup);
KMP_NAMES(wrap_kmp_end_taskgroup, __kmpc_end_taskgroup);

#define WAIT_FOR_DEPENDENCES(wrapper, parameters, call) \
  static Word wrapper parameters {                      \
    OrigFn fn = original();                             \
    Operation operation = {0, CDR_SYNC_TASKWAIT, 0, 0}; \
    Word r;                                             \
    UNWOUND_BY(cdr_sync_unwound);                       \
    enter(&operation, 1);                               \
    tell_kmp_dependences(count, list);                  \
    call;                                               \
    leave(&operation, 1, 0);                            \
    return r;                                           \
  }                                                     \
  typedef int wait_##wrapper
WAIT_FOR_DEPENDENCES(wrap_wait_deps,
                     (Word place, Word thread, Word count, const KmpDepend* list, Word other_count, Word others),
                     CALL_FN_W_6W(r, fn, place, thread, count, list, other_count, others));
WAIT_FOR_DEPENDENCES(wrap_taskwait_deps,
                     (Word place, Word thread, Word count, const KmpDepend* list, Word other_count, Word others,
                      Word nowait),
                     CALL_FN_W_7W(r, fn, place, thread, count, list, other_count, others, nowait));
KMP_NAMES(wrap_wait_deps, __kmpc_omp_wait_deps);
KMP_NAMES(wrap_taskwait_deps, __kmpc_omp_taskwait_deps_51);

/* An undeferred task is part of the strand that creates it: the program calls its function. */
UNTOLD_CALL(wrap_if0, (Word place, Word thread, Word task), CALL_FN_W_WWW(r, fn, place, thread, task));
UNTOLD_CALL(wrap_yield, (Word place, Word thread, Word end), CALL_FN_W_WWW(r, fn, place, thread, end));
KMP_NAMES(wrap_if0, __kmpc_omp_task_begin_if0);
KMP_NAMES(wrap_if0, __kmpc_omp_task_complete_if0);
KMP_NAMES(wrap_yield, __kmpc_omp_taskyield);

/* Private copies of task reductions, by thread. */
RUNTIME_CALL(wrap_kmp_reductions, (Word a, Word b, Word c), CALL_FN_W_WWW(r, fn, a, b, c), CDR_SYNC_THREAD_NUMBER, 0, 0,
             1, 0, 1, 0, r);
RUNTIME_CALL(wrap_kmp_reductions_begin, (Word a, Word b, Word c, Word d, Word e), CALL_FN_W_5W(r, fn, a, b, c, d, e),
             CDR_SYNC_THREAD_NUMBER, 0, 0, 1, 0, 1, 0, r);
/* Of a team of one thread the copy is the variable itself. */
RUNTIME_CALL(wrap_kmp_reduction_copy, (Word thread, Word group, Word variable),
             CALL_FN_W_WWW(r, fn, thread, group, variable), CDR_SYNC_THREAD_NUMBER, 0, 0, 1,
             r == variable ? variable : 0, 1, 0, r);
KMP_NAMES(wrap_kmp_reduction_copy, __kmpc_task_reduction_get_th_data);
KMP_NAMES(wrap_kmp_reductions, __kmpc_task_reduction_init);
KMP_NAMES(wrap_kmp_reductions, __kmpc_taskred_init);
KMP_NAMES(wrap_kmp_reductions_begin, __kmpc_taskred_modifier_init);
KMP_NAMES(wrap_kmp_reductions_begin, __kmpc_task_reduction_modifier_init);
RUNTIME_CALL(wrap_kmp_reductions_end, (Word place, Word thread, Word of_loop),
             CALL_FN_W_WWW(r, fn, place, thread, of_loop), CDR_SYNC_THREAD_NUMBER, 0, 0, 1, 0, 1, 0, r);
KMP_NAMES(wrap_kmp_reductions_end, __kmpc_task_reduction_modifier_fini);
