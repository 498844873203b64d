// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/thread_cursor.h"

#include "cdrgrind/encode/event_fields.h"

namespace cdr::trace {

ThreadCursor::ThreadCursor(Seeker& seeker, const TracePosition& place) : seeker_(seeker) { begin(place); }

void ThreadCursor::begin(const TracePosition& place) {
  start_ = place;
  index_ = seeker_.epoch(place.epoch);
  events_ = place.before.events;
  way_ = WayCursor(index_->paths().grammar(), place.at.way);
  offset_ = place.at.offset;
  rows_ = index_->log().rows(*index_->paths().string_of(place.thread));
  row_ = rows_before(rows_, place.at.before.events);
  sp_ = seeker_.sp(place);
  last_ip_ = seeker_.last_ip(place);
  streams_.clear();
  frames_ = seeker_.frame_sps_at(place);
  find_push();
}

// What the last block pushed, if it is a call whose event may still come.
void ThreadCursor::find_push() {
  const ThreadAtStart* state = index_->state(start_.thread);
  if (start_.at.before.blocks == 0) {
    push_sp_ = state ? state->state.push_sp : 0;
    return;
  }
  TracePosition last = start_;
  index_->paths().find(*index_->paths().string_of(start_.thread), Weight::kBlocks, start_.at.before.blocks - 1,
                       last.at);
  const BlockId id = *seeker_.block_at(last);
  const BlockModel& m = seeker_.model(id);
  push_sp_ = sp_;
  if (m.push.slot == 0) return;
  seeker_.words_at(last, id, words_);
  push_sp_ = words_[m.push.slot - 1u] + static_cast<uint64_t>(m.push.constant);
}

bool ThreadCursor::next(Event& e) {
  while (!next_event(e)) {
    // The thread goes on in another epoch.
    TracePosition place;
    if (!seeker_.find(start_.thread, Weight::kEvents, events_, place)) return false;
    begin(place);
  }
  ++events_;
  return true;
}

bool ThreadCursor::next_event(Event& e) {
  if (!way_.at_end() && way_.terminal() == kNameTerminal) way_.skip(1);
  if (way_.at_end()) return false;
  if (way_.terminal() == kNameTerminal) index_->fail("a frame is named twice");
  e = Event();
  e.thread = start_.thread;
  const uint32_t terminal = way_.terminal();
  if (is_stretch(terminal)) {
    stretch_event(e, stretch_of(terminal));
    return true;
  }
  way_.skip(1);
  if (is_follower(terminal))
    follow(e, terminal == kCallTerminal ? EventKind::kCall : EventKind::kReturn);
  else
    other_event(e, terminal);
  return true;
}

void ThreadCursor::stretch_event(Event& e, uint32_t stretch) {
  const StretchIndex& stretches = index_->paths().stretches();
  const StretchEvent at = stretches.event(stretch, offset_);
  if (at.follows)
    follow(e, stretches.follows(stretch, at.block));
  else
    block(e, stretches.blocks(stretch)[at.block]);
  if (++offset_ < stretches.counts(stretch).events) return;
  offset_ = 0;
  way_.skip(1);
}

void ThreadCursor::block(Event& e, BlockId id) {
  const BlockModel& m = seeker_.model(id);
  const auto [entry, first] = streams_.try_emplace(id.value);
  Streams& streams = entry->second;
  if (first) {
    streams.executions = seeker_.executions_before(start_, id);
    streams.words.resize(m.words);
  }
  words_.resize(m.words);
  const AddressStream* s = m.words == 0 ? nullptr : index_->addresses().directory().streams_of(start_.thread, id);
  if (!s && m.words != 0) index_->fail("a block has no words");
  for (uint32_t i = 0; i < m.words; ++i) words_[i] = word(s[i], streams.words[i], streams.executions);
  ++streams.executions;
  e.kind = EventKind::kBlock;
  e.block = id;
  e.words = words_;
  if (m.sp_slot == SpChange::kSpAtEntry)
    sp_ += static_cast<uint64_t>(m.sp_constant);
  else
    sp_ = static_cast<uint64_t>(m.sp_constant) + (m.sp_slot == 0 ? 0 : words_[m.sp_slot - 1u]);
  last_ip_ = m.exit_ip;
  if (m.then == EventKind::kCall)
    push_sp_ = m.push.slot == 0 ? sp_ : words_[m.push.slot - 1u] + static_cast<uint64_t>(m.push.constant);
}

uint64_t ThreadCursor::word(const AddressStream& s, AddressIndex::Steps& at, uint64_t execution) {
  bool absent = false;
  if (at.more > 0 && !s.guarded()) {
    at.value += at.stride;
    --at.more;
  } else if (s.guarded() ? !index_->addresses().word(s, execution, at.value, absent)
                         : !index_->addresses().steps(s, execution, at)) {
    index_->fail("a block's words end early");
  }
  if (!s.relative() || absent) return at.value;
  return at.value + (frames_.empty() ? 0 : frames_.back());
}

void ThreadCursor::follow(Event& e, EventKind kind) {
  e.kind = kind;
  e.sp = sp_;
  if (kind == EventKind::kReturn) {
    if (!frames_.empty()) frames_.pop_back();
    return;
  }
  e.ip = last_ip_;
  frames_.push_back(push_sp_);
}

void ThreadCursor::other_event(Event& e, uint32_t terminal) {
  if (!event_of_terminal(terminal, e)) index_->fail("unknown kind of event");
  const ThreadId thread = e.thread;
  const uint64_t in_epoch = events_ - (start_.before.events - start_.at.before.events);
  if (row_ < rows_.size() && rows_[row_].event == in_epoch && !index_->log().read(rows_[row_++], last_ip_, e))
    index_->fail("an event's members are damaged");
  e.thread = thread;
  apply(e);
}

void ThreadCursor::apply(const Event& e) {
  switch (e.kind) {
    case EventKind::kCall:
    case EventKind::kSignalEnter:
      frames_.push_back(e.sp);
      break;
    case EventKind::kReturn:
    case EventKind::kSignalLeave:
    case EventKind::kPop:
      frames_.resize(frames_.size() - std::min<size_t>(e.kind == EventKind::kPop ? e.count : 1, frames_.size()));
      break;
    case EventKind::kThreadStart:
    case EventKind::kStackSwitch: {
      TracePosition behind;
      frames_ = {e.sp};
      if (e.kind == EventKind::kStackSwitch && seeker_.find(start_.thread, Weight::kEvents, events_ + 1, behind) &&
          behind.epoch == start_.epoch)
        frames_ = seeker_.frame_sps_at(behind);
      break;
    }
    default:
      break;
  }
  if ((fields_of(e.kind) & kFieldSp) && e.sp != 0) sp_ = e.sp;
  if (fields_of(e.kind) & kFieldIp) last_ip_ = e.ip;
}

}  // namespace cdr::trace
