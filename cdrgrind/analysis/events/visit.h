// SPDX-License-Identifier: GPL-2.0-or-later
// The accesses of one event, in their order: of a block's instructions, of a system call.
#ifndef CDRGRIND_ANALYSIS_EVENTS_VISIT_H
#define CDRGRIND_ANALYSIS_EVENTS_VISIT_H

#include <cstdint>

#include "cdrgrind/base/event.h"
#include "cdrgrind/base/system_calls.h"
#include "cdrgrind/trace/read/replay.h"

namespace cdr::analysis {

struct Seen {
  uint32_t number = 0;             // within the event
  const Access* access = nullptr;  // none: a system call's
  uint64_t addr = 0;
  uint64_t width = 0;  // bytes, not 0
  bool store = false;
};

// f(addr, width) of the word that the thread waited on, if the event is a system call that waits on one. Such words
// take part in no race.
template <class F>
void visit_awaited_word(const Event& e, F f) {
  if (e.kind != EventKind::kSyscall || e.value != kCallFutex) return;
  for (const MemorySpan& m : e.memory)
    if (m.size && !m.store) f(m.addr, m.size);
}

// f(const Seen&). Events other than Block, Partial and Syscall have none.
template <class F>
void visit_accesses(const Event& e, const BlockTable& blocks, F f) {
  Seen seen;
  if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
    for (const Access& a : trace::extent_of(e, blocks).accesses) {
      if (happened(a, e.words) && a.width) {
        seen.access = &a;
        seen.addr = address_of(a, e.words);
        seen.width = a.width;
        seen.store = a.store();
        f(seen);
      }
      ++seen.number;
    }
  } else if (e.kind == EventKind::kSyscall && e.value != kCallFutex) {
    for (const MemorySpan& m : e.memory) {
      seen.addr = m.addr;
      seen.width = m.size;
      seen.store = m.store;
      if (m.size) f(seen);
      ++seen.number;
    }
  }
}

}  // namespace cdr::analysis

#endif
