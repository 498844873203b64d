// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/thread_states.h"

namespace cdr {
namespace {

void put_delta(ByteWriter& to, uint64_t v, uint64_t& last) {
  to.delta(v, last);
  last = v;
}

}  // namespace

void ThreadStateWriter::add(ThreadId thread, const ThreadCounts& counts, const ThreadModel::State& s) {
  columns_[kStateThreads].varint(thread.value - thread_);
  thread_ = thread.value;
  for (const uint64_t n : {counts.events, counts.blocks, counts.insns, counts.syncs}) columns_[kStateCounts].varint(n);
  put_delta(columns_[kStateSp], s.sp, sp_);
  put_delta(columns_[kStateIp], s.last_ip, ip_);
  const int expected = s.expected == EventKind::kCall ? 1 : s.expected == EventKind::kReturn ? 2 : 0;
  columns_[kStateFlags].u8(static_cast<uint8_t>(expected + 4 * s.jumped));
  if (expected == 1) columns_[kStatePush].delta(s.push_sp, s.sp);
  columns_[kStateStacks].varint(s.stacks.size());
  columns_[kStateStacks].varint(s.stack);
  for (const StackModel& stack : s.stacks) {
    columns_[kStateStacks].varint(stack.id.value);
    columns_[kStateDepths].varint(stack.frames.size());
    for (const FrameModel& f : stack.frames) {
      put_delta(columns_[kStateFrameSp], f.sp, frame_sp_);
      put_delta(columns_[kStateFrameIp], f.ip, frame_ip_);
      columns_[kStateFrameNames].varint(f.name.value);
      columns_[kStateFrameFlags].u8(f.jumped);
    }
  }
}

}  // namespace cdr
