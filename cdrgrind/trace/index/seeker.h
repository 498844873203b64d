// SPDX-License-Identifier: GPL-2.0-or-later
// Random access to a compact trace (Goel, Roychoudhury and Mitra 2003, section 2.2): any synchronisation event, block,
// instruction or execution of a line of a thread, the segment between two of them, the full stack there, the words of
// the block and the place in the true order of all threads: each by descent, without unfolding what lies before.
//
//   Seeker seeker(file);
//   TracePosition lock, unlock;
//   seeker.find(thread, Weight::kSyncs, 4, lock);    // the fifth synchronisation event
//   seeker.find(thread, Weight::kSyncs, 5, unlock);  // the segment is [lock, unlock)
//
// Epochs are read when they are first touched, and the last few are kept, beside those that somebody holds. Everything
// throws TraceError where the file turns out to be damaged. Not thread-safe; several seekers on one file are.
#ifndef CDRGRIND_TRACE_INDEX_SEEKER_H
#define CDRGRIND_TRACE_INDEX_SEEKER_H

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/trace/index/epoch_index.h"

namespace cdr::trace {

// Before an event of a thread, or at the thread's end in an epoch. Cheap to keep, not to copy.
struct TracePosition {
  ThreadId thread;
  uint32_t epoch = 0;
  PathPosition at;      // at.before counts from the start of the epoch
  ThreadCounts before;  // from the start of the thread
  bool end = false;     // behind its last event in the epoch
};

// A frame of a thread's stack.
struct StackFrame {
  uint64_t call_ip = 0;  // of the call instruction; of the interrupted one; 0 for the root
  BlockId name;          // the block that gave the frame its name, hence its function; none: it has not run yet
  uint64_t sp = 0;       // at the function's entry, 0 if the trace has no words that tell it
};

// An epoch that has been read; it stays at least as long as one of these holds it. What it refers to is to be had from
// a named one only: a temporary may be the last.
class EpochPin {
 public:
  EpochPin() = default;
  explicit EpochPin(std::shared_ptr<EpochIndex> index) : index_(std::move(index)) {}

  explicit operator bool() const { return index_ != nullptr; }
  EpochIndex& operator*() const& { return *index_; }
  EpochIndex* operator->() const& { return index_.get(); }
  EpochIndex& operator*() const&& = delete;
  EpochIndex* operator->() const&& = delete;

 private:
  std::shared_ptr<EpochIndex> index_;
};

class Seeker {
 public:
  static constexpr size_t kKeptEpochs = 4;

  // `file` must be compact and outlive the seeker. `kept_epochs`: how many it holds itself, those used last. Fewer cost
  // time, and change nothing else.
  explicit Seeker(const TraceFile& file, size_t kept_epochs = kKeptEpochs);

  const TraceFile& file() const { return file_; }
  // What is the same for each execution of the block.
  const BlockModel& model(BlockId id) const { return stretches_.model(id); }
  EpochPin epoch(uint32_t number);

  // What the thread did in the whole trace; zeros if there is no such thread.
  ThreadCounts total(ThreadId thread);
  // The epochs that the thread is in, and what it had done before each.
  struct Life {
    uint32_t epoch = 0;
    ThreadCounts before;
  };
  std::span<const Life> life(ThreadId thread);

  // Before the event that holds unit n of the weight, counted from 0 at the thread's start; false if there is none. An
  // instruction is found by its block: n - to.before.insns says which.
  bool find(ThreadId thread, Weight w, uint64_t n, TracePosition& to);
  // Before the k-th execution (from 0) of one of the blocks, which stand by ascending ids.
  bool find_execution(ThreadId thread, std::span<const BlockWeight> blocks, uint64_t k, TracePosition& to);
  // Executions of the block by the thread before the place, in the epoch: the number in the block's streams.
  uint64_t executions_before(const TracePosition& place, BlockId id);

  // Number of the event in the true order of all threads, from 0. Not at an end.
  uint64_t index_of(const TracePosition& place);
  // The other way: the event with this index; true if it is a Turn, which stands before `to`.
  bool at_index(uint64_t index, TracePosition& to);
  // Where the thread stood then: before its first event that is not before this index. False if there is none, or it
  // was not there.
  bool before_index(ThreadId thread, uint64_t index, TracePosition& to);

  // The event, as a Cursor gives it. Spans are valid until the next event is read, by whomever.
  Event event_at(const TracePosition& place);
  // What the place is at: a block of a stretch, or none.
  std::optional<BlockId> block_at(const TracePosition& place);
  // The words of that block.
  void words_at(const TracePosition& place, BlockId id, std::vector<uint64_t>& words);

  // Frames of the present stack, innermost first; behind a handler on another stack, those of the one that it
  // interrupted. `with_sp`: costs an address each.
  std::vector<StackFrame> stack_at(const TracePosition& place, bool with_sp = false);
  // SP of the frames of the present stack alone, outermost first.
  std::vector<uint64_t> frame_sps_at(const TracePosition& place);
  // SP at the entry of the function that runs, 0 if that is not known.
  uint64_t frame_sp(const TracePosition& place);
  // SP before the event.
  uint64_t sp(const TracePosition& place);
  // Address of the last instruction that was told before the event (encode/thread_model.h).
  uint64_t last_ip(const TracePosition& place);

 private:
  void read_lives();
  std::vector<Life>& lives_of(ThreadId thread);
  uint32_t epoch_of(uint64_t index) const;
  // By what the recorder has counted, without the epoch's index; none: it has not, or the index is there.
  std::optional<uint64_t> kept_executions(uint32_t number, ThreadId thread, std::span<const BlockWeight> blocks);
  bool place_in(uint32_t epoch, ThreadId thread, Weight w, uint64_t n, TracePosition& to);
  const EventRow* row_of(EpochIndex& index, const TracePosition& place) const;
  uint64_t teller_sp(const TracePosition& place, const SpSum& sum);

  const TraceFile& file_;
  StretchIndex stretches_;
  size_t kept_epochs_;
  std::vector<std::weak_ptr<EpochIndex>> epochs_;  // by number: what anybody holds
  std::vector<std::shared_ptr<EpochIndex>> kept_;  // the one used last comes last
  EpochPin event_epoch_;                           // of the event that was read last: its spans lie there
  std::vector<std::vector<Life>> lives_;           // by serial
  std::vector<uint64_t> words_;
};

}  // namespace cdr::trace

#endif
