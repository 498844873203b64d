/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of libgomp's target constructs, where there is no device and the host executes them: each is a task,
 * deferred if it has `nowait`; the teams in it are a league, whose members one thread executes one after the other, in
 * the function of the construct. Where there is a device nothing is told: the runtime finds what the device executes by
 * the function that it gets.
 *
 * The function gets a list of addresses. The runtime copies it, if the task is deferred, so what we must know of the
 * task stands in front of the program's, as values that are passed on as they are. */
#include "cdrgrind/preload/task.h"
#include "cdrgrind/preload/team.h"

/* Of the runtime. */
enum { TARGET_NOWAIT = 1, MAP_VALUE = 13 };
/* What stands in front: the task's function and number. */
enum { IN_FRONT = 2 };

/* Of the runtime, if it is there: a program that has it linked in does not tell. */
extern int omp_get_num_devices(void) __attribute__((weak));

/* Above the frames of the construct that the thread executes; 0: none. */
static __thread Word target_frame __attribute__((tls_model("initial-exec")));

static int is_on_host(void) {
  Operation operation = {0, CDR_SYNC_THREAD_NUMBER, 0, 0};
  int devices;
  if (!omp_get_num_devices) return 0;
  enter(&operation, UNTOLD);
  devices = omp_get_num_devices();
  leave(&operation, UNTOLD, 0);
  return devices == 0;
}

/* In place of the program's. */
static void run_target(Word* list) {
  const Word outer = target_frame;
  Operation operation = {0, CDR_SYNC_TASK, list[1], (Word)__builtin_frame_address(0)};
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, 0);
  target_frame = operation.object2;
  ((void (*)(Word*))list[0])(list + IN_FRONT);
  target_frame = outer;
  leave(&operation, 0, 0);
}

static Word wrap_target(Word device, void (*function)(void*), Word count, const Word* list, const Word* sizes,
                        const unsigned short* kinds, Word flags, Word* const* depend, Word arguments) {
  OrigFn fn = original();
  const Word told = (unsigned)flags & TARGET_NOWAIT ? IS_OF_TARGET : UNDEFERRED;
  Operation operation = {0, CDR_SYNC_TASK_CREATE, (Word)function, 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  if (!is_on_host()) {
    CALL_FN_W_9W(r, fn, device, function, count, list, sizes, kinds, flags, depend, arguments);
    return r;
  }
  {
    Word own_list[IN_FRONT + count], own_sizes[IN_FRONT + count];
    unsigned short own_kinds[IN_FRONT + count];
    own_list[0] = (Word)function;
    own_list[1] = cdr_new_task();
    for (Word i = 0; i < IN_FRONT; i++) own_sizes[i] = 0, own_kinds[i] = MAP_VALUE;
    for (Word i = 0; i < count; i++) {
      own_list[IN_FRONT + i] = list[i];
      own_sizes[IN_FRONT + i] = sizes[i];
      own_kinds[IN_FRONT + i] = kinds[i];
    }
    enter(&operation, told);
    if (depend) cdr_tell_dependences(depend);
    tell(CDR_SYNC_TASK_DATA, own_list[1], 0, 0, 0);
    CALL_FN_W_9W(r, fn, device, run_target, IN_FRONT + count, own_list, own_sizes, own_kinds, flags, depend, arguments);
    leave(&operation, told, 0);
  }
  return r;
}
RUNTIME_NAMES(wrap_target, GOMP_target_ext);

/* The league of the construct that the thread executes, and its member. */
static __thread Operation league __attribute__((tls_model("initial-exec")));
static __thread Operation member __attribute__((tls_model("initial-exec")));
static __thread Word members __attribute__((tls_model("initial-exec")));

/* Each call but the last one begins a team. */
static Word wrap_teams_of_target(Word fewest, Word most, Word limit, Word first) {
  OrigFn fn = original();
  const Word frame = target_frame;
  Word r;
  if (frame) {
    if (bool_result(first)) {
      const Operation begun = {0, CDR_SYNC_PARALLEL, cdr_new_team(), 0};
      league = begun;
      members = 0;
      enter(&league, LEAGUE | (unsigned)most);
    } else {
      cdr_league_member = 0;
      leave(&member, 0, 0);
    }
  }
  CALL_FN_W_WWWW(r, fn, fewest, most, limit, first);
  if (frame) {
    if (bool_result(r)) {
      const Operation begun = {0, CDR_SYNC_IMPLICIT_TASK, league.object, frame};
      member = begun;
      enter(&member, members++);
      cdr_league_member = &member;
    } else {
      leave(&league, 0, 0);
    }
  }
  return bool_result(r);
}
RUNTIME_NAMES(wrap_teams_of_target, GOMP_teams4);

/* What goes to a device that is not there: a call waits for what it depends on, and that is all. */
static Word wrap_update(Word device, Word count, Word list, Word sizes, Word kinds, Word flags, Word* const* depend) {
  OrigFn fn = original();
  const int waits = depend && !((unsigned)flags & TARGET_NOWAIT);
  Operation operation = {0, waits ? CDR_SYNC_TASKWAIT : CDR_SYNC_THREAD_NUMBER, 0, 0};
  const Word told = waits ? 1 : UNTOLD;
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, told);
  if (waits) cdr_tell_dependences(depend);
  CALL_FN_W_7W(r, fn, device, count, list, sizes, kinds, flags, depend);
  leave(&operation, told, 0);
  return r;
}
RUNTIME_NAMES(wrap_update, GOMP_target_update_ext);
RUNTIME_NAMES(wrap_update, GOMP_target_enter_exit_data);
