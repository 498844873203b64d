// SPDX-License-Identifier: GPL-2.0-or-later
// Invariants of threads: their lives, turns, gaps, and the brackets of their synchronisation.
#ifndef CDRGRIND_TRACE_CHECK_CHECK_THREADS_H
#define CDRGRIND_TRACE_CHECK_CHECK_THREADS_H

#include <map>
#include <vector>

#include "cdrgrind/trace/check/check_report.h"

namespace cdr::trace {

class CheckThreads final : public StreamCheck {
 public:
  CheckThreads(bool forked, CheckReport& report) : forked_(forked), report_(report) {}
  void see(const Sight& s) override;

 private:
  void turns(const Sight& s);
  void lives(const Sight& s);
  void start(const Sight& s);
  void stacks(const Sight& s);
  void use_stack(const Sight& s, StackId stack);
  void gaps(const Sight& s);
  void syncs(const Sight& s);
  void hides(const Sight& s);
  void sync_enter(const Sight& s);
  void sync_leave(const Sight& s);

  bool forked_;
  CheckReport& report_;
  ThreadId thread_;             // of the event before
  bool turned_to_new_ = false;  // the event before was a Turn to a thread not yet started
  bool process_gap_ = false;
  std::map<ThreadId, ThreadId> announced_;  // child, creator
  std::map<ThreadId, bool> thread_gap_;
  std::map<ThreadId, StackId> stack_of_;
  std::map<StackId, ThreadId> user_of_;
  struct OpenSync {
    Sync sync;
    uint32_t signals = 0;  // of the thread before
  };
  std::map<StackId, std::vector<OpenSync>> open_;
  std::map<ThreadId, uint32_t> signals_;
  std::map<ThreadId, bool> hidden_;
};

}  // namespace cdr::trace

#endif
