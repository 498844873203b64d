// SPDX-License-Identifier: GPL-2.0-or-later
// Which threads are in the library of an MPI program: inside a call of it, or started there. What they access takes
// part in no race, and their waiting orders nothing. Code outside of the system's library folders is the program's,
// also where the library calls it.
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_MPI_RUNTIME_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_MPI_RUNTIME_H

#include <string_view>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::races {

class MpiRuntime {
 public:
  explicit MpiRuntime(const ModuleTable& modules) : of_program_(modules.size() + 1) {
    for (const Module& m : modules) of_program_[m.id.value] = !is_of_system(m);
  }

  // `running`: the module whose code the thread executes.
  void event(const Event& e, ModuleId running) {
    if (e.kind == EventKind::kMpiEnter) state(e.thread).in_call = true;
    if (e.kind == EventKind::kMpiLeave) state(e.thread).in_call = false;
    if (e.kind == EventKind::kThreadCreate && in_runtime(e.thread, running)) state(e.child).started_by_it = true;
  }
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
  static bool is_of_system(const Module& m) {
    for (const std::string_view folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/libexec/"})
      if (m.path.starts_with(folder)) return true;
    return (m.flags & (kModuleDynamicLinker | kModulePreload)) != 0;
  }

  std::vector<bool> of_program_;  // by module
  std::vector<Thread> threads_;
};

}  // namespace cdr::races

#endif
