// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/epoch.h"

#include <algorithm>

#include "cdrgrind/encode/event_fields.h"

namespace cdr {
namespace {

// A path of more runs for each symbol of its grammar is smaller as a grammar: the runs are not tried.
constexpr uint64_t kRunsPerSymbol = 4;

// What the columns take, compressed.
size_t stored_size(std::span<ByteWriter> columns, Compressor& compressor) {
  size_t n = 0;
  for (const ByteWriter& c : columns) n += compressor.compress(c.bytes()).size();
  return n;
}

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

// Bits, lowest first.
class BitWriter {
 public:
  explicit BitWriter(ByteWriter& to) : to_(to) {}
  ~BitWriter() {
    if (used_ > 0) to_.u8(byte_);
  }
  void put(bool bit) {
    byte_ |= static_cast<uint8_t>(bit << used_);
    if (++used_ < 8) return;
    to_.u8(byte_);
    byte_ = used_ = 0;
  }

 private:
  ByteWriter& to_;
  uint8_t byte_ = 0, used_ = 0;
};

}  // namespace

EpochEncoder::EpochEncoder(const BlockTable& blocks, size_t bytes)
    : dictionary_bytes_(bytes / 4), models_(blocks), stretches_(blocks), addresses_(blocks) {}

// --- the stream ---

// The thread of the next event. A new segment begins where it is another one, or a Turn says so.
EpochEncoder::Thread& EpochEncoder::running(ThreadId id, bool turn) {
  if (id.value != current_ || turn) {
    if (current_ != ~0u) leave(threads_[current_]);
    if (id.value >= threads_.size()) threads_.resize(id.value + 1);
    current_ = id.value;
    segments_.push_back({id.value, turn, 0});
  }
  return threads_[id.value];
}

// A segment ends: what was bound to follow the last block has followed or does not.
void EpochEncoder::leave(Thread& t) {
  settle_expected(t, EventKind::kNone);
  t.just_implied = false;
}

// The next event is of another kind than the one that is bound to follow.
void EpochEncoder::settle_expected(Thread& t, EventKind next) {
  if (t.model.expected() == EventKind::kNone || keeps_expected(next)) return;
  end_stretch(t);
  emit(t, kSkipTerminal);
  t.model.forget_expected();
}

void EpochEncoder::block(ThreadId thread, BlockId id, std::span<const uint64_t> words) {
  Thread& t = running(thread, false);
  const BlockModel& model = models_[id];
  if (words.size() != model.words) [[unlikely]] {
    Event e;
    e.kind = EventKind::kBlock;
    e.thread = thread;
    e.block = id;
    e.words = words;
    ++events_;
    return explicit_event(t, e);
  }
  if (t.model.expected() != EventKind::kNone) [[unlikely]]
    settle_expected(t, EventKind::kBlock);
  t.just_implied = false;
  if (const uint32_t ended = stretches_.advance(t.open, id)) emit(t, terminal_of_stretch(ended));
  addresses_.add(thread, id, words, t.model.frame_sp());
  t.model.block(model, words);
  ++segments_.back().items;
  ++events_;
  longest_ = std::max(longest_, ++t.blocks);
}

void EpochEncoder::blocks(ThreadId thread, std::span<const ExecutedBlock> run) {
  while (!run.empty()) {
    block(thread, run[0].id, {run[0].words, run[0].word_count});
    run = run.subspan(1);
    run = run.subspan(ordinary_blocks(threads_[thread.value], thread, run));
  }
}

// The run's first blocks as long as the thread does what it did before: its stretch goes on or ends as it did
// last, and the blocks have streams. How many they are.
size_t EpochEncoder::ordinary_blocks(Thread& t, ThreadId thread, std::span<const ExecutedBlock> run) {
  size_t done = 0;
  for (const ExecutedBlock& b : run) {
    if (t.model.expected() != EventKind::kNone || !models_.known(b.id)) break;
    const BlockModel& model = models_[b.id];
    if (model.words != b.word_count || (b.word_count > 0 && !addresses_.known(thread, b.id))) break;
    if (!stretches_.predicted(t.open, b.id)) break;
    if (const uint32_t ended = stretches_.advance(t.open, b.id)) emit(t, terminal_of_stretch(ended));
    addresses_.add(thread, b.id, {b.words, b.word_count}, t.model.frame_sp());
    t.model.block(model, {b.words, b.word_count});
    ++done;
  }
  segments_.back().items += done;
  events_ += done;
  longest_ = std::max(longest_, t.blocks += done);
  return done;
}

void EpochEncoder::event(const Event& e) {
  if (e.kind == EventKind::kBlock) return block(e.thread, e.block, e.words);
  if (!is_event(e.kind)) return;
  ++events_;
  Thread& t = running(e.thread, e.kind == EventKind::kTurn);
  if (e.kind == EventKind::kTurn) return;
  if (t.model.is_expected(e)) {
    t.model.event(e);
    t.just_implied = true;
    t.implied = e;
    return;
  }
  explicit_event(t, e);
}

void EpochEncoder::explicit_event(Thread& t, const Event& e) {
  if (t.just_implied && keeps_expected(e.kind)) {
    // Read back, this event would come before the one that was left out: that one is written after all.
    end_stretch(t);
    emit(t, kSkipTerminal);
    emit(t, terminal_of(t.implied));
    log_.add(t.implied, t.model);
    ++segments_.back().items;
  }
  t.just_implied = false;
  settle_expected(t, e.kind);
  end_stretch(t);
  const uint32_t terminal = terminal_of(e);
  emit(t, terminal);
  if (has_row(terminal)) log_.add(e, t.model);
  t.model.event(e);
  ++segments_.back().items;
}

// --- the paths ---

void EpochEncoder::end_stretch(Thread& t) {
  if (const uint32_t stretch = stretches_.finish(t.open)) emit(t, terminal_of_stretch(stretch));
}

// Another terminal than that of the open run.
void EpochEncoder::emit_next(Thread& t, uint32_t terminal) {
  close_run(t);
  t.terminal = terminal;
  t.count = 1;
}

void EpochEncoder::close_run(Thread& t) {
  if (t.count == 0) return;
  if (t.string == 0) t.string = paths_.open_string() + 1;
  paths_.append(t.string - 1, t.terminal, t.count);
  t.count = 0;
}

// --- the epoch ---

void EpochEncoder::begin() {
  if (stretches_.bytes() > dictionary_bytes_) stretches_.forget();
  paths_.clear();
  addresses_.clear();
  log_.clear();
  segments_.clear();
  current_ = ~0u;
  events_ = longest_ = 0;
  for (Thread& t : threads_) {
    t.string = 0;
    t.blocks = 0;
    t.model = ThreadModel();
  }
}

EpochEncoder::Columns EpochEncoder::finish(ControlForm form, Compressor& compressor) {
  if (current_ != ~0u) leave(threads_[current_]);
  for (Thread& t : threads_) {
    end_stretch(t);
    close_run(t);
  }
  Columns c;
  c.turns.resize(kTurnColumns);
  for (const Segment& s : segments_) {
    c.turns[kTurnThreads].varint(s.thread);
    c.turns[kTurnFlags].u8(static_cast<uint8_t>(s.turn));
    c.turns[kTurnItems].varint(s.items);
  }
  c.stretches.resize(kStretchColumns);
  write_stretches(c.stretches);
  c.control.resize(kControlColumns);
  write_control(form, compressor, c.control);
  c.addresses = addresses_.columns();
  c.log = log_.columns();
  return c;
}

void EpochEncoder::write_stretches(std::vector<ByteWriter>& to) {
  BitWriter hits(to[kStretchHits]);
  std::vector<BlockId> blocks;
  while (written_stretches_ < stretches_.count()) {
    stretches_.blocks_of(++written_stretches_, blocks);
    to[kStretchLengths].varint(blocks.size());
    uint32_t before = 0;
    for (const BlockId b : blocks) {
      const uint32_t most = std::max(before, b.value);
      if (most >= successors_.size()) successors_.resize(most + 1);
      const bool hit = successors_[before] == b.value;
      hits.put(hit);
      if (!hit) to[kStretchBlocks].varint(b.value);
      successors_[before] = b.value;
      before = b.value;
    }
  }
}

void EpochEncoder::write_control(ControlForm form, Compressor& compressor, std::vector<ByteWriter>& to) {
  uint32_t last = 0;
  std::vector<uint32_t> strings;
  for (uint32_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].string == 0) continue;
    to[kPathThreads].varint(i - last);
    last = i;
    strings.push_back(threads_[i].string - 1);
  }
  const Grammar g = paths_.grammar(strings);
  paths_.clear();
  const auto grammar = std::span(to).subspan<kPathGrammar, kGrammarColumns>();
  const auto runs = std::span(to).subspan(kPathLengths);
  if (form != ControlForm::kRuns) write_columns(g, grammar);
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
  return stretches_.bytes() + paths_.bytes() + addresses_.bytes() + log_.bytes() + grown_bytes(segments_);
}

}  // namespace cdr
