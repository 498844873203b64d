// SPDX-License-Identifier: GPL-2.0-or-later
// Invariants of the heap and of mappings.
#ifndef CDRGRIND_TRACE_CHECK_CHECK_MEMORY_H
#define CDRGRIND_TRACE_CHECK_CHECK_MEMORY_H

#include <map>

#include "cdrgrind/trace/check/check_report.h"

namespace cdr::trace {

class CheckMemory final : public StreamCheck {
 public:
  explicit CheckMemory(CheckReport& report) : report_(report) {}
  void see(const Sight& s) override;

 private:
  void alloc(const Sight& s, uint64_t addr, uint64_t size);
  void free(const Sight& s);

  CheckReport& report_;
  std::map<uint64_t, uint64_t> live_;  // address, size
};

}  // namespace cdr::trace

#endif
