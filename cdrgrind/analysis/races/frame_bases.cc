// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/frame_bases.h"

#include <algorithm>
#include <tuple>

namespace cdr::analysis {

void FrameBases::begin_epoch(trace::EpochIndex& epoch, const trace::PathShapes& shapes,
                             const trace::StretchIndex& stretches, const BlockTable& blocks) {
  shapes_ = &shapes;
  stretches_ = &stretches;
  blocks_ = &blocks;
  bases_.clear();
  numbers_.clear();
  passed_.clear();
  used_.clear();
  uses_.clear();
  threads_.clear();
  if (watched_) find_watched(epoch.paths().grammar());
  for (const trace::ThreadAtStart& s : epoch.states()) {
    Thread& t = at(s.thread);
    for (const StackModel& stack : s.state.stacks)
      for (const FrameModel& f : stack.frames) {
        t.stacks[stack.id.value].push_back(frame_at(s.thread, f.sp));
        t.stacks[stack.id.value].back().delta_known = false;
      }
    if (s.state.stack < s.state.stacks.size()) t.frames = &t.stacks[s.state.stacks[s.state.stack].id.value];
    if (s.state.stack < s.state.stacks.size() && !t.frames->empty()) {
      t.frames->back().delta = s.state.sp - s.state.stacks[s.state.stack].frames.back().sp;
      t.frames->back().delta_known = true;
    }
    t.pending = s.state.push_sp;
  }
}

FrameBases::Thread& FrameBases::at(ThreadId t) {
  if (t.value >= threads_.size()) threads_.resize(t.value + 1);
  Thread& thread = threads_[t.value];
  if (!thread.frames) thread.frames = &thread.stacks[0];
  return thread;
}

FrameBase FrameBases::base_of(const Base& b) {
  const auto [i, added] = numbers_.try_emplace(b, static_cast<FrameBase>(bases_.size()));
  if (added) bases_.push_back(b);
  return i->second;
}

FrameBases::Frame& FrameBases::top(ThreadId id, Thread& t) {
  if (!t.frames->empty()) return t.frames->back();
  t.none = frame_at(id, 0);
  return t.none;
}

bool FrameBases::pass(ThreadId id, uint32_t symbol) {
  const trace::PathShape shape = shapes_->of(symbol);
  if (!shape.level()) return false;
  Thread& t = at(id);
  Frame& f = top(id, t);
  if (f.wrapper) return false;
  if (watched_ ? is_watched(symbol) : passed_.insert(uint64_t{symbol} << 32 | f.base).second) return false;
  t.last = shape.last;
  t.pushed.reset();
  f.delta_known = false;
  f.jumped = shape.jumped;
  return true;
}

void FrameBases::block(ThreadId id, BlockId block) {
  Thread& t = at(id);
  t.last = block;
  t.pushed.reset();
  Frame& f = top(id, t);
  step(f, block);
  if (stretches_->model(block).words == 0) return;
  if (used_.insert(uint64_t{block.value} << 32 | f.base).second) uses_.push_back({id, block, f.base});
}

// A wrapper that is jumped to finds the return address where its caller's call has left it.
void FrameBases::step(Frame& f, BlockId block) {
  const BlockModel& m = stretches_->model(block);
  f.wrapper = blocks_->superblock_of(block).flags & kBlockShim;
  if (f.wrapper && m.entry && f.jumped && !f.delta_known) {
    f.anchor = BlockId();
    f.delta = 0;
    f.delta_known = true;
  }
  if (m.sp_slot == SpChange::kSpAtEntry) {
    f.delta += static_cast<uint64_t>(m.sp_constant);
  } else {
    f.anchor = block;
    f.anchor_sp.reset();
    f.delta = 0;
    f.delta_known = m.sp_slot != 0;
  }
  f.jumped = m.jumps;
}

void FrameBases::follow(const Event& e) {
  Thread& t = at(e.thread);
  if (e.kind == EventKind::kReturn) {
    pop(t, 1);
    if (!t.frames->empty()) t.frames->back().delta += 8;
    return;
  }
  if (!t.last) {
    t.frames->push_back(frame_at(e.thread, t.pending));
    return;
  }
  const Frame& f = top(e.thread, t);
  const bool pushes = stretches_->model(t.last).push.slot != 0;
  Base b{.thread = e.thread, .by = Base::By::kUnknown};
  std::optional<uint64_t> sp;
  if (pushes) {
    b.by = Base::By::kPush;
    b.block = t.last;
    sp = t.pushed;
  } else if (f.delta_known) {
    b.by = f.anchor ? Base::By::kWord : Base::By::kBelow;
    b.block = f.anchor;
    b.below = f.base;
    b.sp = f.delta;
    sp = f.anchor ? f.anchor_sp : f.sp;
    if (sp) *sp += f.delta;
  }
  t.frames->push_back(new_frame(b, sp));
}

void FrameBases::pop(Thread& t, uint32_t count) {
  t.frames->resize(t.frames->size() - std::min<size_t>(count, t.frames->size()));
}

void FrameBases::event(const Event& e) {
  Thread& t = at(e.thread);
  switch (e.kind) {
    case EventKind::kCall:
    case EventKind::kSignalEnter:
      t.frames->push_back(frame_at(e.thread, e.sp));
      break;
    case EventKind::kReturn:
    case EventKind::kSignalLeave:
    case EventKind::kPop:
      pop(t, e.kind == EventKind::kPop ? e.count : 1);
      if (!t.frames->empty()) t.frames->back().delta_known = false;
      break;
    case EventKind::kStackPointer:
    case EventKind::kPartial:
    case EventKind::kGapBegin:
      top(e.thread, t).delta_known = false;
      break;
    case EventKind::kThreadStart:
    case EventKind::kStackSwitch:
      t.frames = &t.stacks[e.stack.value];
      if (e.kind == EventKind::kThreadStart || t.frames->empty()) t.frames->push_back(frame_at(e.thread, e.sp));
      break;
    default:
      break;
  }
}

// --- watched blocks ---

bool FrameBases::is_watched(uint32_t symbol) const {
  if (is_rule(symbol)) return watched_rules_[rule_of(symbol)];
  if (!is_stretch(symbol)) return false;
  const auto blocks = stretches_->blocks(stretch_of(symbol));
  return std::any_of(blocks.begin(), blocks.end(), [&](BlockId id) { return (*watched_)[id.value]; });
}

void FrameBases::find_watched(const Grammar& g) {
  watched_rules_.assign(g.rules(), false);
  for (const uint32_t rule : trace::children_first(g))
    for (const Run& r : g.body(rule))
      if (is_watched(r.symbol)) watched_rules_[rule] = true;
}

void FrameBases::told(ThreadId thread, std::span<const uint64_t> words, bool frame_sp) {
  Thread& t = at(thread);
  const BlockModel& m = stretches_->model(t.last);
  if (m.push.slot != 0) t.pushed = words[m.push.slot - 1u] + static_cast<uint64_t>(m.push.constant);
  if (frame_sp && m.sp_slot != SpChange::kSpAtEntry && m.sp_slot != 0)
    top(thread, t).anchor_sp = words[m.sp_slot - 1u] + static_cast<uint64_t>(m.sp_constant);
}

std::optional<uint64_t> FrameBases::frame_sp(ThreadId thread) { return top(thread, at(thread)).sp; }

std::vector<FrameBases::Use> FrameBases::take_uses() {
  std::sort(uses_.begin(), uses_.end(), [](const Use& a, const Use& b) {
    return std::tuple(a.thread, a.block, a.base) < std::tuple(b.thread, b.block, b.base);
  });
  return std::move(uses_);
}

}  // namespace cdr::analysis
