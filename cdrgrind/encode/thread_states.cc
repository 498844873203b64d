// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/thread_states.h"

namespace cdr {

void ThreadStateWriter::add(ThreadId thread, const ThreadCounts& counts, const ThreadModel::State& s) {
  columns_[kStateThreads].varint(thread.value - thread_);
  thread_ = thread.value;
  for (const uint64_t n : {counts.events, counts.blocks, counts.insns, counts.syncs}) columns_[kStateCounts].varint(n);
  columns_[kStateSp].next_delta(s.sp, sp_);
  columns_[kStateIp].next_delta(s.last_ip, ip_);
  const int expected = s.expected == EventKind::kCall ? 1 : s.expected == EventKind::kReturn ? 2 : 0;
  columns_[kStateFlags].u8(static_cast<uint8_t>(expected + 4 * s.jumped));
  if (expected == 1) columns_[kStatePush].delta(s.push_sp, s.sp);
  columns_[kStateStacks].varint(s.stacks.size());
  columns_[kStateStacks].varint(s.stack);
  for (const StackModel& stack : s.stacks) {
    columns_[kStateStacks].varint(stack.id.value);
    columns_[kStateDepths].varint(stack.frames.size());
    for (const FrameModel& f : stack.frames) {
      columns_[kStateFrameSp].next_delta(f.sp, frame_sp_);
      columns_[kStateFrameIp].next_delta(f.ip, frame_ip_);
      columns_[kStateFrameNames].varint(f.name.value);
      columns_[kStateFrameFlags].u8(static_cast<uint8_t>(f.jumped + (f.interrupted ? kStateFrameInterrupts : 0)));
      if (f.interrupted) columns_[kStateStacks].varint(f.interrupted.value);
    }
  }
}

}  // namespace cdr
