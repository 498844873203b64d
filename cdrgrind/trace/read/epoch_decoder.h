// SPDX-License-Identifier: GPL-2.0-or-later
// The events of one epoch of a compact trace (encode/epoch.h), in true order from its start. Trusts nothing but
// the tables.
#ifndef CDRGRIND_TRACE_READ_EPOCH_DECODER_H
#define CDRGRIND_TRACE_READ_EPOCH_DECODER_H

#include <cstdint>
#include <optional>
#include <vector>

#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/encode/event_codec.h"
#include "cdrgrind/trace/read/address_reader.h"
#include "cdrgrind/trace/read/copied_runs.h"
#include "cdrgrind/trace/read/decoded_steps.h"
#include "cdrgrind/trace/read/event_log_reader.h"
#include "cdrgrind/trace/read/path_pieces.h"
#include "cdrgrind/trace/read/stretch_table.h"
#include "cdrgrind/trace/read/thread_state_reader.h"

namespace cdr::trace {

// What one thread executed in one epoch, as terminals (encode/path_terminals.h), on demand.
class PathReader {
 public:
  void begin_grammar(const Grammar& g, uint32_t string) { grammar_.emplace(g, string); }
  // With the signs below where copies begin and end.
  void begin_copies(const Grammar& g, uint32_t string, const PlainRules& plain) { copies_.emplace(g, string, plain); }
  void begin_runs(ByteReader terminals, ByteReader counts, uint64_t runs) {
    terminals_ = terminals;
    counts_ = counts;
    runs_ = runs;
  }
  void begin_copied_runs(ByteReader terminals, ByteReader counts, uint64_t runs, const PlainRules& plain) {
    begin_runs(terminals, counts, runs);
    copies_.emplace(plain);
  }
  // kNoTerminal at the end, or where the columns are damaged.
  static constexpr uint32_t kNoTerminal = ~0u;
  static constexpr uint32_t kCopiesBegin = ~0u - 1, kCopyEnds = ~0u - 2;
  static constexpr bool is_sign(uint32_t terminal) { return terminal == kCopiesBegin || terminal == kCopyEnds; }
  // Of the sign that was skipped last.
  CopiedRuns& copies() { return *copies_; }
  uint32_t peek() {
    if (open_.count == 0 && !load()) return kNoTerminal;
    return open_.symbol;
  }
  void skip() { --open_.count; }  // after peek()
  // The terminal comes so many times more at once, after peek(); skips up to `most` of them.
  uint32_t repeats() const { return open_.count; }
  uint32_t skip_repeats(uint32_t most) {
    const uint32_t n = open_.count < most ? open_.count : most;
    open_.count -= n;
    return n;
  }

 private:
  bool load();
  bool load_copies();
  bool load_run();

  std::optional<GrammarCursor> grammar_;
  std::optional<CopiedRuns> copies_;
  ByteReader terminals_ = ByteReader({}), counts_ = ByteReader({});
  uint64_t runs_ = 0;
  Run open_;
};

class EpochDecoder {
 public:
  // Whether blocks come with their words. Without, SP means nothing, and addresses are not looked at. kNoneInCopies:
  // without, and it is said where copies begin and end.
  enum class Words : uint8_t { kRead, kNone, kNoneInCopies };
  // Of blocks, and calls and returns that follow from them, of one thread: between the beginning and the end of a copy
  // there is nothing else, and frames that were open then are so now.
  struct Copy {
    ThreadId thread;
    uint64_t number = 0;  // of what begins; greater than those of all before in its epoch
    size_t open = 0;      // how many have begun and are not over, this one included
    bool ends = false;    // else it begins
    uint64_t more = 0;    // if it ends: how often it comes again, as far as no other thread comes between
  };
  struct Payloads {
    Columns threads, addresses, turns, control, log;
  };

  // Threads and stacks with larger numbers than `max_serial` are damage.
  EpochDecoder(const ModuleTable& modules, const BlockTable& blocks, const StretchTable& stretches,
               uint32_t max_serial = kMaxSerial, Words wanted = Words::kRead);

  // `p` must stay until the last next(). `stretches`: how many the epoch may use.
  bool begin(const Payloads& p, uint32_t stretches);
  // False at the end and on damage: see error(). Spans in `e` are valid until the next call. `e` is as the last call
  // left it, or new.
  bool next(Event& e);
  // The next events: those that are steps, as many as come one after the other and have room, or none and one that is
  // no step, in `e`. False as above. Without words, of a block that repeats itself at once two executions stand for
  // all: `passed` is how many events it was.
  bool next_steps(DecodedSteps& to, Event& e, uint64_t& passed);
  // The last step was this block: how often it comes again at once, if that changes nothing but words; `same`: nor
  // these. For who reads words.
  uint64_t repeats(BlockId id, bool same);
  // next_steps() was true, and there are neither steps nor an event: this is told.
  const Copy& copy() const { return copy_; }
  // Leaves out so many copies, of `more`. Returns how many events that is.
  uint64_t pass_copies(uint64_t times);
  // Leaves out so many of them. False: damaged.
  bool pass_repeats(BlockId id, uint64_t times);
  const char* error() const { return error_; }
  // As `e = Event{}`, of an event that next() made.
  static void clear(Event& e) {
    if (e.kind != EventKind::kBlock && e.kind != EventKind::kCall && e.kind != EventKind::kReturn) {
      e = Event{};
      return;
    }
    e.kind = EventKind::kNone;
    e.block = {};
    e.words = {};
    e.ip = e.sp = 0;
  }
  // Of the event last returned, if it is a block: whether it has another number of words than its exit says.
  bool is_odd() const { return odd_; }

 private:
  struct ThreadPath {
    ThreadModel model;
    PathReader path;
    PathPredictor::Context context;
    std::span<const BlockId> stretch;  // what is left of the open one
    BlockId predicted;                 // of a predicted path it is this one
    bool bare = false;                 // it
    bool at_once = false;              // what is bound to follow the last block comes now
  };

  bool fail(const char* what);
  bool read_states(const Columns& threads);
  bool read_paths(const Columns& control);
  bool read_run_columns(const Columns& control, const std::vector<uint32_t>& threads);
  bool read_pieces(const Columns& control, const std::vector<uint32_t>& threads);
  bool begin_piece();
  void begin_path(ThreadPath& t, const Grammar& g, uint32_t string);
  bool next_segment(Event& e);
  bool finish();
  bool next_of(ThreadPath& t, Event& e);
  bool take_step(ThreadPath& t, DecodedSteps& to, uint64_t& passed);
  bool take_block(ThreadPath& t, DecodedSteps& to);
  bool take_follower(ThreadPath& t, DecodedSteps& to, uint64_t& passed);
  bool take_symbol(ThreadPath& t, DecodedSteps& to, uint64_t& passed);
  bool take_repeats(ThreadPath& t, uint32_t stretch, DecodedSteps& to, uint64_t& passed);
  bool take_other(ThreadPath& t, uint32_t symbol);
  bool take_sign(ThreadPath& t, uint32_t sign);
  bool path_ended(ThreadPath& t);
  void skip_signs(ThreadPath& t);
  bool predict(ThreadPath& t, uint32_t& symbol);
  bool next_terminal(ThreadPath& t, uint32_t& terminal);
  bool follow(ThreadPath& t, Event& e);
  bool next_terminal(ThreadPath& t, Event& e);
  bool read_block(ThreadPath& t, Event& e);
  bool read_block(ThreadPath& t, BlockId id, Event& e);
  bool read_event(ThreadPath& t, uint32_t terminal, Event& e);
  void execute(ThreadPath& t, const BlockModel& model, BlockId id, const uint64_t* words) {
    if (words_wanted_) [[likely]]
      t.model.block(model, id, {words, model.words});
    else
      t.model.block_without_words(model, id);
  }

  const BlockTable& blocks_;
  const StretchTable& stretches_;
  uint32_t max_serial_;
  BlockModels models_;
  AddressReader addresses_;
  EventLogReader log_;
  Grammar grammar_;
  std::vector<ThreadPath> threads_;
  PathPieces pieces_;
  std::vector<uint32_t> serials_;  // of the threads, if there are pieces
  uint32_t piece_ = 0;             // how many of the grammar's have begun
  bool predicting_ = false;
  ByteReader turn_threads_ = ByteReader({}), turn_flags_ = ByteReader({}), turn_events_ = ByteReader({});
  uint32_t thread_ = 0;  // of the open segment
  uint64_t left_ = 0;    // of its events
  bool segment_open_ = false;
  uint32_t stretch_limit_ = 0;
  std::vector<uint64_t> words_;
  bool words_wanted_;
  bool odd_ = false;
  Event held_;  // one behind steps; kNone: there is none
  bool in_copies_;
  PlainRules plain_;
  // Of the open segment, since the last event that is no step.
  struct OpenCopy {
    uint64_t number;
    size_t level;
    uint64_t left;  // of the segment's events when it began
    int64_t depth;  // of calls
  };
  std::vector<OpenCopy> open_copies_;
  int64_t depth_ = 0;  // of calls, since then
  uint64_t copies_begun_ = 0;
  Copy copy_;
  uint64_t copy_events_ = 0;  // of the copy that has ended
  bool copy_told_ = false;
  const char* error_ = nullptr;
};

}  // namespace cdr::trace

#endif
