// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check/check_memory.h"

#include <algorithm>

namespace cdr::trace {
namespace {

// An empty block has an address of its own too.
uint64_t extent(uint64_t size) { return std::max<uint64_t>(size, 1); }

}  // namespace

void CheckMemory::see(const Sight& s) {
  const Event& e = s.e;
  switch (e.kind) {
    case EventKind::kAlloc:
      return alloc(s, e.addr, e.size);
    case EventKind::kFree:
      return free(s);
    case EventKind::kResize:
      free(s);
      return alloc(s, e.addr, e.value);
    case EventKind::kMap:
    case EventKind::kUnmap:
      if (e.range.empty()) report_.add("ranges-not-empty", s.index, hex(e.range.begin) + " to " + hex(e.range.end));
      return;
    default:
      return;
  }
}

void CheckMemory::alloc(const Sight& s, uint64_t addr, uint64_t size) {
  auto next = live_.lower_bound(addr);
  const auto clash = [&](const auto& block) {
    report_.add("alloc-not-overlapping", s.index,
                std::to_string(size) + " bytes at " + hex(addr) + " overlap " + std::to_string(block.second) +
                    " bytes at " + hex(block.first));
  };
  if (next != live_.end() && next->first - addr < extent(size))
    clash(*next);
  else if (next != live_.begin() && addr - std::prev(next)->first < extent(std::prev(next)->second))
    clash(*std::prev(next));
  live_[addr] = size;
}

void CheckMemory::free(const Sight& s) {
  const auto block = live_.find(s.e.addr);
  if (block == live_.end()) {
    report_.add("free-was-allocated", s.index, hex(s.e.addr) + " is no heap block");
    return;
  }
  if (block->second != s.e.size)
    report_.add("free-was-allocated", s.index,
                hex(s.e.addr) + " has " + std::to_string(block->second) + " bytes, not " + std::to_string(s.e.size));
  live_.erase(block);
}

}  // namespace cdr::trace
