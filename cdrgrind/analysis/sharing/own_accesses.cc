// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sharing/own_accesses.h"

#include <algorithm>

namespace cdr::analysis {

void OwnAccesses::event(const Event& e, uint64_t index) {
  switch (e.kind) {
    case EventKind::kThreadStart: {
      if (!e.child) first_stack_end_ = e.range.end;
      const Generations::Found f = generations_.at(e.value);
      if (e.value) control_blocks_.push_back({e.value, f.id ? f.range.end : e.value + 4096});
      break;
    }
    case EventKind::kSyncEnter:
    case EventKind::kSyncLeave:
      sync(e);
      break;
    default:
      break;
  }
  generations_.event(e, index);
  if (e.kind == EventKind::kAlloc || e.kind == EventKind::kResize)
    allocated_[generations_.at(e.addr).id] = stacks_.top(e.thread).from;
  if (e.kind == EventKind::kMap) mapped(e);
  stacks_.event(e);
}

void OwnAccesses::sync(const Event& e) {
  if (e.thread.value >= open_.size()) open_.resize(e.thread.value + 1);
  std::vector<SyncOp>& open = open_[e.thread.value];
  if (e.sync.op == SyncOp::kOnceRun) return;
  if (e.kind == EventKind::kSyncEnter) {
    open.push_back(e.sync.op);
    return;
  }
  const auto last = std::find(open.rbegin(), open.rend(), e.sync.op);
  if (last != open.rend()) open.erase(last.base() - 1, open.end());
}

// What malloc maps for itself, or libc while it creates a thread, is the runtime's as long as it is no block's.
void OwnAccesses::mapped(const Event& e) {
  const ModuleId by = stacks_.module(e.thread);
  if (!(e.value & kMapHeap) && !stacks_.top(e.thread).hidden && !in_operation(e.thread) && !runtime_.linker[by.value])
    return;
  const GenerationId id = generations_.at(e.range.end - 1).id;
  if (id >= own_mappings_.size()) own_mappings_.resize(id + 1);
  own_mappings_[id] = true;
}

const Generations::Found& OwnAccesses::memory_at(uint64_t addr) {
  if (found_version_ != generations_.version() || !found_.range.contains(addr)) {
    found_ = generations_.at(addr);
    found_version_ = generations_.version();
  }
  return found_;
}

bool OwnAccesses::is_runtime(const Event& e, const Seen& seen) {
  if (runtime_.linkage.contains(seen.addr)) return true;
  const ModuleId module = stacks_.module(e.thread);
  if (!runtime_.library[module.value]) return false;
  if (runtime_.linker[module.value] || runtime_.shim[module.value]) return true;
  if (in_operation(e.thread) || stacks_.top(e.thread).hidden || runtime_.data.contains(seen.addr)) return true;
  if (!runtime_.clib[module.value]) return false;
  const GenerationId id = memory_at(seen.addr).id;
  const Generation& g = generations_[id];
  if (g.kind == MemoryKind::kHeap) return g.over;
  if (g.kind == MemoryKind::kMapping && id < own_mappings_.size() && own_mappings_[id]) return true;
  return std::any_of(control_blocks_.rbegin(), control_blocks_.rend(),
                     [&](const AddrRange& r) { return r.contains(seen.addr); });
}

}  // namespace cdr::analysis
