// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/path_walk.h"

#include <algorithm>

#include "cdrgrind/encode/event_fields.h"

namespace cdr::trace {

uint64_t PathWalk::run(Reader& reader, uint64_t end) {
  reader_ = &reader;
  end_ = end;
  next_ = 0;
  for (uint32_t e = 0; e < seeker_.file().epochs().size() && next_ < end && !reader.stopped(); ++e) run_epoch(e);
  return next_;
}

void PathWalk::run_epoch(uint32_t number) {
  const TraceFile& file = seeker_.file();
  epoch_ = seeker_.epoch(number);
  const PathShapes shapes(epoch_->paths());
  shapes_ = &shapes;
  EventLogReader log(file.modules(), file.blocks(), file.serial_limit());
  log.begin(epoch_->log_columns());
  log_ = &log;
  begin_threads(epoch_->paths());
  reader_->begin_epoch(number, *epoch_, shapes);
  const uint64_t first = file.first_event(file.epochs()[number]);
  for (const TurnIndex::Segment& s : epoch_->turns().segments()) {
    const ThreadId thread(s.thread);
    const uint64_t begin = first + s.begin;
    if (begin >= end_ || reader_->stopped()) break;
    if (s.turn) {
      Event e;
      e.kind = EventKind::kTurn;
      e.thread = thread;
      reader_->event(e, begin);
    }
    next_ = run_thread(thread, std::min<uint64_t>(s.events, end_ - begin - s.turn), begin + s.turn);
  }
  reader_->end_epoch();
  epoch_ = EpochPin();
}

void PathWalk::begin_threads(const PathIndex& paths) {
  threads_.clear();
  for (uint32_t s = 0; s < paths.threads().size(); ++s) {
    const ThreadId thread(paths.threads()[s]);
    if (thread.value >= threads_.size()) threads_.resize(thread.value + 1);
    ThreadWay& t = threads_[thread.value];
    const auto body = paths.grammar().body(s);
    t.way.push_back({body.data(), body.data() + body.size(), 0});
    if (const ThreadAtStart* state = epoch_->state(thread)) t.last_ip = state->state.last_ip;
  }
}

uint64_t PathWalk::run_thread(ThreadId thread, uint64_t events, uint64_t index) {
  if (events == 0) return index;
  if (thread.value >= threads_.size()) epoch_->fail("a thread's path ends early");
  ThreadWay& t = threads_[thread.value];
  while (events > 0 && !reader_->stopped()) {
    if (t.way.empty()) epoch_->fail("a thread's path ends early");
    Level& l = t.way.back();
    if (l.at == l.end) {
      t.way.pop_back();
      if (!t.way.empty()) ++t.way.back().copy;
      continue;
    }
    if (l.copy == l.at->count) {
      ++l.at;
      l.copy = 0;
      continue;
    }
    const uint32_t symbol = l.at->symbol;
    if (pass(thread, t, events, index)) continue;
    if (is_rule(symbol)) {
      const auto body = epoch_->paths().grammar().body(rule_of(symbol));
      t.way.push_back({body.data(), body.data() + body.size(), 0});
    } else if (is_stretch(symbol)) {
      open_stretch(thread, t, stretch_of(symbol), events, index);
    } else {
      terminal(thread, t, symbol, events, index);
    }
  }
  return index;
}

bool PathWalk::pass(ThreadId thread, ThreadWay& t, uint64_t& events, uint64_t& index) {
  Level& l = t.way.back();
  const uint32_t symbol = l.at->symbol;
  if (t.block != 0 || t.follows) return false;
  uint64_t size = 0;
  if (is_rule(symbol)) {
    if (!shapes_->of(symbol).plain) return false;
    size = epoch_->paths().sums().total(rule_of(symbol)).events;
  } else if (is_stretch(symbol)) {
    size = epoch_->paths().stretches().counts(stretch_of(symbol)).events;
  }
  if (size == 0 || size > events) return false;
  const auto copies = static_cast<uint32_t>(std::min<uint64_t>(l.at->count - l.copy, events / size));
  const uint32_t passed = std::min(reader_->pass(thread, symbol, copies, index), copies);
  if (passed == 0) return false;
  l.copy += passed;
  events -= passed * size;
  index += passed * size;
  t.passed = symbol;
  return true;
}

void PathWalk::open_stretch(ThreadId thread, ThreadWay& t, uint32_t stretch, uint64_t& events, uint64_t& index) {
  const StretchIndex& stretches = epoch_->paths().stretches();
  const auto blocks = stretches.blocks(stretch);
  t.passed = 0;
  for (; events > 0 && t.block < blocks.size(); --events, ++index) {
    const BlockModel& m = stretches.model(blocks[t.block]);
    const EventKind then = stretches.follows(stretch, t.block);
    if (t.follows) {
      follow(thread, t, then, index);
    } else {
      t.last_ip = m.exit_ip;
      reader_->block(thread, blocks[t.block], index);
    }
    t.follows = !t.follows && then != EventKind::kNone;
    t.block += !t.follows;
  }
  if (t.block < blocks.size()) return;
  t.block = 0;
  ++t.way.back().copy;
}

void PathWalk::follow(ThreadId thread, ThreadWay& t, EventKind kind, uint64_t index) {
  Event e;
  e.kind = kind;
  e.thread = thread;
  if (kind == EventKind::kCall) e.ip = last_ip(t);
  reader_->follow(e, index);
}

void PathWalk::terminal(ThreadId thread, ThreadWay& t, uint32_t terminal, uint64_t& events, uint64_t& index) {
  ++t.way.back().copy;
  if (terminal == kNameTerminal) return;
  --events;
  if (is_follower(terminal)) {
    follow(thread, t, terminal == kCallTerminal ? EventKind::kCall : EventKind::kReturn, index++);
    return;
  }
  Event e;
  e.thread = thread;
  if (!event_of_terminal(terminal, e) || e.kind == EventKind::kTurn) epoch_->fail("unknown kind of event");
  if (has_row(terminal) && !log_->next(e, last_ip(t))) epoch_->fail("an event's members are damaged");
  if (fields_of(e.kind) & kFieldIp) {
    t.last_ip = e.ip;
    t.passed = 0;
  }
  reader_->event(e, index++);
}

// Of what was passed over it is only asked for when it matters.
uint64_t PathWalk::last_ip(ThreadWay& t) const {
  if (t.passed != 0) t.last_ip = seeker_.model(shapes_->of(t.passed).last).exit_ip;
  t.passed = 0;
  return t.last_ip;
}

}  // namespace cdr::trace
