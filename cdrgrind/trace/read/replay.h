// SPDX-License-Identifier: GPL-2.0-or-later
// Follows what the event stream says about each thread while it is read: SP at every instruction boundary,
// the stack it is on, gaps. Feed it every event in order; the state is that before the event passed next.
#ifndef CDRGRIND_TRACE_READ_REPLAY_H
#define CDRGRIND_TRACE_READ_REPLAY_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::trace {

struct ThreadState {
  bool started = false;
  bool ended = false;
  bool in_thread_gap = false;
  // False after a gap of the process until the thread's SP is told again.
  bool sp_known = true;
  uint64_t sp = 0;
  StackId stack;
};

// How much of a block an event executed: for a Block up to its exit, for a Partial up to its ip.
struct Extent {
  const Superblock* superblock = nullptr;
  uint32_t insns = 0;  // executed
  std::span<const Access> accesses;
  std::span<const SpChange> sp_changes;
};
// `e` is a Block or a Partial.
Extent extent_of(const Event& e, const BlockTable& blocks);
// Whether all of them do in any other execution of the block, too.
bool all_accesses_happen(const Event& e, const BlockTable& blocks);

// SP behind a block that was entered with `sp_in`.
uint64_t sp_behind(const Event& e, const BlockTable& blocks, uint64_t sp_in);

class Replay {
 public:
  explicit Replay(const BlockTable& blocks) : blocks_(blocks) {}

  void apply(const Event& e);

  // A state of zeros for a thread never seen.
  const ThreadState& thread(ThreadId t) const;
  uint64_t sp(ThreadId t) const { return thread(t).sp; }
  StackId stack(ThreadId t) const { return thread(t).stack; }
  bool in_gap(ThreadId t) const { return in_process_gap_ || thread(t).in_thread_gap; }
  // Bounds of a stack as last given; empty if never.
  AddrRange stack_range(StackId s) const;
  uint32_t thread_count() const { return threads_.empty() ? 0 : static_cast<uint32_t>(threads_.size() - 1); }

 private:
  ThreadState& at(ThreadId t);
  void on_stack(const Event& e);
  void set_sp(const Event& e);
  void end_gap(const Event& e);

  const BlockTable& blocks_;
  std::vector<ThreadState> threads_;  // by id
  std::vector<AddrRange> stacks_;     // by id
  bool in_process_gap_ = false;
};

}  // namespace cdr::trace

#endif
