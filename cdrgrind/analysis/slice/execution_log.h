// SPDX-License-Identifier: GPL-2.0-or-later
// A run in memory, as slices need it: every executed block with its words and the activation that it ran in; by
// register, which blocks wrote it; by address, which accesses stored there. Entries are in true order and numbered
// from 1.
//
// Beside blocks there are entries for what changes registers or memory by other means: a signal's end gives back
// the registers of its begin; a gap loses all; a system call stores.
#ifndef CDRGRIND_ANALYSIS_SLICE_EXECUTION_LOG_H
#define CDRGRIND_ANALYSIS_SLICE_EXECUTION_LOG_H

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/slice/event_control.h"
#include "cdrgrind/analysis/slice/jump_targets.h"
#include "cdrgrind/base/dataflow.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::slice {

using LogEntryId = uint32_t;

struct LogEntry {
  enum class Kind : uint8_t { kBlock, kPartial, kSignalBegin, kSignalEnd, kGapEnd, kMemory };
  Kind kind = Kind::kBlock;
  ThreadId thread;
  BlockId block;
  uint64_t event = 0;
  uint64_t words = 0;  // first of its words
  uint32_t activation = 0;
  LogEntryId begin = 0;   // kSignalEnd: of its kSignalBegin
  uint16_t accesses = 0;  // executed
};

struct Activation {
  uint64_t entry = 0;    // address of its first block: that of its function
  LogEntryId call = 0;   // block that called; 0: a root
  LogEntryId first = 0;  // its own first block that is kept
  bool signal = false;
};

// A store: an access of a block, or what an entry of another kind wrote.
struct StoredBy {
  static constexpr uint32_t kOther = ~uint32_t{0};
  LogEntryId entry = 0;
  uint32_t access = kOther;
};

class ExecutionLog final : public JumpTargets {
 public:
  // Reads the file; `events` are kept.
  ExecutionLog(const trace::TraceFile& file, const DataflowTable& flows, EventRange events);

  const LogEntry& operator[](LogEntryId id) const { return entries_[id]; }
  const Activation& activation(uint32_t number) const { return activations_[number]; }
  const Superblock& superblock(const LogEntry& e) const { return blocks_.superblock_of(e.block); }
  const Dataflow& flow(const LogEntry& e) const { return flows_[blocks_.block(e.block).superblock]; }
  SuperblockId superblock_id(const LogEntry& e) const { return blocks_.block(e.block).superblock; }
  uint64_t exit_ip(LogEntryId id) const {
    return exit_addr(superblock(entries_[id]), blocks_.exit_of(entries_[id].block));
  }
  // Whether a system call or Valgrind wrote the byte of the state at the block's exit.
  bool written_by_kernel(const LogEntry& e, uint32_t offset) const;
  // Number of the exit that was taken.
  uint16_t exit(const LogEntry& e) const { return blocks_.block(e.block).exit; }
  std::span<const uint64_t> words(const LogEntry& e) const { return std::span(words_).subspan(e.words); }

  // The block of an event, or the thread's last entry before it; 0 if there is none.
  LogEntryId entry_of(uint64_t event) const;
  ThreadId thread_of(uint64_t event) const;
  // The entry of the same thread before; 0 if there is none.
  LogEntryId entry_before(LogEntryId id) const;
  // The last entry of the thread before `before` that may have changed bytes of the register; 0 if none has.
  LogEntryId last_writer(ThreadId thread, uint32_t reg, LogEntryId before) const;
  // The stores that the bytes of `range` hold just before access `access` of `before`. Returns how many it looked at.
  uint64_t last_stores(AddrRange range, LogEntryId before, uint32_t access, std::vector<StoredBy>& to) const;
  // The last execution of the superblock in the activation before `before`, 0 if there is none; and how many it looked
  // at.
  std::pair<LogEntryId, uint64_t> last_execution(SuperblockId superblock, uint32_t activation, LogEntryId before) const;
  std::span<const uint64_t> jump_targets(SuperblockId superblock) const override;

 private:
  struct Stack {
    std::vector<uint32_t> frames;  // activations, outermost first
  };
  struct ThreadHistory {
    StackId stack;
    LogEntryId last = 0;
    BlockId left;  // the last one, kept or not
    uint32_t left_activation = 0;
    std::vector<LogEntryId> signals;               // begun
    std::vector<std::vector<LogEntryId>> writers;  // by register
  };
  struct Area {
    LogEntryId entry;
    AddrRange range;
  };

  void see_before(const Event& e);
  void see(const Event& e, uint64_t index);
  void block(const Event& e, uint64_t index);
  void frames(const Event& e, uint64_t index);
  void memory(const Event& e, uint64_t index);
  LogEntryId add(LogEntry::Kind kind, const Event& e, uint64_t index);
  void push_frame(ThreadId t, bool signal);
  void pop_frames(ThreadId t, uint32_t count);
  void note_writes(ThreadHistory& t, LogEntryId id);
  void note_stores(LogEntryId id);
  void note_frame(const Event& e);
  void note_jump(BlockId from, uint64_t target);
  uint64_t written_registers(const LogEntry& e);
  void write_all(ThreadHistory& t, LogEntryId id);
  ThreadHistory& at(ThreadId t);
  std::vector<uint32_t>& frames_of(ThreadId t) { return stacks_[at(t).stack.value].frames; }
  uint64_t last_stores_in(AddrRange range, LogEntryId before, uint32_t access, std::vector<StoredBy>& to) const;
  bool covered(AddrRange range, const StoredBy& s, uint64_t& missing) const;

  const BlockTable& blocks_;
  const DataflowTable& flows_;
  std::vector<LogEntry> entries_;
  std::vector<uint64_t> words_;
  std::vector<Activation> activations_;
  std::vector<ThreadHistory> threads_;
  std::map<uint32_t, Stack> stacks_;
  std::unordered_map<uint64_t, std::vector<StoredBy>> stores_;          // by address / 8
  std::vector<Area> areas_;                                             // large ones
  std::unordered_map<LogEntryId, std::vector<AddrRange>> small_areas_;  // the others
  std::vector<uint64_t> written_;                                       // by block, + kKnown
  std::vector<std::vector<LogEntryId>> executions_;                     // by superblock
  std::unordered_map<uint32_t, std::vector<uint64_t>> jump_targets_;    // by superblock
  std::vector<std::pair<uint64_t, ThreadId>> event_threads_;            // where the running thread changed
};

}  // namespace cdr::slice

#endif
