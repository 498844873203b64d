/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of libgomp's tasks. The runtime gets a function, data and a copying function of ours: so the task has a
 * number from the moment at which its data are copied, and tells where it begins and ends.
 *
 * What the runtime writes to the first words of a task's data (the bounds of a taskloop's task, the handle of a
 * detached one) and what it reads there (reductions) stand in ours at the same place. */
#include "cdrgrind/preload/task.h"

typedef struct {
  Word first[3];
  void (*function)(void*);
  void (*copy)(void*, void*);
  char* data;
  Word size, offset; /* of the program's data behind this */
  Word number, flags;
} TaskData;

/* Of the runtime. */
enum { FINAL = 2, DEPEND = 8, LOOP_IF = 1 << 10, NO_GROUP = 1 << 11, REDUCTION = 1 << 12, DETACH = 1 << 13 };
enum { DEPEND_IN = 1, DEPEND_OUT = 2, DEPEND_INOUT = 3, DEPEND_MUTEXINOUTSET = 4, DEPEND_INOUTSET = 5 };

static Word last_task;
Word cdr_new_task(void) { return __atomic_add_fetch(&last_task, 1, __ATOMIC_RELAXED); }

/* No function of the C library: a wrapper of it may be what we are in. */
ALWAYS_INLINE void copy_bytes(void* to, const void* from, Word count) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

/* In place of the program's; the task is there when it has returned. */
static void copy_task(TaskData* to, TaskData* from) {
  char* const data = (char*)to + from->offset;
  Operation operation = {0, CDR_SYNC_TASK_DATA, cdr_new_task(), (Word)data};
  UNWOUND_BY(cdr_sync_unwound);
  copy_bytes(to, from, sizeof *to);
  to->number = operation.object;
  enter(&operation, from->size);
  if (from->flags & IS_DETACHED && from->size >= sizeof(Word)) copy_bytes(from->data, from->first, sizeof(Word));
  if (from->copy)
    from->copy(data, from->data);
  else
    copy_bytes(data, from->data, from->size);
  leave(&operation, from->size, from->flags & IS_DETACHED ? (long)from->first[0] : 0);
}

/* In place of the program's. */
static void run_task(TaskData* task) {
  char* const data = (char*)task + task->offset;
  Operation operation = {0, CDR_SYNC_TASK, task->number, (Word)__builtin_frame_address(0)};
  UNWOUND_BY(cdr_sync_unwound);
  if (task->flags & IS_LOOP) copy_bytes(data, task->first, 2 * sizeof(Word));
  enter(&operation, 0);
  task->function(data);
  leave(&operation, 0, 0);
}

static void depend_on_all(Word* const* at, Word count, Word kind) {
  for (Word i = 0; i < count; i++) depend_on((Word)at[i], kind);
}

/* An object of type omp_depend_t: an address and how. */
static void depend_on_object(const Word* object) {
  switch (object[1]) {
    case DEPEND_IN:
      return depend_on(object[0], KIND_IN);
    case DEPEND_MUTEXINOUTSET:
      return depend_on(object[0], KIND_MUTEXINOUTSET);
    case DEPEND_INOUTSET:
      return depend_on(object[0], KIND_INOUTSET);
    default:
      return depend_on(object[0], KIND_OUT);
  }
}

/* [count, of these out, addresses], or [0, count, out, mutexinoutset, in, addresses, objects] */
void cdr_tell_dependences(Word* const* list) {
  const Word count = (Word)list[0];
  if (count) {
    const Word out = (Word)list[1];
    depend_on_all(list + 2, out, KIND_OUT);
    return depend_on_all(list + 2 + out, count - out, KIND_IN);
  }
  const Word all = (Word)list[1], out = (Word)list[2], mutexes = (Word)list[3], in = (Word)list[4];
  depend_on_all(list + 5, out, KIND_OUT);
  depend_on_all(list + 5 + out, mutexes, KIND_MUTEXINOUTSET);
  depend_on_all(list + 5 + out + mutexes, in, KIND_IN);
  for (Word i = out + mutexes + in; i < all; i++) depend_on_object(list[5 + i]);
}

ALWAYS_INLINE TaskData task_data(void (*function)(void*), char* data, void (*copy)(void*, void*), Word size, Word align,
                                 Word flags) {
  const Word unit = align > sizeof(Word) ? align : sizeof(Word);
  const Word offset = (sizeof(TaskData) + unit - 1) / unit * unit;
  TaskData task = {{0, 0, 0}, function, copy, data, size, offset, 0, flags};
  return task;
}
ALWAYS_INLINE Word align_of(Word align) { return align > sizeof(Word) ? align : sizeof(Word); }

static Word wrap_task(void (*function)(void*), char* data, void (*copy)(void*, void*), Word size, Word align,
                      Word if_clause, Word flags, Word* const* depend, Word priority, Word detach) {
  OrigFn fn = original();
  const Word told =
      (bool_result(if_clause) ? 0 : UNDEFERRED) | (flags & FINAL ? IS_FINAL : 0) | (flags & DETACH ? IS_DETACHED : 0);
  TaskData task = task_data(function, data, copy, size, align, told);
  Operation operation = {0, CDR_SYNC_TASK_CREATE, (Word)function, (Word)data};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, told);
  if (flags & DEPEND) cdr_tell_dependences(depend);
  CALL_FN_W_10W(r, fn, run_task, &task, copy_task, task.offset + size, align_of(align), if_clause, flags, depend,
                priority, detach);
  leave(&operation, told, 0);
  return r;
}
RUNTIME_NAMES(wrap_task, GOMP_task);

static Word wrap_taskloop(void (*function)(void*), char* data, void (*copy)(void*, void*), Word size, Word align,
                          Word flags, Word tasks, Word priority, Word first, Word end, Word step) {
  OrigFn fn = original();
  const Word told = IS_LOOP | (flags & LOOP_IF ? 0 : UNDEFERRED) | (flags & FINAL ? IS_FINAL : 0) |
                    (flags & NO_GROUP ? HAS_NO_GROUP : 0);
  TaskData task = task_data(function, data, copy, size, align, told);
  Operation operation = {0, CDR_SYNC_TASK_CREATE, (Word)function, (Word)data};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  if (flags & REDUCTION) copy_bytes(&task.first[2], data + 2 * sizeof(Word), sizeof(Word));
  enter(&operation, told);
  CALL_FN_W_11W(r, fn, run_task, &task, copy_task, task.offset + size, align_of(align), flags, tasks, priority, first,
                end, step);
  leave(&operation, told, 0);
  return r;
}
RUNTIME_NAMES(wrap_taskloop, GOMP_taskloop);
RUNTIME_NAMES(wrap_taskloop, GOMP_taskloop_ull);

PLAIN_CALL(wrap_taskwait, CDR_SYNC_TASKWAIT, 0, 0);
PLAIN_CALL(wrap_taskgroup_start, CDR_SYNC_TASKGROUP_BEGIN, 0, 0);
PLAIN_CALL(wrap_taskgroup_end, CDR_SYNC_TASKGROUP_END, 0, 0);
RUNTIME_NAMES(wrap_taskwait, GOMP_taskwait);
RUNTIME_NAMES(wrap_taskgroup_start, GOMP_taskgroup_start);
RUNTIME_NAMES(wrap_taskgroup_end, GOMP_taskgroup_end);

/* Of a detached task. */
RUNTIME_CALL(wrap_fulfil, (Word handle), CALL_FN_W_W(r, fn, handle), CDR_SYNC_TASK_FULFIL, handle, 0, 0, 0, 0, 0, r);
VERSIONED_NAMES(wrap_fulfil, ompZufulfillZuevent);

/* Private copies of task reductions, by thread. */
RUNTIME_CALL(wrap_reductions, (Word list), CALL_FN_W_W(r, fn, list), CDR_SYNC_THREAD_NUMBER, 0, 0, 1, 0, 1, 0, r);
RUNTIME_CALL(wrap_remap, (Word count, Word originals, Word list), CALL_FN_W_WWW(r, fn, count, originals, list),
             CDR_SYNC_THREAD_NUMBER, 0, 0, 1, 0, 1, 0, r);
RUNTIME_CALL(wrap_reductions_end, (Word cancelled), CALL_FN_W_W(r, fn, cancelled), CDR_SYNC_TEAM_BARRIER, 0, 0, 0, 0, 0,
             bool_result(cancelled), r);
RUNTIME_NAMES(wrap_reductions, GOMP_taskgroup_reduction_register);
RUNTIME_NAMES(wrap_reductions, GOMP_taskgroup_reduction_unregister);
RUNTIME_NAMES(wrap_remap, GOMP_task_reduction_remap);
RUNTIME_NAMES(wrap_reductions_end, GOMP_workshare_task_reduction_unregister);

static Word wrap_taskwait_depend(Word* const* depend) {
  OrigFn fn = original();
  Operation operation = {0, CDR_SYNC_TASKWAIT, 0, 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, 1);
  cdr_tell_dependences(depend);
  CALL_FN_W_W(r, fn, depend);
  leave(&operation, 1, 0);
  return r;
}
RUNTIME_NAMES(wrap_taskwait_depend, GOMP_taskwait_depend);
