// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/repeated_looks.h"

#include <algorithm>
#include <optional>

#include "cdrgrind/analysis/races/source/symbol_effects.h"

namespace cdr::races {

bool RepeatedLooks::are_due(analysis::CallStacks& stacks, ThreadId thread, uint32_t symbol, size_t depth,
                            uint64_t index) {
  Asked& a = asked_[symbol];
  a.in_turn = a.end == index ? a.in_turn + 1 : 1;
  a.end = index + epoch_.paths().events_of(symbol);
  if (a.in_turn < 2) return false;
  const auto frames = stacks.innermost(thread, depth);
  if (a.in_turn == 2) {
    a.before.assign(frames.begin(), frames.end());
    a.jumped = stacks.jumped(thread);
    return false;
  }
  return a.patience.asks() && std::ranges::equal(a.before, frames) && a.jumped == stacks.jumped(thread);
}

// Few at first, for it may be over soon.
uint32_t RepeatedLooks::alike(const trace::AddressStream& s, uint64_t begin, uint64_t count, uint32_t copies) {
  if (s.guarded()) return 0;
  uint32_t known = 0;
  for (uint32_t more = 4; known < copies; more *= 4) {
    const uint32_t next = known + std::min(more, copies - known);
    if (!runs_.only_value(s, begin + count * known, begin + count * (next + 1ULL))) break;
    known = next;
  }
  return known;
}

// What calls push lies at one place, or one of the frame around, in the whole epoch.
bool RepeatedLooks::frames_stay(ThreadId thread, uint32_t symbol) {
  BlockId by;
  bool stay = true;
  const auto but_one = [](uint32_t, uint32_t copies) { return copies - 1; };
  const auto block = [&](BlockId id) {
    by = id;
    return stay;
  };
  const auto follow = [&](EventKind kind, uint64_t) {
    stay = stay && (kind != EventKind::kCall || pushes_alike(thread, by));
  };
  return walk_symbol(epoch_.paths(), {symbol, 1}, but_one, block, follow) && stay;
}

bool RepeatedLooks::pushes_alike(ThreadId thread, BlockId by) {
  const Push push = models_[by].push;
  if (push.slot == 0) return false;
  const trace::AddressStream& s = epoch_.streams_of(thread, by)[push.slot - 1u];
  const std::optional<AddrRange> all = epoch_.addresses().hull(s);
  return !s.guarded() && all && all->size() == 1;
}

}  // namespace cdr::races
