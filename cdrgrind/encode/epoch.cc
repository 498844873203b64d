// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/epoch.h"

#include <algorithm>
#include <utility>

#include "cdrgrind/encode/event_fields.h"

namespace cdr {
namespace {

// A path of more runs for each symbol of its grammar is smaller as a grammar: the runs are not tried.
constexpr uint64_t kRunsPerSymbol = 4;

// A grammar that grows by more than a symbol for so many blocks, in two windows in succession, is left.
constexpr uint64_t kBlocksPerSymbol = 64;
// Windows: of the recording before anything is predicted; of a predicted piece, at least and at most, which is as long
// as an epoch of usual windows.
constexpr uint64_t kStartUpWindows = 8;
constexpr uint32_t kFewestWindows = 4, kMostWindows = 32;

// The strings as runs, neighbours being of different terminals as far as exponents go. Gives up, and returns false,
// after `most` steps.
bool write_runs(const Grammar& g, uint64_t most, std::vector<ByteWriter>& to) {
  constexpr uint32_t kMaxRun = ~0u;
  for (uint32_t s = 0; s < g.strings(); ++s) {
    uint64_t runs = 0;
    Run open;
    const auto close = [&] {
      if (open.count == 0) return;
      to[kPathTerminals].varint(open.symbol);
      to[kPathCounts].varint(open.count);
      ++runs;
    };
    GrammarCursor cursor(g, s);
    for (Run r; cursor.next(r);) {
      if (most-- == 0) return false;
      if (r.symbol == open.symbol && open.count != 0 && open.count <= kMaxRun - r.count) {
        open.count += r.count;
        continue;
      }
      close();
      open = r;
    }
    close();
    to[kPathLengths].varint(runs);
  }
  return true;
}

}  // namespace

EpochEncoder::EpochEncoder(const BlockTable& blocks, const EpochOptions& options)
    : blocks_(blocks), options_(options), models_(blocks), cutter_(blocks), addresses_(blocks) {
  begin();
}

// --- the stream ---

// The thread of the next event. A new segment begins where it is another one, or a Turn says so.
EpochEncoder::ThreadEncoder& EpochEncoder::running(ThreadId id, bool turn) {
  if (id.value != current_ || turn) {
    if (current_ != ~0u) settle(threads_[current_]);
    if (id.value >= threads_.size()) threads_.resize(id.value + 1);
    current_ = id.value;
    segments_.push_back({id.value, turn, 0});
  }
  return threads_[id.value];
}

void EpochEncoder::count_event(ThreadEncoder& t) {
  ++events_;
  ++t.counts.events;
  ++segments_.back().events;
}

void EpochEncoder::block(ThreadId thread, BlockId id, std::span<const uint64_t> words) {
  look();
  block(running(thread, false), thread, id, words);
}

void EpochEncoder::block(ThreadEncoder& t, ThreadId thread, BlockId id, std::span<const uint64_t> words) {
  count_event(t);
  const BlockModel& model = models_[id];
  totals_.add(model);
  if (words.size() != model.words) [[unlikely]] {
    Event e;
    e.kind = EventKind::kBlock;
    e.thread = thread;
    e.block = id;
    e.words = words;
    return explicit_event(t, e);
  }
  const bool odd_name = t.model.names(model) && !t.model.opened();
  if (predicts(t)) {
    if (odd_name) predict(t, t.model.named() ? kRenameSymbol : kNameTerminal);
    if (model.then == EventKind::kNone)
      predict_block(t, id);
    else
      t.pending = id;
  } else {
    if (t.model.expected() != EventKind::kNone || (odd_name && !t.model.named())) [[unlikely]]
      end_stretch(t);
    cutter_.block(t.path, id, odd_name);
  }
  const uint32_t stream = addresses_.add(thread, id, words, t.model.frame_sp());
  learn_step(t, id, stream);
  t.model.block(model, id, words);
  t.counts.insns += model.insns;
  longest_ = std::max(longest_, ++t.counts.blocks - t.blocks_before);
}

void EpochEncoder::event(const Event& e) {
  if (e.kind == EventKind::kBlock) return block(e.thread, e.block, e.words);
  if (!is_event(e.kind)) return;
  look();
  ThreadEncoder& t = running(e.thread, e.kind == EventKind::kTurn);
  if (e.kind == EventKind::kTurn) {
    ++events_;
    return;
  }
  other(t, e);
}

// No Turn, and no Block but one that is written as another event is.
void EpochEncoder::other(ThreadEncoder& t, const Event& e) {
  count_event(t);
  if (!t.model.is_expected(e)) return explicit_event(t, e);
  const uint32_t follower = e.kind == EventKind::kCall ? kCallTerminal : kReturnTerminal;
  if (t.pending)
    predict_block(t, std::exchange(t.pending, BlockId()));
  else if (predicts(t))
    predict(t, follower);
  else if (!t.path.open.node)  // not at once
    cutter_.emit(t.path, follower);
  t.model.follow_expected();
}

void EpochEncoder::explicit_event(ThreadEncoder& t, const Event& e) {
  const bool block = e.kind == EventKind::kBlock || e.kind == EventKind::kPartial;
  const bool odd_name = block && t.model.names(models_[e.block]) && !t.model.opened();
  const uint32_t terminal = terminal_of(e);
  if (predicts(t)) {
    if (odd_name) predict(t, kNameTerminal);
    predict(t, terminal);
  } else {
    end_stretch(t);
    if (odd_name) cutter_.emit(t.path, kNameTerminal);
    cutter_.emit(t.path, terminal);
  }
  if (has_row(terminal)) log_.add(e, t.model.last_ip());
  t.model.event(e, models_);
  t.counts.syncs += e.kind == EventKind::kSyncEnter || e.kind == EventKind::kSyncLeave;
  t.ended = e.kind == EventKind::kThreadEnd;
}

// --- the form of the paths ---

// Grammars are looked at by windows. How long paths are predicted until the grammar is tried again grows with each time
// that it was tried for nothing.
void EpochEncoder::choose_form() {
  constexpr uint32_t kLookEvery = 4096;  // events
  next_look_ += std::min(kLookEvery, options_.window);
  const uint64_t blocks = totals_.blocks - form_since_;
  if (options_.control != ControlForm::kAuto || blocks < options_.window) return;
  if (predicting_) {
    grammar_again_ = blocks >= uint64_t{prediction_windows_} * options_.window;
    return;
  }
  const size_t grown = cutter_.strings().symbols() - std::min(symbols_then_, cutter_.strings().symbols());
  form_since_ = totals_.blocks;
  symbols_then_ = cutter_.strings().symbols();
  if (totals_.blocks < kStartUpWindows * options_.window) return;
  const bool grew = std::exchange(grows_, grown * kBlocksPerSymbol > blocks);
  if (grew && grows_) return begin_prediction();
  if (!grew && !grows_) prediction_windows_ = 0;
}

void EpochEncoder::begin_prediction() {
  end_strings();
  predicting_ = true;
  grows_ = false;
  form_since_ = totals_.blocks;
  prediction_windows_ = std::clamp(2 * prediction_windows_, kFewestWindows, kMostWindows);
}

void EpochEncoder::begin_grammar() {
  predicted_before_ = predicted_blocks();
  predicting_ = grammar_again_ = false;
  ++grammar_pieces_;
  form_since_ = totals_.blocks;
  symbols_then_ = cutter_.strings().symbols();
}

// Of all threads, those of the open piece.
void EpochEncoder::end_strings() {
  for (ThreadEncoder& t : threads_) {
    end_stretch(t);
    cutter_.close_run(t.path);
    if (t.path.string == 0) continue;
    t.strings.resize(grammar_pieces_);
    t.strings.back() = std::exchange(t.path.string, 0);
  }
}

// Before something is written of the thread's path: whether it is a symbol for the predictor.
bool EpochEncoder::predicts(ThreadEncoder& t) {
  if (!predicting_) return false;
  settle(t);
  if (!grammar_again_) return true;
  predict(t, kGrammarSymbol);
  begin_grammar();
  return false;
}

// What was bound to follow the last block does not come at once.
void EpochEncoder::settle(ThreadEncoder& t) {
  if (!t.pending) return;
  predict(t, kBareSymbol);
  predict_block(t, std::exchange(t.pending, BlockId()));
}

// --- the paths ---

void EpochEncoder::end_stretch(ThreadEncoder& t) {
  cutter_.end_stretch(t.path, t.model.expected() != EventKind::kNone);
}

// --- the epoch ---

void EpochEncoder::begin() {
  const size_t dictionary_bytes = options_.bytes / 4;
  if (cutter_.stretches().bytes() > dictionary_bytes) cutter_.stretches().forget();
  cutter_.strings().clear();
  if (predicting_ || grammar_pieces_ > 1) predictor_.clear();
  predicting_ = options_.control == ControlForm::kPredicted;
  grammar_again_ = grows_ = false;
  predicted_before_ = 0;
  grammar_pieces_ = predicting_ ? 0 : 1;
  form_since_ = totals_.blocks;
  symbols_then_ = 0;
  next_look_ = 0;
  addresses_.clear();
  log_.clear();
  segments_.clear();
  current_ = ~0u;
  events_ = longest_ = 0;
  for (ThreadEncoder& t : threads_) {
    if (t.ended) t = ThreadEncoder();
    t.path = {};
    t.pending = BlockId();
    t.steps.clear();
    t.predicted.clear();
    t.strings.clear();
    t.context = {};
    t.blocks_before = t.counts.blocks;
    t.events_before = t.counts.events;
    t.model.begin_epoch();
  }
  write_states();
}

void EpochEncoder::write_states() {
  ThreadStateWriter to;
  for (uint32_t i = 0; i < threads_.size(); ++i)
    if (threads_[i].counts.events != 0) to.add(ThreadId(i), threads_[i].counts, threads_[i].model.state());
  states_ = to.take();
}

EpochEncoder::Columns EpochEncoder::finish(Compressor& compressor) {
  if (predicting_ && current_ != ~0u) settle(threads_[current_]);
  if (!predicting_) end_strings();
  Columns c;
  c.turns.resize(kTurnColumns);
  for (const Segment& s : segments_) {
    c.turns[kTurnThreads].varint(s.thread);
    c.turns[kTurnFlags].u8(static_cast<uint8_t>(s.turn));
    c.turns[kTurnEvents].varint(s.events);
  }
  c.stretches.resize(kStretchColumns);
  write_stretches(c.stretches);
  c.control.resize(kControlColumns);
  if (predicting_ || grammar_pieces_ > 1)
    write_pieces(c.control);
  else
    write_control(compressor, c.control);
  c.threads = std::move(states_);
  c.addresses = addresses_.columns();
  c.log = log_.columns();
  return c;
}

void EpochEncoder::write_stretches(std::vector<ByteWriter>& to) {
  const Stretches& stretches = cutter_.stretches();
  BitWriter hits;
  std::vector<BlockId> blocks;
  while (written_stretches_ < stretches.count()) {
    stretches.blocks_of(++written_stretches_, blocks);
    to[kStretchLengths].varint(blocks.size() + (stretches.bare(written_stretches_) ? kMaxStretch : 0));
    uint32_t before = 0;
    for (const BlockId b : blocks) {
      const uint32_t most = std::max(before, b.value);
      if (most >= successors_.size()) successors_.resize(most + 1);
      const bool hit = successors_[before] == b.value;
      hits.put(hit);
      if (!hit) block_numbers_.put(to[kStretchBlocks], b.value);
      successors_[before] = b.value;
      before = b.value;
    }
  }
  hits.write(to[kStretchHits]);
}

// The threads with a path, and their strings.
std::vector<uint32_t> EpochEncoder::write_threads(ByteWriter& to) {
  uint32_t last = 0;
  std::vector<uint32_t> strings;
  for (uint32_t i = 0; i < threads_.size(); ++i) {
    ThreadEncoder& t = threads_[i];
    if (t.counts.events == t.events_before) continue;
    to.varint(i - last);
    last = i;
    t.strings.resize(grammar_pieces_);
    for (const uint32_t s : t.strings) strings.push_back(s == 0 ? cutter_.strings().open_string() : s - 1);
  }
  return strings;
}

void EpochEncoder::write_pieces(std::vector<ByteWriter>& to) {
  const Grammar g = cutter_.strings().grammar(write_threads(to[kPathThreads]));
  cutter_.strings().clear();
  write_columns(g, kFirstStretchTerminal, std::span(to).subspan<kPathGrammar, kGrammarColumns>());
  to[kPathPieces].varint(grammar_pieces_);
  predictor_.write(std::span(to).subspan<kPathPrediction, kPredictionColumns>());
  write_executed(to[kPathExecuted]);
  to[kPathForm].u8(static_cast<uint8_t>(ControlForm::kPredicted));
}

void EpochEncoder::write_executed(ByteWriter& to) const {
  for (const ThreadEncoder& t : threads_) {
    if (t.counts.events == t.events_before) continue;
    to.varint(static_cast<uint64_t>(
        std::count_if(t.predicted.begin(), t.predicted.end(), [](uint32_t n) { return n != 0; })));
    uint32_t last = 0;
    for (uint32_t id = 0; id < t.predicted.size(); ++id) {
      if (t.predicted[id] == 0) continue;
      to.varint(id - std::exchange(last, id));
      to.varint(t.predicted[id]);
    }
  }
}

void EpochEncoder::write_control(Compressor& compressor, std::vector<ByteWriter>& to) {
  const Grammar g = cutter_.strings().grammar(write_threads(to[kPathThreads]));
  cutter_.strings().clear();
  ControlForm form = options_.control;
  const auto grammar = std::span(to).subspan<kPathGrammar, kGrammarColumns>();
  const auto runs = std::span(to).subspan(kPathLengths);
  if (form != ControlForm::kRuns) write_columns(g, kFirstStretchTerminal, grammar);
  if (form == ControlForm::kRuns) write_runs(g, ~uint64_t{0}, to);
  if (form == ControlForm::kAuto) {
    const bool few = write_runs(g, kRunsPerSymbol * (g.symbols() + g.rules()), to);
    const bool less = few && stored_size(runs, compressor) < stored_size(grammar, compressor);
    form = less ? ControlForm::kRuns : ControlForm::kGrammar;
    for (ByteWriter& c : less ? std::span<ByteWriter>(grammar) : runs) c.clear();
  }
  to[kPathForm].u8(static_cast<uint8_t>(form));
}

size_t EpochEncoder::bytes() const {
  return cutter_.stretches().bytes() + cutter_.strings().bytes() + predictor_.bytes() + addresses_.bytes() +
         log_.bytes() + grown_bytes(segments_);
}

}  // namespace cdr
