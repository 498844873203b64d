// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/policy/runtime_accesses.h"

#include <algorithm>

namespace cdr::races {

void RuntimeAccesses::thread_starts(const Event& e) {
  const Generations::Found f = generations_.at(e.value);
  if (e.value) control_blocks_.push_back({e.value, f.id ? f.range.end : e.value + 4096});
}

// What malloc maps for itself, or libc while it creates a thread, is the runtime's as long as it is no block's.
void RuntimeAccesses::mapped(const Event& e, bool in_operation) {
  const ModuleId by = stacks_.module(e.thread);
  if (!(e.value & kMapHeap) && !stacks_.top(e.thread).hidden && !in_operation && !code_.linker[by.value]) return;
  const GenerationId id = generations_.at(e.range.end - 1).id;
  if (id >= own_mappings_.size()) own_mappings_.resize(id + 1);
  own_mappings_[id] = true;
}

bool RuntimeAccesses::is_memory_of_clib(uint64_t addr, GenerationId id) const {
  const Generation g = generations_[id];
  if (g.kind == MemoryKind::kHeap) return g.over;
  if (g.kind == MemoryKind::kMapping && id < own_mappings_.size() && own_mappings_[id]) return true;
  return std::any_of(control_blocks_.rbegin(), control_blocks_.rend(),
                     [&](const AddrRange& r) { return r.contains(addr); });
}

}  // namespace cdr::races
