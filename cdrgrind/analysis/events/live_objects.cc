// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/events/live_objects.h"

#include <algorithm>

#include "cdrgrind/analysis/events/first_stack.h"

namespace cdr::analysis {

LiveObjects::LiveObjects(const ModuleTable& modules, const BlockTable& blocks, const std::vector<bool>& libraries,
                         ObjectNumbers& numbers)
    : libraries_(libraries), numbers_(numbers), shim_(shim_modules(modules)), calls_(blocks, libraries_, shim_) {}

void LiveObjects::event(const Event& e) {
  if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) return calls_.block(e.thread, e.block);
  calls_.event(e);
  blocks_.event(e, calls_, libraries_);
  switch (e.kind) {
    case EventKind::kThreadStart:
      return start_thread(e);
    case EventKind::kThreadEnd:
      std::erase_if(stacks_, [&](const KnownStack& s) { return s.owner == e.thread; });
      return;
    case EventKind::kStackSwitch:
      return switch_stack(e);
    case EventKind::kMap:
    case EventKind::kUnmap:
      return remap(e.range);
    default:
      return;
  }
}

void LiveObjects::start_thread(const Event& e) {
  KnownStack stack{e.stack, e.range, e.thread, !e.child};
  if (stack.grows && stack.range.end > kFirstStackBytes)
    stack.range.begin = std::min(stack.range.begin, stack.range.end - kFirstStackBytes);
  std::erase_if(stacks_, [&](const KnownStack& s) { return s.id == e.stack; });
  stacks_.push_back(stack);
  if (e.thread.value >= threads_.size()) threads_.resize(e.thread.value + size_t{1});
  threads_[e.thread.value] = {e.value, e.stack};
}

void LiveObjects::switch_stack(const Event& e) {
  if (e.thread.value >= threads_.size()) threads_.resize(e.thread.value + size_t{1});
  threads_[e.thread.value].stack = e.stack;
  if (KnownStack* const s = find_stack(e.stack)) {
    if (!s->grows) s->range = e.range;
    return;
  }
  stacks_.push_back({e.stack, e.range, ThreadId(), false});
}

// What was a stack that nobody began on may be anything from now on.
void LiveObjects::remap(AddrRange range) {
  std::erase_if(
      stacks_, [&](const KnownStack& s) { return !s.owner && range.begin < s.range.end && s.range.begin < range.end; });
}

LiveObjects::KnownStack* LiveObjects::find_stack(StackId id) {
  const auto s = std::find_if(stacks_.begin(), stacks_.end(), [&](const KnownStack& k) { return k.id == id; });
  return s == stacks_.end() ? nullptr : &*s;
}

// The one on which the thread runs, or the newest.
const LiveObjects::KnownStack* LiveObjects::stack_at(uint64_t addr, StackId present) const {
  const KnownStack* found = nullptr;
  for (const KnownStack& s : stacks_) {
    if (!s.range.contains(addr)) continue;
    if (s.id == present) return &s;
    found = &s;
  }
  return found;
}

uint32_t LiveObjects::at(uint64_t addr, ThreadId thread, CodeAddr by, Recent& recent) {
  if (recent.version != blocks_.version() || !recent.found.range.contains(addr)) {
    recent.found = blocks_.at(addr);
    recent.version = blocks_.version();
  }
  if (const uint32_t allocation = recent.found.allocation)
    return numbers_.in_block(allocation, blocks_.allocation(allocation), recent.found.size,
                             addr - recent.found.range.begin);
  const StackId present = thread.value < threads_.size() ? threads_[thread.value].stack : StackId();
  const KnownStack* const stack = stack_at(addr, present);
  if (!stack) return elsewhere(addr, thread, by);
  // Where others stand in the functions that they execute is not known.
  const bool own = stack->id == present;
  const auto place =
      frame_place(own ? calls_.frames(thread) : calls_.frames_of(stack->id), addr, own ? by : CodeAddr());
  if (!place) return elsewhere(addr, thread, by);
  if (recent.in_frame == 0 || !(recent.frame == *place)) {
    recent.frame = *place;
    recent.in_frame = numbers_.in_frame(*place);
  }
  return recent.in_frame;
}

}  // namespace cdr::analysis
