// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/frame_walk.h"

#include <algorithm>

namespace cdr::trace {
namespace {

// Names and barriers that may stand between two frames; only damage makes more.
constexpr uint32_t kMaxTries = 1 << 20;

// Pops of many frames, whose number the path does not tell, and other stacks.
bool is_barrier(EventKind kind) {
  return kind == EventKind::kPop || kind == EventKind::kStackSwitch || kind == EventKind::kThreadStart;
}

}  // namespace

FrameWalk::FrameWalk(Seeker& seeker, const TracePosition& place, BelowHandler below)
    : seeker_(seeker),
      epoch_(seeker.epoch(place.epoch)),
      index_(*epoch_),
      place_(place),
      below_(below),
      string_(index_.paths().string_of(place.thread).value_or(0)),
      point_(place.at),
      depth_(index_.frames().depth(place.at)) {}

PathPosition FrameWalk::place_of(uint64_t event) const {
  PathPosition p;
  if (!index_.paths().find(string_, Weight::kEvents, event, p)) index_.fail("an event is missing");
  return p;
}

Event FrameWalk::row(const EventRow& r) {
  Event e;
  TracePosition at = place_;
  at.at = place_of(r.event);
  const uint64_t ip = r.kind() == EventKind::kCall || r.kind() == EventKind::kSignalEnter ? seeker_.last_ip(at) : 0;
  if (!index_.log().read(r, ip, e)) index_.fail("an event's members are damaged");
  return e;
}

const EventRow* FrameWalk::last_barrier() const {
  const auto rows = index_.log().frame_rows(string_);
  for (size_t i = rows_before(rows, point_.before.events); i-- > 0;)
    if (is_barrier(rows[i].kind())) return &rows[i];
  return nullptr;
}

bool FrameWalk::next(StackFrame& f, bool with_sp) {
  f = StackFrame();
  for (uint32_t tries = 0; !done_ && !old_; ++tries) {
    if (tries > kMaxTries) index_.fail("a frame is named again and again");
    const EventRow* barrier = last_barrier();
    FrameFinder::Found found;
    if (!index_.frames().find(point_, depth_, !name_, found) ||
        (barrier && found.place.before.events < barrier->event)) {
      if (barrier) {
        if (pass(*barrier, f)) return true;
        continue;
      }
      const ThreadAtStart* state = index_.state(place_.thread);
      done_ = !state;
      if (state) go_on_with(state->state.stacks[state->state.stack], -depth_);
      continue;
    }
    point_ = found.place;
    if (found.names) {
      name_ = name_at(point_.before.events);
      continue;
    }
    const uint64_t event = point_.before.events;
    opened(point_, f, with_sp);
    if (!pass_handler(event)) --depth_;
    return true;
  }
  return old_frame(f);
}

bool FrameWalk::old_frame(StackFrame& f) {
  if (done_ || old_at_ < 0 || old_at_ >= static_cast<int64_t>(old_->frames.size())) return false;
  const FrameModel& m = old_->frames[static_cast<size_t>(old_at_--)];
  f = {m.ip, name_ ? name_ : m.name, m.sp};
  name_ = BlockId();
  if (!m.interrupted || below_ == BelowHandler::kOwnStack || has_gone_back(m.interrupted, 0)) return true;
  const auto& state = index_.state(place_.thread)->state;
  const StackModel* const below = state.find(m.interrupted);
  done_ = !below || ++old_stacks_ > state.stacks.size();  // damage may make a ring of them
  if (below) go_on_with(*below, 0);
  return true;
}

// Its frames are older than the epoch; some have been passed.
void FrameWalk::go_on_with(const StackModel& stack, int64_t passed) {
  old_ = &stack;
  old_at_ = static_cast<int64_t>(stack.frames.size()) - 1 - passed;
}

std::span<const StackChange> FrameWalk::stack_changes() {
  std::span<const StackChange> changes;
  if (!index_.log().stack_changes(string_, changes)) index_.fail("an event's members are damaged");
  return changes;
}

// Whether the thread has switched to the stack, from this event on and before the place.
bool FrameWalk::has_gone_back(StackId stack, uint64_t event) {
  const auto changes = stack_changes();
  const auto from = changes.begin() + static_cast<std::ptrdiff_t>(rows_before(changes, event));
  const auto to = changes.begin() + static_cast<std::ptrdiff_t>(rows_before(changes, place_.at.before.events));
  return std::any_of(from, std::max(from, to),
                     [&](const StackChange& c) { return c.kind == EventKind::kStackSwitch && c.stack == stack; });
}

// If the event is a handler's SignalEnter with a StackSwitch of its own: to before that.
bool FrameWalk::pass_handler(uint64_t event) {
  if (below_ == BelowHandler::kOwnStack) return false;
  const auto rows = index_.log().frame_rows(string_);
  const size_t own = rows_before(rows, event);
  if (own == 0 || own == rows.size() || rows[own].event != event || rows[own].kind() != EventKind::kSignalEnter)
    return false;
  size_t at = own - 1;
  while (at > 0 && rows[at].kind() == EventKind::kPop) --at;
  if (rows[at].kind() != EventKind::kStackSwitch) return false;
  for (uint64_t n = rows[at].event + 1; n < event; ++n) {
    Event between;
    if (!event_of_terminal(index_.paths().terminal_at(place_of(n)), between) || between.kind != EventKind::kPop)
      return false;
  }
  const Event left = row(rows[at]);
  if (left.sp != row(rows[own]).sp) return false;
  const StackId interrupted = stack_before(rows[at].event);
  if (interrupted == left.stack) return false;  // it only tells bounds
  if (interrupted && has_gone_back(interrupted, event)) return false;
  point_ = place_of(rows[at].event);
  depth_ = index_.frames().depth(point_);
  return true;
}

// On which the thread was before this StackSwitch; none if the trace does not say.
StackId FrameWalk::stack_before(uint64_t event) {
  const auto changes = stack_changes();
  if (const size_t before = rows_before(changes, event); before > 0) return changes[before - 1].stack;
  const ThreadAtStart* state = index_.state(place_.thread);
  return state ? state->state.stacks[state->state.stack].id : StackId();
}

// The block of the event if it is before the place, or none.
BlockId FrameWalk::name_at(uint64_t event) {
  if (event >= place_.at.before.events) return BlockId();
  TracePosition at = place_;
  at.at = place_of(event);
  if (const auto block = seeker_.block_at(at)) return *block;
  const auto rows = index_.log().rows(string_);
  const size_t i = rows_before(rows, event);
  if (i == rows.size() || rows[i].event != event) return BlockId();
  const EventKind kind = rows[i].kind();
  if (kind != EventKind::kBlock && kind != EventKind::kPartial && kind != EventKind::kEnter) return BlockId();
  return row(rows[i]).block;
}

// The event at `at` opened the frame.
void FrameWalk::opened(const PathPosition& at, StackFrame& f, bool with_sp) {
  f.name = name_ ? name_ : name_at(at.before.events + 1);
  name_ = BlockId();
  const PathIndex& paths = index_.paths();
  if (is_stretch(paths.terminal_at(at))) {
    const uint32_t stretch = stretch_of(paths.terminal_at(at));
    PathPosition block = at;
    block.offset = paths.stretches().events_before(stretch, paths.stretches().event(stretch, at.offset).block);
    paths.count(block);
    return call_from(block, f, with_sp);
  }
  if (paths.terminal_at(at) == kCallTerminal) {
    for (uint64_t n = at.before.events; n-- > 0;) {
      const PathPosition block = place_of(n);
      if (is_stretch(paths.terminal_at(block))) return call_from(block, f, with_sp);
    }
    const ThreadAtStart* state = index_.state(place_.thread);
    if (state) f.call_ip = state->state.last_ip, f.sp = state->state.push_sp;
    return;
  }
  const auto rows = index_.log().rows(string_);
  const size_t i = rows_before(rows, at.before.events);
  if (i == rows.size()) index_.fail("an event is missing");
  const Event e = row(rows[i]);
  f.call_ip = e.ip;
  f.sp = e.sp;
}

void FrameWalk::call_from(const PathPosition& at, StackFrame& f, bool with_sp) {
  TracePosition block = place_;
  block.at = at;
  const BlockId id = *seeker_.block_at(block);
  const BlockModel& m = seeker_.model(id);
  f.call_ip = m.exit_ip;
  if (!with_sp) return;
  if (m.push.slot == 0) {
    block.at = place_of(at.before.events + 1);
    f.sp = seeker_.sp(block);
    return;
  }
  const AddressStream* s = index_.addresses().directory().streams_of(place_.thread, id);
  bool absent = false;
  if (!s || !index_.addresses().word(s[m.push.slot - 1], seeker_.executions_before(block, id), f.sp, absent))
    index_.fail("a block's words end early");
  f.sp += static_cast<uint64_t>(m.push.constant);
}

// To before the barrier; true if the frame was opened by it.
bool FrameWalk::pass(const EventRow& barrier, StackFrame& f) {
  const Event e = row(barrier);
  point_ = place_of(barrier.event);
  const int64_t top = index_.frames().depth(point_);
  if (e.kind == EventKind::kPop) {
    depth_ -= e.count;
    return false;
  }
  if (e.kind == EventKind::kStackSwitch) return pass_switch(barrier, e, f);
  done_ = true;
  if (depth_ != top) return false;
  f = {0, name_ ? name_ : name_at(barrier.event + 1), e.sp};
  return true;
}

// The stack goes on as it was when the thread left it, if it ever was on it.
bool FrameWalk::pass_switch(const EventRow& barrier, const Event& e, StackFrame& f) {
  const int64_t above = index_.frames().depth(point_) - depth_;  // frames of it that were passed
  const auto changes = stack_changes();
  const uint32_t previous = changes[rows_before(changes, barrier.event)].previous;
  const ThreadAtStart* state = index_.state(place_.thread);
  const bool at_start = state && state->state.stacks[state->state.stack].id == e.stack;
  if (previous != StackChange::kNone || at_start) {
    const StackChange& left = changes[previous == StackChange::kNone ? 0 : previous + 1];
    point_ = place_of(left.event);
    depth_ = index_.frames().depth(point_) - above;
    return false;
  }
  if (state)
    for (const StackModel& s : state->state.stacks)
      if (s.id == e.stack && !s.frames.empty()) {
        go_on_with(s, above);
        return false;
      }
  done_ = true;
  if (above != 0) return false;
  f = {0, name_ ? name_ : name_at(barrier.event + 1), e.sp};
  return true;
}

}  // namespace cdr::trace
