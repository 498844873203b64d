// SPDX-License-Identifier: GPL-2.0-or-later
// Invariant of the totals in END: they are those of the events.
#ifndef CDRGRIND_TRACE_CHECK_CHECK_TOTALS_H
#define CDRGRIND_TRACE_CHECK_CHECK_TOTALS_H

#include "cdrgrind/trace/check/check_report.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::trace {

class CheckTotals final : public StreamCheck {
 public:
  explicit CheckTotals(const BlockTable& blocks) : blocks_(blocks) {}
  void see(const Sight& s) override;
  // Its accesses all happen.
  void again(const Sight& s, uint64_t times) override;
  // Behind the last event.
  void compare(const End& end, CheckReport& report) const;

 private:
  const BlockTable& blocks_;
  uint64_t executed_ = 0, instructions_ = 0, accesses_ = 0, threads_ = 0;
};

}  // namespace cdr::trace

#endif
