// SPDX-License-Identifier: GPL-2.0-or-later
// Where the first thread's control block begins, below which its thread-local variables lie: no event tells. Code that
// begins with that block's register does, once the dynamic linker has told the system. Feed it every event, in order.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_FIRST_CONTROL_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_FIRST_CONTROL_H

#include <cstdint>

#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/base/block_table.h"
#include "cdrgrind/base/event.h"

namespace cdr::races {

class FirstControl {
 public:
  FirstControl(const BlockTable& blocks, CodeFacts& facts) : blocks_(blocks), facts_(facts) {}

  void see(const Event& e) {
    if (e.thread != ThreadId(1) || address_ != 0) return;
    is_set_ |= e.kind == EventKind::kSyscall && e.value == kArchPrctl;
    if (is_set_) look(e);
  }
  uint64_t address() const { return address_; }  // 0: not known

 private:
  static constexpr uint64_t kArchPrctl = 158;  // the call by which the system is told
  void look(const Event& e);

  const BlockTable& blocks_;
  CodeFacts& facts_;
  bool is_set_ = false;
  uint64_t address_ = 0;
};

}  // namespace cdr::races

#endif
