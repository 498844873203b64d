// SPDX-License-Identifier: GPL-2.0-or-later
// What a thread has done and its frames, event by event as base/event.h says: what places are compared with.
#ifndef CDRGRIND_TESTS_UNIT_TRACE_NAIVE_THREAD_H
#define CDRGRIND_TESTS_UNIT_TRACE_NAIVE_THREAD_H

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cdrgrind/trace/seeker.h"

namespace cdr::test {

// Frames as base/event.h says, one event after the other.
struct NaiveFrame {
  uint64_t ip = 0, function = 0, sp = 0;
  bool jumped = false;
  bool operator==(const NaiveFrame& o) const { return ip == o.ip && function == o.function && sp == o.sp; }
};

struct NaiveThread {
  uint32_t stack = 0;
  std::unordered_map<uint32_t, std::vector<NaiveFrame>> stacks;
  ThreadCounts counts;
  std::unordered_map<uint32_t, uint64_t> executions;

  std::vector<NaiveFrame>& frames() { return stacks[stack]; }
  void push(const Event& e, uint64_t ip) { frames().push_back({ip, 0, e.sp, false}); }
  void name(const Superblock& sb, bool always) {
    if (frames().empty()) return;
    NaiveFrame& f = frames().back();
    if (f.function == 0 || always || (f.jumped && (sb.flags & kBlockFunctionEntry))) f.function = sb.addr;
  }
  void count(const Event& e, const BlockTable& blocks) {
    ++counts.events;
    if (e.kind == EventKind::kBlock) {
      ++counts.blocks;
      counts.insns += blocks.exit_of(e.block).insns_executed();
      ++executions[e.block.value];
    }
    counts.syncs += e.kind == EventKind::kSyncEnter || e.kind == EventKind::kSyncLeave;
  }
  void apply(const Event& e, const BlockTable& blocks) {
    count(e, blocks);
    auto& f = frames();
    switch (e.kind) {
      case EventKind::kBlock:
      case EventKind::kPartial:
        name(blocks.superblock_of(e.block), false);
        if (!f.empty()) f.back().jumped = e.kind == EventKind::kBlock && is_jump(blocks.exit_of(e.block).kind);
        break;
      case EventKind::kEnter:
        name(blocks.superblock_of(e.block), true);
        break;
      case EventKind::kCall:
      case EventKind::kSignalEnter:
        push(e, e.ip);
        break;
      case EventKind::kReturn:
      case EventKind::kSignalLeave:
        if (!f.empty()) f.pop_back();
        break;
      case EventKind::kPop:
        f.resize(f.size() - std::min<size_t>(e.count, f.size()));
        break;
      case EventKind::kThreadStart:
      case EventKind::kStackSwitch:
        stack = e.stack.value;
        if (frames().empty()) push(e, 0);
        break;
      default:
        break;
    }
  }
};

inline std::vector<NaiveFrame> with_functions(const std::vector<trace::StackFrame>& stack, const BlockTable& blocks) {
  std::vector<NaiveFrame> frames;
  for (const trace::StackFrame& f : stack)
    frames.insert(frames.begin(), {f.call_ip, f.name ? blocks.superblock_of(f.name).addr : 0, f.sp, false});
  return frames;
}

}  // namespace cdr::test

#endif
