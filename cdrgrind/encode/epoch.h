// SPDX-License-Identifier: GPL-2.0-or-later
// The event stream in its compact form, an *epoch* at a time: the control paths of all threads, their address streams,
// the events between stretches, the turns that put all of it into true order, and what the threads were like at its
// start. Everything else but the dictionary of stretches restarts with each epoch, so every epoch decodes on its own.
//
// Paths that repeat are under one run-length SEQUITUR grammar for all threads (or are lists of runs, if that is
// smaller). Where it grows too fast for that, the paths of all threads go on as what a predictor did not expect
// (encode/path_predictor.h), for a while; then the grammar is tried again. So an epoch has *pieces* of both forms in
// turn, and a thread's path begins with what its string of the first piece derives, goes on with its symbols up to the
// end of the second, and so on. Which form comes when depends on the events alone.
//
// What is not written, because it follows: calls and returns (encode/thread_model.h).
#ifndef CDRGRIND_ENCODE_EPOCH_H
#define CDRGRIND_ENCODE_EPOCH_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/base/serial_numbers.h"
#include "cdrgrind/encode/address_streams.h"
#include "cdrgrind/encode/event_log.h"
#include "cdrgrind/encode/path_cutter.h"
#include "cdrgrind/encode/path_predictor.h"
#include "cdrgrind/encode/thread_model.h"
#include "cdrgrind/encode/thread_states.h"
#include "cdrgrind/format/columns.h"

namespace cdr {

enum class ControlForm : uint8_t { kAuto, kGrammar, kRuns, kPredicted };

// Columns of CONTROL frames.
enum ControlColumn : uint32_t {
  kPathForm,                                      // one byte: ControlForm
  kPathThreads,                                   // serials of the threads with a path, each less the one before
  kPathGrammar,                                   // five columns; kGrammar: a string for each thread; kPredicted: for
                                                  // each thread one for each piece of the grammar's
  kPathLengths = kPathGrammar + kGrammarColumns,  // kRuns: number of runs of each thread
  kPathTerminals,                                 // kRuns: terminals
  kPathCounts,                                    // kRuns: exponents
  kPathPieces,      // kPredicted: number of the grammar's pieces, which come first and last
  kPathPrediction,  // kPredicted: its columns
  kPathExecuted = kPathPrediction + kPredictionColumns,  // kPredicted: for each thread how many different blocks its
                                                         // predicted symbols are; of each, by id, the id less that of
                                                         // the one before, and how often
  kControlColumns
};
// Columns of TURN frames. A segment is what one thread does before another goes on.
enum TurnColumn : uint32_t {
  kTurnThreads,  // serial
  kTurnFlags,    // 1: the segment begins with a Turn
  kTurnEvents,   // number of its events, the Turn not counted
  kTurnColumns
};
// Columns of STRETCHES frames: those that are new since the epoch before.
enum StretchColumn : uint32_t {
  kStretchLengths,  // + kMaxStretch if it is bare
  kStretchHits,     // bits, lowest first: the block is that which followed the same block last time
  kStretchBlocks,   // the other blocks: SerialNumbers from 1
  kStretchColumns
};

struct EpochOptions {
  size_t bytes = 64 << 20;  // about so much memory, if an epoch ends when bytes() reaches that
  // kAuto: pieces of both forms in turn, and an epoch of one piece as a list of runs if that is smaller. The others:
  // always so.
  ControlForm control = ControlForm::kAuto;
  // Blocks after which the growth of the grammar is looked at. Nothing is predicted before eight times as many.
  uint32_t window = 1 << 16;
};

class EpochEncoder {
 public:
  EpochEncoder(const BlockTable& blocks, const EpochOptions& options);

  void block(ThreadId thread, BlockId id, std::span<const uint64_t> words);
  // Steps of a run; the first may be any of it.
  void run(ThreadId thread, Steps run);
  // Any kind.
  void event(const Event& e);

  uint64_t events() const { return events_; }  // in the open epoch
  // Blocks in the open epoch, of the thread that has most and of any.
  uint64_t longest_path() const { return longest_; }
  uint64_t path_length(ThreadId thread) const {
    return thread.value < threads_.size()
               ? (threads_[thread.value].counts.blocks - threads_[thread.value].blocks_before)
               : 0;
  }
  // Blocks of predicted pieces in the open epoch.
  uint64_t predicted_blocks() const { return predicted_before_ + (predicting_ ? totals_.blocks - form_since_ : 0); }
  size_t bytes() const;  // of memory, as it grows
  // Guarded accesses of blocks that did not happen, since construction.
  uint64_t absent_accesses() const { return addresses_.absent(); }
  // The largest id of all Block events since construction, or larger.
  BlockId last_block() const { return models_.last(); }
  // Of all Block events since construction; the accesses count whether or not they happened. Calls and returns are
  // those of runs.
  struct BlockTotals {
    uint64_t blocks = 0, instructions = 0, accesses = 0, calls = 0, returns = 0;
    template <class Block>
    void add(const Block& m, uint64_t times = 1) {
      blocks += times;
      instructions += times * m.insns;
      accesses += times * m.accesses;
    }
    void add(const RunStep& bracket) { ++(bracket.kind() == EventKind::kCall ? calls : returns); }
    void add(const BlockTotals& t) {
      blocks += t.blocks;
      instructions += t.instructions;
      accesses += t.accesses;
      calls += t.calls;
      returns += t.returns;
    }
  };
  const BlockTotals& block_totals() const { return totals_; }

  struct Columns {
    std::vector<ByteWriter> stretches, threads, addresses, turns, control;
    std::vector<std::span<const uint8_t>> log;
  };
  // Ends the epoch. `log` is valid until the next begin().
  // kAuto compares what `compressor` makes of a grammar and of runs.
  Columns finish(Compressor& compressor);
  // The next epoch; what was not finished is forgotten.
  void begin();

 private:
  // What a step needs to know of a block that its thread has executed in this epoch.
  struct StepBlock {
    uint32_t stream = 0;    // of its first word
    int32_t sp_change = 0;  // of a plain one
    uint16_t words = 0, insns = 0, accesses = 0;
    bool known = false;
    bool plain = false;  // BlockModel::plain, and sp_change is all of it

    // Of the step, by block id; null if it is not known, or the step has another number of words.
    static const StepBlock* find(std::span<const StepBlock> known, const RunStep& s) {
      if (s.block.value >= known.size()) return nullptr;
      const StepBlock& b = known[s.block.value];
      return b.known && b.words == s.count ? &b : nullptr;
    }
  };
  struct ThreadEncoder {
    ThreadModel model;
    std::vector<StepBlock> steps;  // by block id
    PathCutter::Path path;         // in the open piece
    PathPredictor::Context context;
    BlockId pending;                  // predicted: the last block, which a call or return is bound to follow
    std::vector<uint32_t> predicted;  // by block id: how often its symbol was predicted in the epoch
    std::vector<uint32_t> strings;    // of the pieces of the grammar that have ended; + 1
    ThreadCounts counts;              // from its start
    uint64_t blocks_before = 0;       // counts.blocks at the start of the epoch
    uint64_t events_before = 0;       // counts.events
    bool ended = false;
  };
  class PlainBlocks;
  struct Segment {
    uint32_t thread = 0;
    uint32_t turn = 0;
    uint64_t events = 0;
  };

  void block(ThreadEncoder& t, ThreadId thread, BlockId id, std::span<const uint64_t> words);
  void other(ThreadEncoder& t, const Event& e);
  void learn_step(ThreadEncoder& t, BlockId id, uint32_t stream);
  bool goes_on(const ThreadEncoder& t, BlockId id) const;
  size_t ordinary_steps(ThreadEncoder& t, Steps run);
  size_t predicted_steps(ThreadEncoder& t, Steps run);
  void count_steps(ThreadEncoder& t, size_t steps, const BlockTotals& blocks);
  size_t repetitions(const ThreadEncoder& t, Steps run, size_t length, uint64_t frame_sp);
  size_t go_on_evenly(const ThreadEncoder& t, Steps run, size_t length, size_t times, uint64_t frame_sp);
  ThreadEncoder& running(ThreadId id, bool turn);
  void count_event(ThreadEncoder& t);
  void explicit_event(ThreadEncoder& t, const Event& e);
  // Before an event.
  void look() {
    if (events_ == next_look_) [[unlikely]]
      choose_form();
  }
  void choose_form();
  bool predicts(ThreadEncoder& t);
  void predict(ThreadEncoder& t, uint32_t symbol) { predictor_.put(t.context, symbol); }
  void predict_block(ThreadEncoder& t, BlockId id) {
    if (id.value >= t.predicted.size()) t.predicted.resize(id.value + 1);
    ++t.predicted[id.value];
    predict(t, symbol_of(id));
  }
  void settle(ThreadEncoder& t);
  void begin_prediction();
  void begin_grammar();
  void end_strings();
  void end_stretch(ThreadEncoder& t);
  void write_states();
  void write_stretches(std::vector<ByteWriter>& to);
  void write_control(Compressor& compressor, std::vector<ByteWriter>& to);
  std::vector<uint32_t> write_threads(ByteWriter& to);
  void write_pieces(std::vector<ByteWriter>& to);
  void write_executed(ByteWriter& to) const;

  const BlockTable& blocks_;
  EpochOptions options_;
  BlockModels models_;
  PathCutter cutter_;
  PredictionWriter predictor_{kFirstStretchTerminal};
  bool predicting_ = false;          // the open piece is predicted
  bool grammar_again_ = false;       // it ends with the next event for which a symbol is written
  uint32_t grammar_pieces_ = 0;      // in the epoch, the open one included
  uint64_t predicted_before_ = 0;    // blocks of the epoch's predicted pieces that have ended
  uint64_t next_look_ = 0;           // events in the epoch, when the form is chosen again
  uint64_t form_since_ = 0;          // blocks, of all, when the piece began or the grammar was looked at last
  size_t symbols_then_ = 0;          // of the grammar
  bool grows_ = false;               // too fast, in the window before
  uint32_t prediction_windows_ = 0;  // for so many windows paths are predicted before the grammar is tried again
  AddressStreams addresses_;
  EventLog log_;
  std::vector<ThreadEncoder> threads_;  // by serial
  std::vector<Segment> segments_;
  uint32_t current_ = ~0u;  // serial of the running thread; ~0: none yet in this epoch
  uint64_t events_ = 0, longest_ = 0;
  BlockTotals totals_;
  uint32_t until_repetition_ = 0;  // so many stretches are not compared with those before
  uint32_t rest_ = 0;              // how many that were last
  uint32_t written_stretches_ = 0;
  std::vector<uint32_t> successors_;  // by block id, of the dictionary
  SerialNumbers block_numbers_{1};
  std::vector<ByteWriter> states_ = std::vector<ByteWriter>(kStateColumns);  // at the start of the epoch
};

}  // namespace cdr

#endif
