// SPDX-License-Identifier: GPL-2.0-or-later
// Invariants of the operations of parallel runtimes (docs/openmp.md): teams, their barriers, tasks. A forked child's
// stream begins in the middle of such things: there only what began in it is looked at.
#ifndef CDRGRIND_TRACE_CHECK_CHECK_STRANDS_H
#define CDRGRIND_TRACE_CHECK_CHECK_STRANDS_H

#include <map>
#include <vector>

#include "cdrgrind/trace/check/check_report.h"

namespace cdr::trace {

class CheckStrands final : public StreamCheck {
 public:
  CheckStrands(bool forked, CheckReport& report) : forked_(forked), report_(report) {}
  void see(const Sight& s) override;

 private:
  struct Team {
    uint64_t members = 0;   // that have begun
    uint64_t barriers = 0;  // that a member has arrived at
    bool cancelled = false;
  };
  struct Member {
    uint64_t team = 0;
    uint64_t barriers = 0;
    bool copying = false;  // in a single with copyprivate
  };
  void enter(const Sight& s);
  void leave(const Sight& s);
  void arrive(const Sight& s);
  void begin_copying(const Sight& s);
  void end_work(const Sight& s);
  void end_member(const Sight& s);
  void begin_task(const Sight& s);
  // Whether the thread's innermost open operation lets the program's code be called.
  bool within_runtime(ThreadId t);

  bool forked_;
  CheckReport& report_;
  std::map<uint64_t, Team> teams_;  // open regions
  std::map<uint64_t, bool> tasks_;  // created: whether begun
  std::map<ThreadId, std::vector<SyncOp>> open_;
  std::map<ThreadId, std::vector<Member>> members_;
  std::map<ThreadId, bool> of_runtime_;  // started by it
};

}  // namespace cdr::trace

#endif
