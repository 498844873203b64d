// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/epoch_decoder.h"

#include "cdrgrind/trace/read/path_threads.h"

namespace cdr::trace {

bool PathReader::load() {
  if (grammar_) return grammar_->next(open_);
  if (runs_ == 0) return false;
  --runs_;
  open_.symbol = static_cast<uint32_t>(terminals_.bounded(~0u - 1));
  open_.count = static_cast<uint32_t>(counts_.bounded(~0u));
  return terminals_.ok() && counts_.ok() && open_.count > 0;
}

EpochDecoder::EpochDecoder(const ModuleTable& modules, const BlockTable& blocks, const StretchTable& stretches,
                           uint32_t max_serial)
    : blocks_(blocks),
      stretches_(stretches),
      max_serial_(max_serial),
      models_(blocks),
      addresses_(blocks),
      log_(modules, blocks, max_serial) {}

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
  if (!addresses_.begin(p.addresses)) return fail("its addresses are damaged");
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
  for (uint32_t s = 0; s < strings; ++s) threads_[serials[s]].path.begin_grammar(grammar_, s);
  return true;
}

bool EpochDecoder::read_run_columns(const Columns& control, const std::vector<uint32_t>& serials) {
  ByteReader lengths(control[kPathLengths]), terminals(control[kPathTerminals]), counts(control[kPathCounts]);
  for (const uint32_t serial : serials) {
    const uint64_t runs = lengths.bounded(terminals.left());
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
    if (!t.stretch.empty() || t.path.peek() != PathReader::kNoTerminal) return false;
    t.path.begin_grammar(pieces_.grammar, i * pieces_.count + piece_);
  }
  ++piece_;
  predicting_ = false;
  return true;
}

bool EpochDecoder::next(Event& e) {
  e = Event{};
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
    if (!t.stretch.empty() || t.path.peek() != PathReader::kNoTerminal) return fail("a thread's path goes on");
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
  if (predicting_) return next_predicted(t, e);
  const bool named = t.path.peek() == kNameTerminal;
  if (named) t.path.skip();
  const uint32_t terminal = t.path.peek();
  if (terminal == PathReader::kNoTerminal) {
    if (!pieces_.prediction || named) return fail("a thread's path ends early");
    predicting_ = true;
    return next_predicted(t, e);
  }
  if (terminal == kNameTerminal) return fail("a frame is named twice");
  if (is_stretch(terminal) && stretch_of(terminal) > stretch_limit_) return fail("unknown stretch");
  t.path.skip();
  if (is_follower(terminal)) return follow(t, e);
  if (!is_stretch(terminal)) return read_event(t, terminal, e);
  t.stretch = stretches_[stretch_of(terminal)];
  t.bare = stretches_.bare(stretch_of(terminal));
  return read_block(t, e);
}

bool EpochDecoder::next_predicted(ThreadPath& t, Event& e) {
  PredictedStep step;
  if (const char* wrong = pieces_.next(t.context, step)) return fail(wrong);
  if (is_block(step.symbol)) {
    t.at_once = !step.bare;
    return read_block(t, block_of(step.symbol), e);
  }
  if (step.symbol == kGrammarSymbol) return begin_piece() ? next_terminal(t, e) : fail("its control paths are damaged");
  return is_follower(step.symbol) ? follow(t, e) : read_event(t, step.symbol, e);
}

bool EpochDecoder::read_block(ThreadPath& t, Event& e) {
  const BlockId id = t.stretch.front();
  t.stretch = t.stretch.subspan(1);
  t.at_once = !t.stretch.empty() || !t.bare;
  return read_block(t, id, e);
}

bool EpochDecoder::read_block(ThreadPath& t, BlockId id, Event& e) {
  const BlockModel& model = models_[id];
  words_.resize(model.words);
  if (!addresses_.words(e.thread, id, t.model.frame_sp(), words_)) return fail("a block's words end early");
  e.kind = EventKind::kBlock;
  e.block = id;
  e.words = words_;
  t.model.block(model, id, words_);
  return true;
}

bool EpochDecoder::read_event(ThreadPath& t, uint32_t terminal, Event& e) {
  t.at_once = false;
  if (!event_of_terminal(terminal, e) || e.kind == EventKind::kTurn) return fail("unknown kind of event");
  if (has_row(terminal) && !log_.next(e, t.model.last_ip()))
    return fail("an event's members end early or are out of range");
  if (e.kind != EventKind::kBlock || e.words.size() != models_[e.block].words) {
    t.model.event(e, models_);
    return true;
  }
  return fail("a block that is no event");
}

}  // namespace cdr::trace
