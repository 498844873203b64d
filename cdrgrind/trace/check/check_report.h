// SPDX-License-Identifier: GPL-2.0-or-later
// What the parts of the invariant checker share: the list of invariants and the collection of violations.
#ifndef CDRGRIND_TRACE_CHECK_CHECK_REPORT_H
#define CDRGRIND_TRACE_CHECK_CHECK_REPORT_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "cdrgrind/trace/check/checker.h"
#include "cdrgrind/trace/read/replay.h"
#include "cdrgrind/trace/read/trace_error.h"

namespace cdr::trace {

class CheckReport {
 public:
  explicit CheckReport(size_t examples_each) : examples_each_(examples_each) {}

  // `invariant` is one of invariants().
  void add(std::string_view invariant, uint64_t event, std::string seen);
  CheckResult& result() { return result_; }

 private:
  size_t examples_each_;
  std::map<std::string_view, uint64_t> counts_;
  CheckResult result_;
};

// An event, and the state before it.
struct Sight {
  const Event& e;
  uint64_t index;
  const Replay& before;
};

// One group of invariants over the stream.
class StreamCheck {
 public:
  virtual ~StreamCheck() = default;
  virtual void see(const Sight& s) = 0;
  // A block that was seen at least twice without anything between, and that changes nothing but counts, comes again.
  virtual void again(const Sight& /*s*/, uint64_t /*times*/) {}
};

}  // namespace cdr::trace

#endif
