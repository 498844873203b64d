// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/epoch_decoder.h"

#include <algorithm>

#include "cdrgrind/trace/read/path_threads.h"

namespace cdr::trace {
bool PathReader::load() {
  if (copies_) return load_copies();
  return grammar_ ? grammar_->next(open_) : load_run();
}

bool PathReader::load_copies() {
  for (;;) {
    switch (copies_->next(open_)) {
      case CopiedRuns::Next::kRun:
        return true;
      case CopiedRuns::Next::kBegins:
        return open_ = {kCopiesBegin, 1}, true;
      case CopiedRuns::Next::kEnds:
        return open_ = {kCopyEnds, 1}, true;
      case CopiedRuns::Next::kNothing:
        break;
    }
    if (!load_run()) return open_.count = 0, false;
    if (copies_->add(open_)) return open_ = {kCopiesBegin, 1}, true;
  }
}

bool PathReader::load_run() {
  if (runs_ == 0) return false;
  --runs_;
  open_.symbol = static_cast<uint32_t>(terminals_.bounded(kRuleBit - 1));
  open_.count = static_cast<uint32_t>(counts_.bounded(~0u));
  return terminals_.ok() && counts_.ok() && open_.count > 0;
}

EpochDecoder::EpochDecoder(const ModuleTable& modules, const BlockTable& blocks, const StretchTable& stretches,
                           uint32_t max_serial, Words wanted)
    : blocks_(blocks),
      stretches_(stretches),
      max_serial_(max_serial),
      models_(blocks),
      addresses_(blocks),
      log_(modules, blocks, max_serial),
      words_wanted_(wanted == Words::kRead),
      in_copies_(wanted == Words::kNoneInCopies) {}

bool EpochDecoder::fail(const char* what) {
  if (!error_) error_ = what;
  return false;
}

bool EpochDecoder::begin(const Payloads& p, uint32_t stretches) {
  error_ = nullptr;
  segment_open_ = false;
  stretch_limit_ = stretches;
  log_.begin(p.log);
  turn_threads_ = ByteReader(p.turns[kTurnThreads]);
  turn_flags_ = ByteReader(p.turns[kTurnFlags]);
  turn_events_ = ByteReader(p.turns[kTurnEvents]);
  held_.kind = EventKind::kNone;
  copy_told_ = false;
  open_copies_.clear();
  if (words_wanted_ && !addresses_.begin(p.addresses)) return fail("its addresses are damaged");
  if (!read_paths(p.control)) return fail("its control paths are damaged");
  return read_states(p.threads) || fail("the states of its threads are damaged");
}

bool EpochDecoder::read_states(const Columns& threads) {
  std::vector<ThreadAtStart> states;
  if (!read_thread_states(threads, blocks_, max_serial_, states)) return false;
  if (!states.empty() && states.back().thread.value >= threads_.size()) threads_.resize(states.back().thread.value + 1);
  for (ThreadAtStart& t : states) threads_[t.thread.value].model.set_state(std::move(t.state));
  return true;
}

bool EpochDecoder::read_paths(const Columns& control) {
  threads_.clear();
  pieces_.prediction.reset();
  predicting_ = false;
  std::vector<uint32_t> serials;
  if (!read_path_threads(control, max_serial_, serials)) return false;
  if (!serials.empty()) threads_.resize(serials.back() + 1);
  const auto form = control[kPathForm];
  if (form.size() != 1) return false;
  if (form[0] == static_cast<uint8_t>(ControlForm::kRuns)) return read_run_columns(control, serials);
  if (form[0] == static_cast<uint8_t>(ControlForm::kPredicted)) return read_pieces(control, serials);
  if (form[0] != static_cast<uint8_t>(ControlForm::kGrammar)) return false;
  const auto strings = static_cast<uint32_t>(serials.size());
  if (!read_columns(control.part<kGrammarColumns>(kPathGrammar), kFirstStretchTerminal, strings,
                    kFirstStretchTerminal + stretch_limit_, grammar_))
    return false;
  if (in_copies_) plain_.learn(grammar_, stretches_, stretch_limit_);
  for (uint32_t s = 0; s < strings; ++s) begin_path(threads_[serials[s]], grammar_, s);
  return true;
}

void EpochDecoder::begin_path(ThreadPath& t, const Grammar& g, uint32_t string) {
  if (in_copies_)
    t.path.begin_copies(g, string, plain_);
  else
    t.path.begin_grammar(g, string);
}

bool EpochDecoder::read_run_columns(const Columns& control, const std::vector<uint32_t>& serials) {
  if (in_copies_) plain_.learn(Grammar(), stretches_, stretch_limit_);
  ByteReader lengths(control[kPathLengths]), terminals(control[kPathTerminals]), counts(control[kPathCounts]);
  for (const uint32_t serial : serials) {
    const uint64_t runs = lengths.bounded(terminals.left());
    if (in_copies_)
      threads_[serial].path.begin_copied_runs(terminals, counts, runs, plain_);
    else
      threads_[serial].path.begin_runs(terminals, counts, runs);
    for (uint64_t i = 0; i < runs; ++i) {
      terminals.varint();
      counts.varint();
    }
    if (!lengths.ok() || !terminals.ok() || !counts.ok()) return false;
  }
  return lengths.at_end() && terminals.at_end() && counts.at_end();
}

bool EpochDecoder::read_pieces(const Columns& control, const std::vector<uint32_t>& serials) {
  if (!pieces_.read(control, serials.size(), stretch_limit_, blocks_)) return false;
  if (in_copies_) plain_.learn(pieces_.grammar, stretches_, stretch_limit_);
  serials_ = serials;
  piece_ = 0;
  predicting_ = true;
  return pieces_.count == 0 || begin_piece();
}

// Of the grammar; what came before of it must have been read.
bool EpochDecoder::begin_piece() {
  if (piece_ == pieces_.count) return false;
  for (uint32_t i = 0; i < serials_.size(); ++i) {
    ThreadPath& t = threads_[serials_[i]];
    if (!path_ended(t)) return false;
    begin_path(t, pieces_.grammar, i * pieces_.count + piece_);
  }
  ++piece_;
  predicting_ = false;
  return true;
}

// Where copies end nothing is left.
bool EpochDecoder::path_ended(ThreadPath& t) {
  if (!t.stretch.empty()) return false;
  while (t.path.peek() == PathReader::kCopyEnds && t.path.copies().more() == 0) t.path.skip();
  return t.path.peek() == PathReader::kNoTerminal;
}

bool EpochDecoder::next(Event& e) {
  clear(e);
  while (!error_) {
    if (segment_open_ && left_ > 0) {
      --left_;
      e.thread = ThreadId(thread_);
      return next_of(threads_[thread_], e);
    }
    segment_open_ = false;
    if (turn_threads_.at_end()) return finish();
    if (next_segment(e)) return true;
  }
  return false;
}

// Nothing may be left that other readers, who do not go by the turns, would find.
bool EpochDecoder::finish() {
  if (!turn_flags_.at_end() || !turn_events_.at_end()) return fail("its turns are damaged");
  for (ThreadPath& t : threads_)
    if (!path_ended(t)) return fail("a thread's path goes on");
  if (pieces_.prediction && (piece_ != pieces_.count || !pieces_.prediction->at_end()))
    return fail("a thread's path goes on");
  return log_.at_end() ? false : fail("members of events are left");
}

// Opens the next segment. True if it begins with a Turn, which is `e` then.
bool EpochDecoder::next_segment(Event& e) {
  thread_ = static_cast<uint32_t>(turn_threads_.bounded(max_serial_));
  const uint8_t flags = turn_flags_.u8();
  left_ = turn_events_.varint();
  if (!turn_threads_.ok() || !turn_flags_.ok() || !turn_events_.ok() || flags > 1) return fail("its turns are damaged");
  if (thread_ >= threads_.size()) threads_.resize(thread_ + 1);
  segment_open_ = true;
  open_copies_.clear();
  depth_ = 0;
  e.kind = EventKind::kTurn;
  e.thread = ThreadId(thread_);
  if (flags == 0) e = Event{};
  return flags != 0;
}

bool EpochDecoder::next_of(ThreadPath& t, Event& e) {
  if (t.at_once && t.model.expected() != EventKind::kNone) return follow(t, e);
  if (!t.stretch.empty()) return read_block(t, e);
  return next_terminal(t, e);
}

// The call or return that was bound to follow.
bool EpochDecoder::follow(ThreadPath& t, Event& e) {
  const Event expected = t.model.expected_event();
  if (expected.kind == EventKind::kNone) return fail("no event is bound to follow");
  e.kind = expected.kind;
  e.sp = expected.sp;
  e.ip = expected.ip;
  t.model.follow_expected();
  return true;
}

bool EpochDecoder::next_terminal(ThreadPath& t, Event& e) {
  uint32_t terminal = 0;
  if (!next_terminal(t, terminal)) return false;
  if (is_stretch(terminal)) return read_block(t, e);
  return is_follower(terminal) ? follow(t, e) : read_event(t, terminal, e);
}

// The thread's next terminal, no name's; of blocks the stretch is open then.
bool EpochDecoder::next_terminal(ThreadPath& t, uint32_t& terminal) {
  if (predicting_) return predict(t, terminal);
  skip_signs(t);
  const bool named = t.path.peek() == kNameTerminal;
  if (named) t.path.skip();
  skip_signs(t);
  terminal = t.path.peek();
  if (terminal == PathReader::kNoTerminal) {
    if (!pieces_.prediction || named) return fail("a thread's path ends early");
    predicting_ = true;
    return predict(t, terminal);
  }
  if (terminal == kNameTerminal) return fail("a frame is named twice");
  if (is_stretch(terminal) && stretch_of(terminal) > stretch_limit_) return fail("unknown stretch");
  t.path.skip();
  if (!is_stretch(terminal)) return true;
  t.stretch = stretches_[stretch_of(terminal)];
  t.bare = stretches_.bare(stretch_of(terminal));
  return true;
}

// What begins or ends behind a name, or where a piece begins, is not told.
void EpochDecoder::skip_signs(ThreadPath& t) {
  while (PathReader::is_sign(t.path.peek())) {
    t.path.skip();
    open_copies_.clear();
  }
}

bool EpochDecoder::predict(ThreadPath& t, uint32_t& symbol) {
  PredictedStep step;
  if (const char* wrong = pieces_.next(t.context, step)) return fail(wrong);
  symbol = step.symbol;
  if (is_block(symbol)) {
    t.predicted = block_of(symbol);
    t.stretch = {&t.predicted, 1};
    t.bare = step.bare;
    return true;
  }
  if (symbol != kGrammarSymbol) return true;
  return begin_piece() ? next_terminal(t, symbol) : fail("its control paths are damaged");
}

bool EpochDecoder::read_block(ThreadPath& t, Event& e) {
  const BlockId id = t.stretch.front();
  t.stretch = t.stretch.subspan(1);
  t.at_once = !t.stretch.empty() || !t.bare;
  return read_block(t, id, e);
}

bool EpochDecoder::read_block(ThreadPath& t, BlockId id, Event& e) {
  const BlockModel& model = models_[id];
  words_.resize(words_wanted_ ? model.words : 0);
  if (!addresses_.words(e.thread, id, t.model.frame_sp(), words_)) return fail("a block's words end early");
  e.kind = EventKind::kBlock;
  e.block = id;
  e.words = words_;
  odd_ = false;
  execute(t, model, id, words_.data());
  return true;
}

bool EpochDecoder::read_event(ThreadPath& t, uint32_t terminal, Event& e) {
  t.at_once = false;
  odd_ = true;
  if (!event_of_terminal(terminal, e) || e.kind == EventKind::kTurn) return fail("unknown kind of event");
  if (has_row(terminal) && !log_.next(e, t.model.last_ip()))
    return fail("an event's members end early or are out of range");
  if (e.kind != EventKind::kBlock || e.words.size() != models_[e.block].words) {
    t.model.event(e, models_);
    return true;
  }
  return fail("a block that is no event");
}

bool EpochDecoder::next_steps(DecodedSteps& to, Event& e, uint64_t& passed) {
  to.begin();
  passed = 0;
  if (held_.kind != EventKind::kNone) {
    e = held_;
    held_.kind = EventKind::kNone;
    passed = 1;
    return true;
  }
  while (!error_) {
    if (segment_open_ && left_ > 0) {
      ThreadPath& t = threads_[thread_];
      to.thread = ThreadId(thread_);
      while (left_ > 0 && take_step(t, to, passed)) continue;
      if (!to.empty()) return true;
      if (copy_told_) {
        copy_told_ = false;
        clear(e);
        return true;
      }
      if (held_.kind != EventKind::kNone) return next_steps(to, e, passed);
      continue;
    }
    segment_open_ = false;
    if (turn_threads_.at_end()) return finish();
    clear(e);
    if (next_segment(e)) {
      passed = 1;
      return true;
    }
  }
  return false;
}

// One or more. False: there is no room, or something else comes, or is damaged.
bool EpochDecoder::take_step(ThreadPath& t, DecodedSteps& to, uint64_t& passed) {
  if (to.room(0) == 0) return false;
  if (t.at_once && t.model.expected() != EventKind::kNone) return take_follower(t, to, passed);
  if (t.stretch.empty()) return take_symbol(t, to, passed);
  if (!take_block(t, to)) return false;
  ++passed;
  return true;
}

// Of a call the step before says where it was.
bool EpochDecoder::take_follower(ThreadPath& t, DecodedSteps& to, uint64_t& passed) {
  const EventKind kind = t.model.expected();
  if (kind == EventKind::kNone) return fail("no event is bound to follow");
  if (kind == EventKind::kCall && !to.ends_in_block()) {
    clear(held_);
    held_.thread = to.thread;
    --left_;
    ++depth_;
    follow(t, held_);
    return false;
  }
  to.add(kind, t.model.sp());
  ++passed;
  t.model.follow_expected();
  depth_ += kind == EventKind::kCall ? 1 : -1;
  while (!open_copies_.empty() && depth_ < open_copies_.back().depth) open_copies_.pop_back();
  --left_;
  return true;
}

// The next of the open stretch.
bool EpochDecoder::take_block(ThreadPath& t, DecodedSteps& to) {
  const BlockId id = t.stretch.front();
  const BlockModel& model = models_[id];
  const uint16_t count = words_wanted_ ? model.words : 0;
  if (to.room(count) == 0) return false;
  uint64_t* const words = to.add_blocks(id, count, 1);
  if (!addresses_.words(to.thread, id, t.model.frame_sp(), {words, count})) {
    to.drop_last_block();
    return fail("a block's words end early");
  }
  t.stretch = t.stretch.subspan(1);
  t.at_once = !t.stretch.empty() || !t.bare;
  execute(t, model, id, words);
  --left_;
  return true;
}

bool EpochDecoder::take_symbol(ThreadPath& t, DecodedSteps& to, uint64_t& passed) {
  if (in_copies_) {
    const uint32_t ahead = predicting_ ? PathReader::kNoTerminal : t.path.peek();
    if (PathReader::is_sign(ahead)) return to.empty() && take_sign(t, ahead);
  } else if (!predicting_) {
    const uint32_t ahead = t.path.peek();
    if (ahead != PathReader::kNoTerminal && is_stretch(ahead) && stretch_of(ahead) <= stretch_limit_ &&
        t.model.takes_plain() && stretches_[stretch_of(ahead)].size() == 1 &&
        models_[stretches_[stretch_of(ahead)].front()].plain)
      return take_repeats(t, stretch_of(ahead), to, passed);
  }
  uint32_t symbol = 0;
  if (!next_terminal(t, symbol)) return false;
  if (is_stretch(symbol)) return true;
  if (!is_follower(symbol)) return take_other(t, symbol);
  return take_follower(t, to, passed);
}

// The stretch, of one plain block, as often as it comes.
bool EpochDecoder::take_repeats(ThreadPath& t, uint32_t stretch, DecodedSteps& to, uint64_t& passed) {
  const BlockId id = stretches_[stretch].front();
  const BlockModel& model = models_[id];
  const uint16_t count = words_wanted_ ? model.words : 0;
  const size_t room = to.room(count);
  if (room == 0) return false;
  const uint64_t most = words_wanted_ ? std::min<uint64_t>(left_, room) : std::min<uint64_t>(left_, ~0u);
  const uint32_t times = t.path.skip_repeats(static_cast<uint32_t>(most));
  const size_t told = words_wanted_ ? times : std::min<size_t>({times, room, 2});
  uint64_t* const words = to.words_to_come();
  if (!addresses_.words(to.thread, id, t.model.frame_sp(), words, count, told))
    return fail("a block's words end early");
  to.add_blocks(id, count, told);
  t.bare = stretches_.bare(stretch);
  t.at_once = !t.bare;
  t.model.plain_blocks(model, static_cast<uint64_t>(model.sp_constant) * times);
  left_ -= times;
  passed += times;
  return true;
}

uint64_t EpochDecoder::repeats(BlockId id, bool same) {
  if (error_ || !segment_open_ || left_ == 0 || predicting_ || held_.kind != EventKind::kNone) return 0;
  ThreadPath& t = threads_[thread_];
  if (!t.stretch.empty() || !t.model.takes_plain()) return 0;
  const BlockModel& model = models_[id];
  const uint32_t ahead = t.path.peek();
  if (!model.plain || model.sp_constant != 0 || ahead == PathReader::kNoTerminal || !is_stretch(ahead) ||
      stretch_of(ahead) > stretch_limit_)
    return 0;
  const auto stretch = stretches_[stretch_of(ahead)];
  if (stretch.size() != 1 || stretch.front() != id) return 0;
  const auto times = std::min<uint64_t>(left_, t.path.repeats());
  return same ? addresses_.same(ThreadId(thread_), id, model.words, times) : times;
}

bool EpochDecoder::pass_repeats(BlockId id, uint64_t times) {
  ThreadPath& t = threads_[thread_];
  if (!addresses_.skip(ThreadId(thread_), id, models_[id].words, times)) return fail("a block's words end early");
  t.path.skip_repeats(static_cast<uint32_t>(times));
  t.model.plain_blocks(models_[id], 0);
  left_ -= times;
  return true;
}

// False: it is told.
bool EpochDecoder::take_sign(ThreadPath& t, uint32_t sign) {
  t.path.skip();
  const CopiedRuns& copies = t.path.copies();
  const size_t level = copies.level();
  while (!open_copies_.empty() && open_copies_.back().level > level) open_copies_.pop_back();
  const bool known = !open_copies_.empty() && open_copies_.back().level == level;
  if (sign == PathReader::kCopyEnds && known) {
    OpenCopy& open = open_copies_.back();
    const uint64_t events = open.left - left_;
    if (open.depth == depth_ && events != 0) {
      copy_ = {ThreadId(thread_), open.number, open_copies_.size(), true,
               std::min<uint64_t>(copies.more(), left_ / events)};
      copy_events_ = events;
      open.left = left_;
      copy_told_ = true;
      if (copies.more() == 0) open_copies_.pop_back();
      return false;
    }
  }
  if (known) open_copies_.pop_back();
  if (sign == PathReader::kCopyEnds && copies.more() == 0) return true;
  open_copies_.push_back({++copies_begun_, level, left_, depth_});
  copy_ = {ThreadId(thread_), copies_begun_, open_copies_.size(), false, 0};
  copy_told_ = true;
  return false;
}

uint64_t EpochDecoder::pass_copies(uint64_t times) {
  ThreadPath& t = threads_[thread_];
  t.path.copies().pass(static_cast<uint32_t>(times));
  const uint64_t events = copy_events_ * times;
  left_ -= events;
  if (t.path.copies().more() == 0)
    open_copies_.pop_back();
  else
    open_copies_.back().left = left_;
  return events;
}

bool EpochDecoder::take_other(ThreadPath& t, uint32_t symbol) {
  clear(held_);
  held_.thread = ThreadId(thread_);
  if (!read_event(t, symbol, held_)) {
    held_.kind = EventKind::kNone;
    return false;
  }
  open_copies_.clear();
  --left_;
  return false;
}

}  // namespace cdr::trace
