// SPDX-License-Identifier: GPL-2.0-or-later
// Invariants of calls of MPI (docs/mpi.md): their brackets, and what they tell. A forked child's stream may begin
// within a call, whose end it does not have.
#ifndef CDRGRIND_TRACE_CHECK_CHECK_MPI_H
#define CDRGRIND_TRACE_CHECK_CHECK_MPI_H

#include <map>
#include <vector>

#include "cdrgrind/trace/check/check_report.h"

namespace cdr::trace {

class CheckMpi final : public StreamCheck {
 public:
  CheckMpi(bool forked, CheckReport& report) : forked_(forked), report_(report) {}
  void see(const Sight& s) override;

 private:
  struct Call {
    uint32_t function = 0;  // 0: none is open
    uint64_t left = 0;      // values that the last key still wants
  };
  void enter(const Sight& s, Call& call);
  void words(const Sight& s, Call& call);
  void leave(const Sight& s, Call& call);

  bool forked_;
  CheckReport& report_;
  std::map<ThreadId, Call> calls_;
};

}  // namespace cdr::trace

#endif
