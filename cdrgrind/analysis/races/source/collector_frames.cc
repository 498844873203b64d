// SPDX-License-Identifier: GPL-2.0-or-later
// Of Collector: frames that tasks may refer to.
#include "cdrgrind/analysis/races/source/collector.h"

namespace cdr::races {

void Collector::follow_frames(const Event& e, uint64_t index) {
  if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) note_last(e.thread, e.block);
  uint32_t number = 0;
  frames_.event(e, [&](ThreadId t, TaskFrames::Frame& f) { leave_frame(t, f, {index, number++}); });
}

// Of one that was left before for all that the task knows another has the place, to which it refers. One that it may
// have used in order does not matter.
TaskFrames::Frame* Collector::known_frame(ThreadId t, uint64_t addr) {
  TaskFrames::Frame* const f = frames_.find(t, addr);
  if (!f || !f->left) return f;
  const StrandClocks::Running* const r = strands_->running(t);
  if (!f->left_in || !r || to_.segments.knows(r->number, f->left_by, f->left_in, Order::kFull)) return nullptr;
  return f;
}

// It is a store to what tasks touch of it, if some do later, or in no order with it.
void Collector::leave_frame(ThreadId t, TaskFrames::Frame& f, AccessPosition at) {
  f.note_generations(to_.generations);
  const AddrRange* const later = first_pass_.left_frames.find(f.serial);
  if (later) f.touch(*later);
  if (f.touched.empty() || part(t).hide_depth) return;
  const ThreadId by = strand_of(t, f.touched.begin, f.touched.size(), f.generation_at(f.touched.begin));
  bool unordered = later != nullptr;
  f.touched_by.for_each([&](uint32_t strand, SegmentNumber n) {
    unordered |= !to_.segments.knows(by, ThreadId(strand), n, Order::kFull);
  });
  if (!unordered) return;
  Site s;
  if (const BlockId last = t.value < last_blocks_.size() ? last_blocks_[t.value] : BlockId()) {
    const Superblock& sb = blocks_.superblock_of(last);
    s.ip = {sb.module, exit_addr(sb, blocks_.exit_of(last))};
  }
  s.library = runtime_.library[s.ip.module.value];
  if (s.library) s.from = stacks_.top(t).from;
  s.store = s.leaves = true;
  const SiteId site = to_.sites.site(s);
  const std::vector<TaskFrames::Frame::Part> parts = f.touched_parts();
  for (const TaskFrames::Frame::Part& p : parts)
    keep({at, by, to_.sites.stream(site, p.generation, false), p.range.begin, p.range.size(), true, t});
  f.left_by = by;
  f.left_in = part(by).segment;
  to_.segments.give(t);
  for (const TaskFrames::Frame::Part& p : parts)
    to_.left_frames.emplace(p.generation, LeftFrame{by, f.left_in, p.range});
}

}  // namespace cdr::races
