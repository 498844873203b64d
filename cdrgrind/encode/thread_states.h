// SPDX-License-Identifier: GPL-2.0-or-later
// What an epoch needs of those before it: how much each thread that goes on has executed so far, and its model
// (encode/thread_model.h) with the frames of its stacks. Payload of THREAD frames, as columns.
#ifndef CDRGRIND_ENCODE_THREAD_STATES_H
#define CDRGRIND_ENCODE_THREAD_STATES_H

#include <cstdint>
#include <vector>

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/encode/thread_model.h"

namespace cdr {

// What a thread did: its events but Turns (blocks are events, too), its blocks, the instructions executed in them, its
// SyncEnter and SyncLeave events. Blocks that a fault stopped do not count as blocks.
struct ThreadCounts {
  uint64_t events = 0, blocks = 0, insns = 0, syncs = 0;
  bool operator==(const ThreadCounts&) const = default;
  ThreadCounts& operator+=(const ThreadCounts& o) {
    events += o.events;
    blocks += o.blocks;
    insns += o.insns;
    syncs += o.syncs;
    return *this;
  }
};

enum ThreadStateColumn : uint32_t {
  kStateThreads,     // serial, less the one before
  kStateCounts,      // the four counts
  kStateSp,          // SP, less that of the thread before
  kStateIp,          // the last ip, less that of the thread before
  kStateFlags,       // 1 a call is bound to follow, 2 a return; + 4 the last block left by a jump
  kStatePush,        // of a call that is bound to follow: its frame's SP, less SP
  kStateStacks,      // number of stacks, the one that is used (counted from 0), their ids; behind each, the stacks that
                     // its frames' handlers have interrupted
  kStateDepths,      // frames of each stack
  kStateFrameSp,     // per frame, outermost first: its SP, less that of the frame before
  kStateFrameIp,     // its call, less that of the frame before
  kStateFrameNames,  // the block that named it, 0 if none did
  kStateFrameFlags,  // 1: its last block left by a jump; + 2 (version 5): it is a handler's, FrameModel::interrupted
  kStateColumns
};

constexpr uint8_t kStateFrameInterrupts = 2;

class ThreadStateWriter {
 public:
  ThreadStateWriter() : columns_(kStateColumns) {}
  // By ascending serials.
  void add(ThreadId thread, const ThreadCounts& counts, const ThreadModel::State& state);
  std::vector<ByteWriter> take() { return std::move(columns_); }

 private:
  std::vector<ByteWriter> columns_;
  uint32_t thread_ = 0;
  uint64_t sp_ = 0, ip_ = 0;
  uint64_t frame_sp_ = 0, frame_ip_ = 0;
};

}  // namespace cdr

#endif
