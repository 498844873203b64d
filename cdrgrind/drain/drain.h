// SPDX-License-Identifier: GPL-2.0-or-later
// Decodes the record buffer into the event stream. Knows nothing of Valgrind: the same code can run in the
// tool, in another process or on the host.
//
// Invariant: the events depend on the records alone, so the same records give the same events.
#ifndef CDRGRIND_DRAIN_DRAIN_H
#define CDRGRIND_DRAIN_DRAIN_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cdrgrind/base/dataflow.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/drain/records.h"
#include "cdrgrind/drain/regions.h"
#include "cdrgrind/drain/stacks.h"

namespace cdr::drain {

struct DrainOptions {
  bool collect_at_start = true;  // --instr-atstart
  bool toggles = false;          // --toggle-collect was given: threads start outside
};

// Who is told of records that are not events.
class RecordSink {
 public:
  // kForked, before the drain looks at it, and those that are for the session.
  virtual void record(RecordKind kind, std::span<const uint64_t> payload) = 0;

 protected:
  ~RecordSink() = default;
};

class Drain {
 public:
  // Fills the tables; every event goes to `out`.
  Drain(ModuleTable& modules, BlockTable& blocks, DataflowTable& flows, RunSink& out, RecordSink& records)
      : modules_(modules), blocks_(blocks), flows_(flows), out_(out), records_(records) {}

  // Before the first event.
  void start(const DrainOptions& options) {
    options_ = options;
    collecting_ = options.collect_at_start;
  }
  // Whole records.
  void consume(std::span<const uint64_t> records) { consume<false>(records); }
  // The last records of a process that was killed. If the last one is a block, then it may have been taken back.
  void consume_last(std::span<const uint64_t> records) { consume<true>(records); }
  // The process's recording state.
  bool collecting() const { return collecting_; }

 private:
  // What a rec id means, precomputed for the hot path.
  struct Code {
    enum SpKind : uint8_t { kSame, kFromEntry, kFromWord, kConstant };
    uint32_t superblock = 0;  // index into definitions_
    BlockId block;            // 0 until first executed
    uint16_t words = 0;
    uint16_t sp_slot = 0;
    int64_t sp_constant = 0;
    uint64_t exit_ip = 0;  // of the instruction at the exit
    ExitKind exit = ExitKind::kFallThrough;
    SpKind sp_kind = kSame;
    bool jumps = false;
    bool entry = false;
    bool simple = false;  // neither call nor return, and SP does not rise
  };
  // A block that is simple and no function's entry, which was executed before: what its records do. No block: another.
  struct PlainCode {
    BlockId block;
    uint32_t words = 0;
    uint64_t sp_change = 0;
  };
  struct Definition {
    Superblock superblock;
    Dataflow flow;
    SuperblockId id;  // 0 until first executed
    uint32_t first_code = 0;
    bool toggle = false;
  };
  struct DrainedThread {
    ThreadId id;
    uint64_t sp = 0;
    Stack* stack = nullptr;
    Stack* own = nullptr;  // the one that it started on
    // Those that it has gone onto and not yet back from, outermost first; the last one is the present.
    std::vector<Stack*> visits;
    uint32_t last_code = 0;
    bool collecting = true;
    bool sp_untold = false;  // a gap of the process hid changes of SP
    ThreadId creator;
    bool hidden = false;  // in a hide region

    void visit(Stack& to) {
      const auto known = std::find(visits.begin(), visits.end(), &to);
      if (known != visits.end())
        visits.erase(known + 1, visits.end());
      else
        visits.push_back(&to);
    }
  };

  using Words = std::span<const uint64_t>;
  template <bool kLastInDoubt>
  void consume(Words records);
  void special(RecordKind kind, ThreadId thread, Words p);
  void block(uint32_t code, const uint64_t* words);
  const uint64_t* plain_blocks(const uint64_t* p, const uint64_t* end);
  void pass_run();
  void send(const Event& e) {
    if (first_untold_ != kAllTold) [[unlikely]]
      tell_frames();
    send_at_once(e);
  }
  // In a gap nobody asks in which frame it happened.
  void send_at_once(const Event& e) {
    pass_run();
    out_.event(e);
  }
  void after_block(DrainedThread& t, const Code& c);
  // Whether what is sent now comes right behind a block that is told, and tells nothing before.
  bool follows_block() const { return run_length_ > 0 && run_[run_length_ - 1].block && first_untold_ == kAllTold; }
  void add_step(EventKind kind, uint64_t sp) {
    run_[run_length_].block = BlockId();
    run_[run_length_].count = static_cast<uint32_t>(kind);
    run_[run_length_++].sp = sp;
  }
  void define_superblock(Words p);
  Code make_code(const Definition& d, uint32_t superblock, const Exit& exit) const;
  BlockId block_id(uint32_t code);
  void partial(DrainedThread& t, Words p);
  void module(Words p);
  void thread_start(ThreadId id, Words p);
  void signal_enter(DrainedThread& t, Words p);
  void signal_leave(DrainedThread& t, Words p);
  void syscall(DrainedThread& t, Words p);
  void of_thread(RecordKind kind, DrainedThread& t, Words p);
  void turn(DrainedThread& t, uint64_t sp);
  void sync_enter(DrainedThread& t, Words p);
  void sync_leave(DrainedThread& t, Words p);
  void close_unwound();
  void hide(DrainedThread& t, bool begins);
  void mpi(RecordKind kind, Words p);
  void map(Words p, EventKind kind);
  void heap(Words p, EventKind kind);
  void collect(bool on);

  // drain_fork.cc
  void forked(Words p);
  void keep_one_thread(ThreadId survivor);
  std::vector<Stack*> stacks_of(const DrainedThread& t) const;
  void state_process(uint64_t pthread);
  void state_thread(std::span<Stack* const> stacks, uint64_t pthread);
  void state_modules();
  void state_memory();
  void state_stacks(std::span<Stack* const> stacks);
  void state_stack(const Stack& s, const Stack*& told);
  void state_frames(const Stack& s);
  void state_frame(const Frame& f);
  void state_syncs(const Stack& s, size_t depth);
  void tell_gap_of_thread();
  void tell_stack(EventKind kind, const Stack& s, uint64_t sp);
  void tell_module(EventKind kind, ModuleId id);

  void name_frame(DrainedThread& t, uint32_t code);
  void open_frame(DrainedThread& t, Frame f);
  void tell_frames();
  void tell_opening(const Frame& f);
  void tell_name(const Frame& f);
  void toggle(DrainedThread& t);
  void tell_closing(uint32_t n, EventKind last, uint64_t sp);
  void close_frames(DrainedThread& t, uint32_t n, EventKind last, uint64_t sp);
  void settle_stack(DrainedThread& t, uint64_t from, bool loaded);
  Stack& stack_at(const DrainedThread& t);
  void switch_stack(DrainedThread& t, Stack& to, uint64_t from);
  bool in_gap(const DrainedThread& t) const { return !collecting_ || !t.collecting; }
  uint64_t last_ip(const DrainedThread& t) const { return codes_[t.last_code].exit_ip; }
  DrainedThread& thread(ThreadId id) { return *threads_[id.value - 1]; }
  void run_as(ThreadId id);
  Event make(EventKind kind) const;
  void emit(EventKind kind);

  ModuleTable& modules_;
  BlockTable& blocks_;
  DataflowTable& flows_;
  RunSink& out_;
  RecordSink& records_;
  DrainOptions options_;
  bool collecting_ = true;
  ThreadId running_;
  DrainedThread* current_ = nullptr;
  uint64_t sp_before_ = 0;  // the last block that loaded SP

  // What `out_` has not got yet, of the running thread; the blocks' words are in the buffer. Behind kRunBlocks there is
  // room for what follows the last block.
  static constexpr size_t kRunBlocks = 256;
  std::array<RunStep, kRunBlocks + 1> run_;
  size_t run_length_ = 0;

  // In gaps a frame is told when something happens in it for which it matters (base/event.h); most are closed before.
  // Those of the present stack from this one on, counted from the root, have something to be told.
  static constexpr size_t kAllTold = SIZE_MAX;
  size_t first_untold_ = kAllTold;

  Arena arena_;
  std::vector<Definition> definitions_;
  std::vector<Code> codes_;                              // by rec id - kFirstBlock
  std::vector<PlainCode> plain_codes_;                   // by rec id; none below kFirstBlock
  std::vector<std::unique_ptr<DrainedThread>> threads_;  // by serial - 1; null if it never started
  Stacks stacks_;
  uint64_t stack_switches_ = 0;
  std::vector<ModuleId> unmapped_modules_;
  Regions regions_;
  std::vector<MemorySpan> spans_;
  std::vector<Sync> unwound_;  // their frames were closed by the present block or signal
};

}  // namespace cdr::drain

#endif
