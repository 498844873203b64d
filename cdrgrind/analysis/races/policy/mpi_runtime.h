// SPDX-License-Identifier: GPL-2.0-or-later
// Which threads are in the library of an MPI program: inside a call of it, or started there. What they access takes
// part in no race, and their waiting orders nothing. The program's own code is none of its, also where the library
// calls it.
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_MPI_RUNTIME_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_MPI_RUNTIME_H

#include <vector>

#include "cdrgrind/analysis/events/program_modules.h"
#include "cdrgrind/base/event.h"

namespace cdr::races {

class MpiRuntime {
 public:
  explicit MpiRuntime(const ModuleTable& modules) : of_program_(analysis::program_modules(modules)) {}

  // `running`: the module whose code the thread executes.
  void event(const Event& e, ModuleId running) {
    if (e.kind == EventKind::kMpiEnter) state(e.thread).in_call = true;
    if (e.kind == EventKind::kMpiLeave) state(e.thread).in_call = false;
    if (e.kind == EventKind::kThreadCreate && in_runtime(e.thread, running)) state(e.child).started_by_it = true;
  }
  // Whether the program has called it.
  bool any() const { return !threads_.empty(); }
  bool in_runtime(ThreadId t, ModuleId running) const {
    if (t.value >= threads_.size() || !(threads_[t.value].in_call || threads_[t.value].started_by_it)) return false;
    return !of_program_[running.value];
  }

 private:
  struct Thread {
    bool in_call = false, started_by_it = false;
  };
  Thread& state(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }

  std::vector<bool> of_program_;  // by module
  std::vector<Thread> threads_;
};

}  // namespace cdr::races

#endif
