// SPDX-License-Identifier: GPL-2.0-or-later
// A task of a parallel runtime: an implicit one, or one that the program created; and a taskgroup. `Release`: what a
// strand passes on, joined by join(); see strand_machine.h.
#ifndef CDRGRIND_ANALYSIS_STRANDS_TASK_H
#define CDRGRIND_ANALYSIS_STRANDS_TASK_H

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/strands/depend_map.h"
#include "cdrgrind/base/range.h"

namespace cdr::strands {

template <class Release>
struct Group {
  Release done;  // of its tasks that have ended
};

template <class Release>
struct Team;

template <class Release>
struct Task {
  using Done = std::shared_ptr<Release>;
  uint64_t number = 0;                  // 0: implicit, or initial
  std::shared_ptr<Task> parent;         // of an explicit one
  std::shared_ptr<Team<Release>> team;  // null: outside of any
  uint64_t contention = 0;              // number of its contention group: of the league's team that it is in; 0: none
  uint64_t phase = 0;                   // how many barriers of the team lie before it
  AddrRange data;
  bool undeferred = false;        // its creator goes on behind it
  bool of_loop = false;           // of a taskloop: it has iterations
  bool final_task = false;        // so are those that it creates
  Release created;                // what its creator passed on
  std::vector<Done> after;        // the siblings that it depends on
  std::vector<uint64_t> mutexes;  // addresses that it has to itself among siblings
  Done done = std::make_shared<Release>();
  Release children;                                     // of those that have ended
  std::vector<std::shared_ptr<Group<Release>>> groups;  // open where it was created, and its own
  DependMap<Done> depends;                              // of its children
};

}  // namespace cdr::strands

#endif
