/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of what begins a team in libgomp, of its barriers, of sections and single. */
#include "cdrgrind/preload/team.h"

static Word last_team;
__thread const Operation* cdr_league_member __attribute__((tls_model("initial-exec")));
__thread Word cdr_serialized __attribute__((tls_model("initial-exec")));

/* Of the runtime, if it is there: a program that has it linked in does not tell. */
extern int omp_get_thread_num(void) __attribute__((weak));

Word cdr_new_team(void) { return __atomic_add_fetch(&last_team, 1, __ATOMIC_RELAXED); }

Word cdr_number_of_member(Team* team) {
  const Word arrived = __atomic_fetch_add(&team->arrived, 1, __ATOMIC_RELAXED);
  return omp_get_thread_num && !team->is_league ? (Word)(unsigned)omp_get_thread_num() : arrived;
}

/* Stands for the region's function. */
static void run_member(Team* team) { RUN_MEMBER(team, team->function(team->data)); }

ALWAYS_INLINE Team team_of(void (*function)(void*), void* data) {
  Team team = {0, function, data, cdr_new_team(), 0, 0, 0, 0, 0};
  return team;
}

/* PARALLEL(wrapper, parameters behind the first two, the call, threads, what the region begins with: kind, first, end)
 */
#define PARALLEL(wrapper, parameters, call, threads, work_value, first_word, end_word) \
  static Word wrapper parameters {                                                     \
    OrigFn fn = original();                                                            \
    Team team = team_of(function, data);                                               \
    Operation operation = {0, CDR_SYNC_PARALLEL, team.number, (Word)function};         \
    Word r = 0;                                                                        \
    UNWOUND_BY(cdr_sync_unwound);                                                      \
    team.work = (work_value);                                                          \
    team.first = (first_word);                                                         \
    team.end = (end_word);                                                             \
    enter(&operation, (threads));                                                      \
    call;                                                                              \
    leave(&operation, (Word)data, 0);                                                  \
    return r;                                                                          \
  }                                                                                    \
  typedef int parallel_##wrapper

PARALLEL(wrap_parallel, (void (*function)(void*), void* data, Word threads, Word flags),
         CALL_FN_W_WWWW(r, fn, run_member, &team, threads, flags), (unsigned)threads, 0, 0, 0);
RUNTIME_NAMES(wrap_parallel, GOMP_parallel);

PARALLEL(wrap_parallel_reductions, (void (*function)(void*), Word* data, Word threads, Word flags),
         team.reductions = *data;
         CALL_FN_W_WWWW(r, fn, run_member, &team, threads, flags), (unsigned)threads, 0, 0, 0);
RUNTIME_NAMES(wrap_parallel_reductions, GOMP_parallel_reductions);

PARALLEL(wrap_parallel_sections, (void (*function)(void*), void* data, Word threads, Word count, Word flags),
         CALL_FN_W_5W(r, fn, run_member, &team, threads, count, flags), (unsigned)threads, WORK_SECTIONS,
         (unsigned)count, 0);
RUNTIME_NAMES(wrap_parallel_sections, GOMP_parallel_sections);

/* On the host. */
PARALLEL(wrap_teams, (void (*function)(void*), void* data, Word teams, Word limit, Word flags), team.is_league = 1;
         CALL_FN_W_5W(r, fn, run_member, &team, teams, limit, flags), LEAGUE | (unsigned)teams, 0, 0, 0);
RUNTIME_NAMES(wrap_teams, GOMP_teams_reg);

#define PARALLEL_LOOP(wrapper, schedule)                                                                            \
  PARALLEL(                                                                                                         \
      wrapper,                                                                                                      \
      (void (*function)(void*), void* data, Word threads, Word first, Word end, Word step, Word chunk, Word flags), \
      CALL_FN_W_8W(r, fn, run_member, &team, threads, first, end, step, chunk, flags), (unsigned)threads,           \
      LOOP_WORK(schedule, chunk), first, end)
PARALLEL_LOOP(wrap_parallel_static, SCHEDULE_STATIC);
PARALLEL_LOOP(wrap_parallel_dynamic, SCHEDULE_DYNAMIC);
PARALLEL_LOOP(wrap_parallel_guided, SCHEDULE_GUIDED);
RUNTIME_NAMES(wrap_parallel_static, GOMP_parallel_loop_static);
RUNTIME_NAMES(wrap_parallel_dynamic, GOMP_parallel_loop_dynamic);
RUNTIME_NAMES(wrap_parallel_dynamic, GOMP_parallel_loop_nonmonotonic_dynamic);
RUNTIME_NAMES(wrap_parallel_guided, GOMP_parallel_loop_guided);
RUNTIME_NAMES(wrap_parallel_guided, GOMP_parallel_loop_nonmonotonic_guided);

PARALLEL(wrap_parallel_runtime,
         (void (*function)(void*), void* data, Word threads, Word first, Word end, Word step, Word flags),
         CALL_FN_W_7W(r, fn, run_member, &team, threads, first, end, step, flags), (unsigned)threads,
         LOOP_WORK(SCHEDULE_RUNTIME, 0), first, end);
RUNTIME_NAMES(wrap_parallel_runtime, GOMP_parallel_loop_runtime);
RUNTIME_NAMES(wrap_parallel_runtime, GOMP_parallel_loop_nonmonotonic_runtime);
RUNTIME_NAMES(wrap_parallel_runtime, GOMP_parallel_loop_maybe_nonmonotonic_runtime);

PLAIN_CALL(wrap_barrier, CDR_SYNC_TEAM_BARRIER, 0, 0);
BOOL_CALL(wrap_barrier_cancel, CDR_SYNC_TEAM_BARRIER, 0, 0);
RUNTIME_NAMES(wrap_barrier, GOMP_barrier);
RUNTIME_NAMES(wrap_barrier_cancel, GOMP_barrier_cancel);

/* The end of a worksharing construct. */
PLAIN_CALL(wrap_work_end, CDR_SYNC_WORK_END, 0, 0);
BOOL_CALL(wrap_work_end_cancel, CDR_SYNC_WORK_END, 0, 0);
PLAIN_CALL(wrap_work_end_nowait, CDR_SYNC_WORK_END, 0, 1);
RUNTIME_NAMES(wrap_work_end, GOMP_loop_end);
RUNTIME_NAMES(wrap_work_end, GOMP_sections_end);
RUNTIME_NAMES(wrap_work_end_cancel, GOMP_loop_end_cancel);
RUNTIME_NAMES(wrap_work_end_cancel, GOMP_sections_end_cancel);
RUNTIME_NAMES(wrap_work_end_nowait, GOMP_loop_end_nowait);
RUNTIME_NAMES(wrap_work_end_nowait, GOMP_sections_end_nowait);

/* The result is the number of the section. */
RUNTIME_CALL(wrap_sections_start, (Word count), CALL_FN_W_W(r, fn, count), CDR_SYNC_WORK_BEGIN, (unsigned)count, 0,
             WORK_SECTIONS, 0, 0, (unsigned)r, r);
RUNTIME_CALL(wrap_sections2_start, (Word count, Word reductions, Word memory),
             CALL_FN_W_WWW(r, fn, count, reductions, memory), CDR_SYNC_WORK_BEGIN, (unsigned)count, 0, WORK_SECTIONS, 0,
             0, (unsigned)r, r);
RUNTIME_CALL(wrap_sections_next, (void), CALL_FN_W_v(r, fn), CDR_SYNC_WORK_NEXT, 0, 0, 0, 0, 0, (unsigned)r, r);
RUNTIME_NAMES(wrap_sections_start, GOMP_sections_start);
RUNTIME_NAMES(wrap_sections2_start, GOMP_sections2_start);
RUNTIME_NAMES(wrap_sections_next, GOMP_sections_next);

BOOL_CALL(wrap_single, CDR_SYNC_WORK_BEGIN, 0, WORK_SINGLE);
RUNTIME_NAMES(wrap_single, GOMP_single_start);

/* Null for who executes it; the others get the data's address. */
RUNTIME_CALL(wrap_copy_start, (void), CALL_FN_W_v(r, fn), CDR_SYNC_WORK_BEGIN, 0, 0, WORK_COPY_SINGLE, 0, 0, r == 0, r);
RUNTIME_CALL(wrap_copy_end, (Word data), CALL_FN_W_W(r, fn, data), CDR_SYNC_WORK_END, 0, 0, 0, 0, 0, 0, r);
RUNTIME_NAMES(wrap_copy_start, GOMP_single_copy_start);
RUNTIME_NAMES(wrap_copy_end, GOMP_single_copy_end);

PLAIN_CALL(wrap_thread_number, CDR_SYNC_THREAD_NUMBER, 0, 0);
VERSIONED_NAMES(wrap_thread_number, ompZugetZuthreadZunum);
/* The team's number says what a thread's says, if it is the team that asks. */
PLAIN_CALL(wrap_team_number, CDR_SYNC_THREAD_NUMBER, 0,
           (cdr_league_member && cdr_innermost == cdr_league_member) ? 0 : UNTOLD);
VERSIONED_NAMES(wrap_team_number, ompZugetZuteamZunum);
