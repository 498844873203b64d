// SPDX-License-Identifier: GPL-2.0-or-later
// The invariant checker: what base/event.h and base/block_table.h promise, recomputed from a trace. Every
// invariant has a name (see invariants()); a violation says which, at what event and what was seen.
#ifndef CDRGRIND_TRACE_CHECK_CHECKER_H
#define CDRGRIND_TRACE_CHECK_CHECKER_H

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::trace {

struct Invariant {
  std::string_view name;
  std::string_view says;
};
std::span<const Invariant> invariants();

struct Violation {
  static constexpr uint64_t kInTables = ~uint64_t{0};
  std::string_view invariant;
  uint64_t event = kInTables;  // index
  std::string seen;
};

struct CheckResult {
  uint64_t events = 0;
  uint64_t violations = 0;          // all of them
  std::vector<Violation> examples;  // the first ones of each invariant
  bool ok() const { return violations == 0; }
};

// Keeps the first violations of each invariant. Throws TraceError where the trace is damaged. `goes_on`: asked before
// each event; if not, what needs all events is not checked.
CheckResult check(
    const TraceFile& file, const std::function<bool(uint64_t event)>& goes_on = [](uint64_t) { return true; });

}  // namespace cdr::trace

#endif
