// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/events/live_blocks.h"

#include <algorithm>

namespace cdr::analysis {

AllocatingCalls allocating_calls(CallStacks& stacks, ThreadId thread, const std::vector<bool>& libraries) {
  constexpr size_t kMostCalls = 16;
  AllocatingCalls a;
  bool by_library = false;
  for (const CodeAddr c : stacks.sites(thread, {})) {
    const bool is_library = c.module && libraries[c.module.value];
    by_library = by_library || is_library;
    if (is_library || std::find(a.calls.begin(), a.calls.end(), c) != a.calls.end()) continue;
    if (a.calls.size() == kMostCalls) break;
    a.calls.push_back(c);
    if (!by_library) ++a.direct;
  }
  return a;
}

void LiveBlocks::event(const Event& e, CallStacks& stacks, const std::vector<bool>& libraries) {
  if (e.kind == EventKind::kAlloc)
    blocks_[e.addr] = {e.size, number_of(allocating_calls(stacks, e.thread, libraries))};
  else if (e.kind == EventKind::kFree)
    blocks_.erase(e.addr);
  else if (e.kind == EventKind::kResize) {
    if (const auto b = blocks_.find(e.addr); b != blocks_.end()) b->second.size = e.value;
  } else {
    return;
  }
  ++version_;
}

LiveBlocks::Found LiveBlocks::at(uint64_t addr) const {
  const auto next = blocks_.upper_bound(addr);
  const uint64_t end = next == blocks_.end() ? ~uint64_t{0} : next->first;
  if (next == blocks_.begin()) return {{0, end}};
  const auto b = std::prev(next);
  const uint64_t block_end = b->first + b->second.size;
  if (addr >= block_end) return {{block_end, end}};
  return {{b->first, std::min(block_end, end)}, b->second.size, b->second.allocation};
}

uint32_t LiveBlocks::number_of(const AllocatingCalls& calls) {
  const auto [known, is_new] = numbers_.try_emplace(calls, static_cast<uint32_t>(allocations_.size() + 1));
  if (is_new) allocations_.push_back(calls);
  return known->second;
}

}  // namespace cdr::analysis
