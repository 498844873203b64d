// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/frame_bases.h"

#include <algorithm>
#include <tuple>

#include "cdrgrind/encode/event_fields.h"

namespace cdr::races {

void FrameBases::begin_epoch(trace::EpochIndex& epoch, const trace::PathShapes& shapes, const BlockTable& blocks) {
  shapes_ = &shapes;
  paths_ = &epoch.paths();
  stretches_ = &epoch.paths().stretches();
  effects_.clear();
  blocks_ = &blocks;
  bases_.clear();
  numbers_.clear();
  passed_.clear();
  used_.clear();
  uses_.clear();
  threads_.clear();
  if (watched_) find_watched(epoch.paths().grammar());
  for (const trace::ThreadAtStart& s : epoch.states()) {
    ThreadStacks& t = at(s.thread);
    t.pending = s.state.push_sp;
    for (const StackModel& stack : s.state.stacks) begin_stack(s.thread, stack, t.stacks[stack.id.value]);
    if (s.state.stack >= s.state.stacks.size()) continue;
    t.frames = &t.stacks[s.state.stacks[s.state.stack].id.value];
    if (t.frames->empty()) continue;
    t.frames->back().now_is(base_at(s.thread, s.state.sp), s.state.sp);
    t.frames->back().jumped = s.state.jumped;
  }
}

// A frame below another called that; where a signal came in, the end of its handler tells SP.
void FrameBases::begin_stack(ThreadId id, const StackModel& stack, std::vector<Frame>& to) {
  for (const FrameModel& m : stack.frames) {
    if (!to.empty()) to.back().now_is(base_at(id, m.sp), m.sp);
    Frame& f = to.emplace_back(frame_at(id, m.sp));
    f.jumped = m.jumped;
    f.wrapper = m.name && (blocks_->superblock_of(m.name).flags & kBlockShim);
  }
}

FrameBases::ThreadStacks& FrameBases::at(ThreadId t) {
  if (t.value >= threads_.size()) threads_.resize(t.value + 1);
  ThreadStacks& thread = threads_[t.value];
  if (!thread.frames) thread.frames = &thread.stacks[0];
  return thread;
}

FrameBase FrameBases::base_of(const Base& b) {
  const auto [i, added] = numbers_.try_emplace(b, static_cast<FrameBase>(bases_.size()));
  if (added) bases_.push_back(b);
  return i->second;
}

FrameBases::Frame& FrameBases::top(ThreadId id, ThreadStacks& t) {
  if (!t.frames->empty()) return t.frames->back();
  t.none = frame_at(id, 0);
  return t.none;
}

uint32_t FrameBases::pass(ThreadId id, uint32_t symbol, uint32_t copies) {
  const trace::PathShape shape = shapes_->of(symbol);
  ThreadStacks& t = at(id);
  Frame& f = top(id, t);
  if (!shape.level() || f.wrapper) return pass_known(id, t, symbol, shape) ? 1 : 0;
  if (watched_ ? is_watched(symbol) : passed_.insert(uint64_t{symbol} << 32 | f.base).second) return 0;
  t.last = shape.last;
  t.pushed.reset();
  f.forget_now();
  f.jumped = shape.jumped;
  return copies;
}

bool FrameBases::pass_known(ThreadId id, ThreadStacks& t, uint32_t symbol, const trace::PathShape& shape) {
  const size_t depth = Effects::depth(*paths_, symbol, shape, t.frames->size());
  if (depth == 0) return false;
  const size_t left = t.frames->size() - depth;
  bool note = false;
  const Effects::Effect* const known = effects_.find(symbol, id.value, std::span(*t.frames).subspan(left), note);
  if (!known) return note && !(watched_ && is_watched(symbol)) && note_effect(id, t, symbol, depth);
  t.frames->resize(left);
  t.frames->insert(t.frames->end(), known->after.frames.begin(), known->after.frames.end());
  t.last = known->after.last;
  t.pushed.reset();
  return true;
}

// Does what it notes.
bool FrameBases::note_effect(ThreadId id, ThreadStacks& t, uint32_t symbol, size_t depth) {
  const auto left = t.frames->end() - static_cast<ptrdiff_t>(depth) - t.frames->begin();
  Effects::Effect e{symbol, id.value, {t.frames->begin() + left, t.frames->end()}, {}};
  const BlockId last = t.last;
  const auto inner = [&](uint32_t s, uint32_t copies) { return s == symbol ? 0 : pass(id, s, copies); };
  const auto executed = [&](BlockId b) {
    block(id, b);
    return true;
  };
  const auto followed = [&](EventKind kind, uint64_t ip) {
    Event call;
    call.kind = kind;
    call.thread = id;
    call.ip = ip;
    follow(call);
  };
  if (!walk_symbol(*paths_, {symbol, 1}, inner, executed, followed)) {
    t.frames->resize(static_cast<size_t>(left));
    t.frames->insert(t.frames->end(), e.before.begin(), e.before.end());
    t.last = last;
    return false;
  }
  e.after = {{t.frames->begin() + left, t.frames->end()}, t.last};
  effects_.add(std::move(e));
  return true;
}

void FrameBases::block(ThreadId id, BlockId block) {
  ThreadStacks& t = at(id);
  t.last = block;
  t.pushed.reset();
  Frame& f = top(id, t);
  step(id, f, block);
  if (stretches_->model(block).words == 0) return;
  if (used_.insert(uint64_t{block.value} << 32 | f.base).second) uses_.push_back({id, block, f.base});
}

// A wrapper that is jumped to finds the return address where its caller's call has left it.
void FrameBases::step(ThreadId id, Frame& f, BlockId block) {
  const BlockModel& m = stretches_->model(block);
  f.wrapper = blocks_->superblock_of(block).flags & kBlockShim;
  if (f.wrapper && m.entry && f.jumped && !f.knows_now()) f.now_is(bases_[f.base], f.sp);
  if (m.sp_slot == SpChange::kSpAtEntry)
    f.add_to_now(static_cast<uint64_t>(m.sp_constant));
  else if (m.sp_slot == 0)
    f.now_is(base_at(id, static_cast<uint64_t>(m.sp_constant)), static_cast<uint64_t>(m.sp_constant));
  else
    f.now_is({.thread = id, .by = Base::By::kWord, .block = block, .below = f.base}, std::nullopt);
  f.jumped = m.jumps;
}

void FrameBases::follow(const Event& e) {
  ThreadStacks& t = at(e.thread);
  if (e.kind == EventKind::kReturn) {
    pop(t, 1);
    if (!t.frames->empty()) t.frames->back().add_to_now(8);
    return;
  }
  if (!t.last) {
    t.frames->push_back(frame_at(e.thread, t.pending));
    return;
  }
  const Frame& f = top(e.thread, t);
  if (stretches_->model(t.last).push.slot != 0)
    t.frames->push_back(new_frame({.thread = e.thread, .by = Base::By::kPush, .block = t.last}, t.pushed));
  else if (f.wrapper && f.knows_now())
    t.frames->push_back(new_frame(Base(f.now), f.sp_now));
  else
    t.frames->push_back(new_frame({.thread = e.thread, .by = Base::By::kUnknown}, std::nullopt));
}

void FrameBases::pop(ThreadStacks& t, uint32_t count) {
  t.frames->resize(t.frames->size() - std::min<size_t>(count, t.frames->size()));
}

void FrameBases::event(const Event& e) {
  ThreadStacks& t = at(e.thread);
  switch (e.kind) {
    case EventKind::kCall:
    case EventKind::kSignalEnter:
      t.frames->push_back(frame_at(e.thread, e.sp));
      break;
    case EventKind::kReturn:
    case EventKind::kSignalLeave:
      pop(t, 1);
      break;
    case EventKind::kPop: {
      // SP is where the last of these left it.
      const Frame last = top(e.thread, t);
      pop(t, e.count);
      if (!t.frames->empty()) t.frames->back().now_is(last.now, last.sp_now);
      break;
    }
    case EventKind::kPartial:
    case EventKind::kGapBegin:
      top(e.thread, t).forget_now();
      break;
    case EventKind::kThreadStart:
    case EventKind::kStackSwitch:
      t.frames = &t.stacks[e.stack.value];
      if (e.kind == EventKind::kThreadStart || t.frames->empty()) t.frames->push_back(frame_at(e.thread, e.sp));
      break;
    default:
      break;
  }
  if ((fields_of(e.kind) & kFieldSp) && e.sp != 0 && !t.frames->empty())
    t.frames->back().now_is(base_at(e.thread, e.sp), e.sp);
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

void FrameBases::told(ThreadId thread, std::span<const uint64_t> words) {
  ThreadStacks& t = at(thread);
  const BlockModel& m = stretches_->model(t.last);
  if (m.push.slot != 0) t.pushed = words[m.push.slot - 1u] + static_cast<uint64_t>(m.push.constant);
  if (m.sp_slot != SpChange::kSpAtEntry && m.sp_slot != 0)
    top(thread, t).sp_now = words[m.sp_slot - 1u] + static_cast<uint64_t>(m.sp_constant);
}

std::vector<FrameBases::Use> FrameBases::take_uses() {
  std::sort(uses_.begin(), uses_.end(), [](const Use& a, const Use& b) {
    return std::tuple(a.thread, a.block, a.base) < std::tuple(b.thread, b.block, b.base);
  });
  return std::move(uses_);
}

}  // namespace cdr::races
