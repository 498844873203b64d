// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sharing/own_accesses.h"

#include <algorithm>

namespace cdr::sharing {

void OwnAccesses::event(const Event& e, uint64_t index) {
  switch (e.kind) {
    case EventKind::kThreadStart:
      if (!e.child) first_stack_end_ = e.range.end;
      own_.thread_starts(e);
      break;
    case EventKind::kSyncEnter:
    case EventKind::kSyncLeave:
      sync(e);
      break;
    default:
      break;
  }
  generations_.event(e, index);
  if (e.kind == EventKind::kAlloc || e.kind == EventKind::kResize)
    allocated_[generations_.at(e.addr).id] = allocation(e.thread);
  if (e.kind == EventKind::kMap) own_.mapped(e, in_operation(e.thread));
  stacks_.event(e);
}

uint32_t OwnAccesses::allocation(ThreadId by) {
  constexpr size_t kMostCalls = 16;
  Allocation a{stacks_.top(by).from, stacks_.sites(by, {}), 0};
  const auto is_library = [&](CodeAddr c) { return c.module && library(c.module); };
  const auto first_library = std::find_if(a.calls.begin(), a.calls.end(), is_library);
  a.direct = static_cast<size_t>(first_library - a.calls.begin());
  std::erase_if(a.calls, is_library);
  if (a.calls.size() > kMostCalls) a.calls.resize(kMostCalls);
  const auto [known, is_new] = allocation_numbers_.try_emplace(a, static_cast<uint32_t>(allocations_.size() + 1));
  if (is_new) allocations_.push_back(std::move(a));
  return known->second;
}

void OwnAccesses::sync(const Event& e) {
  if (e.thread.value >= open_.size()) open_.resize(e.thread.value + 1);
  std::vector<SyncOp>& open = open_[e.thread.value];
  if (e.kind == EventKind::kSyncEnter) {
    open.push_back(e.sync.op);
    return;
  }
  const auto last = std::find(open.rbegin(), open.rend(), e.sync.op);
  if (last != open.rend()) open.erase(last.base() - 1, open.end());
}

}  // namespace cdr::sharing
