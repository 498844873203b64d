/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A team: what the runtime gets in place of a region's function and its data, and what stands around that function in
 * each thread. */
#ifndef CDRGRIND_PRELOAD_TEAM_H
#define CDRGRIND_PRELOAD_TEAM_H

#include "cdrgrind/preload/runtime_call.h"

typedef struct {
  Word reductions; /* first: where GOMP_parallel_reductions looks for them in the program's data */
  void (*function)(void*);
  void* data;
  Word number;
  Word arrived;          /* members so far */
  Word work, first, end; /* a worksharing construct that the region begins with; 0: none */
  Word is_league;        /* of teams: their first threads */
} Team;

__attribute__((visibility("hidden"))) Word cdr_new_team(void);
__attribute__((visibility("hidden"))) Word cdr_number_of_member(Team* team);

/* The operation of the thread that is a team of a league; 0: none. */
extern __thread const Operation* cdr_league_member __attribute__((tls_model("initial-exec"), visibility("hidden")));
/* Of libomp: how many regions of one thread the program is in that it runs by itself. */
extern __thread Word cdr_serialized __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The thread gets its part by a call of its own. */
ALWAYS_INLINE void begin_work(const Team* team) {
  Operation operation = {0, CDR_SYNC_WORK_BEGIN, team->first, team->end};
  enter(&operation, team->work);
  operation.object2 = 0;
  leave(&operation, 0, 0);
}

/* Stands around the region's function. A doacross loop around the region goes on behind it. */
#define RUN_MEMBER(team, call)                                                                         \
  const IterationSpace space = cdr_iteration_space;                                                    \
  const Word serialized = cdr_serialized;                                                              \
  const Operation* const league_member = cdr_league_member;                                            \
  Operation operation = {0, CDR_SYNC_IMPLICIT_TASK, (team)->number, (Word)__builtin_frame_address(0)}; \
  UNWOUND_BY(cdr_sync_unwound);                                                                        \
  enter(&operation, cdr_number_of_member(team));                                                       \
  cdr_serialized = 0;                                                                                  \
  cdr_league_member = (team)->is_league ? &operation : 0;                                              \
  if ((team)->work) begin_work(team);                                                                  \
  call;                                                                                                \
  leave(&operation, 0, 0);                                                                             \
  cdr_league_member = league_member;                                                                   \
  cdr_serialized = serialized;                                                                         \
  cdr_iteration_space = space

#endif
