// SPDX-License-Identifier: GPL-2.0-or-later
// What a thread has done and its frames, event by event as base/event.h says: what places are compared with.
#ifndef CDRGRIND_TESTS_UNIT_TRACE_NAIVE_THREAD_H
#define CDRGRIND_TESTS_UNIT_TRACE_NAIVE_THREAD_H

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cdrgrind/trace/index/seeker.h"

namespace cdr::test {

// Frames as base/event.h says, one event after the other.
struct NaiveFrame {
  uint64_t ip = 0, function = 0, sp = 0;
  bool jumped = false;
  uint32_t interrupted = 0;  // a handler's on a stack of its own: the other one
  bool operator==(const NaiveFrame& o) const { return ip == o.ip && function == o.function && sp == o.sp; }
};

struct NaiveThread {
  uint32_t stack = 0;
  std::unordered_map<uint32_t, std::vector<NaiveFrame>> stacks;
  ThreadCounts counts;
  std::unordered_map<uint32_t, uint64_t> executions;

  uint32_t left = 0;  // by the StackSwitch before, if only Pops came since; its SP
  uint64_t switched_sp = 0;

  std::vector<NaiveFrame>& frames() { return stacks[stack]; }
  void push(const Event& e, uint64_t ip) { frames().push_back({ip, 0, e.sp, false, 0}); }
  // With those below a handler.
  std::vector<NaiveFrame> shown(uint32_t on, unsigned most = 20) {
    const std::vector<NaiveFrame>& own = stacks[on];
    size_t first = own.size();
    while (first > 0 && own[first - 1].interrupted == 0) --first;
    if (first == 0 || most == 0) return own;
    std::vector<NaiveFrame> all = shown(own[first - 1].interrupted, most - 1);
    all.insert(all.end(), own.begin() + static_cast<std::ptrdiff_t>(first) - 1, own.end());
    return all;
  }
  std::vector<NaiveFrame> shown() { return shown(stack); }
  void note_switch(const Event& e) {
    if (e.kind == EventKind::kSignalEnter && left != 0 && switched_sp == e.sp) frames().back().interrupted = left;
    if (e.kind != EventKind::kPop) left = 0;
    if (e.kind != EventKind::kStackSwitch) return;
    for (auto& [id, on] : stacks)
      for (NaiveFrame& f : on)
        if (f.interrupted == e.stack.value) f.interrupted = 0;
  }
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
        note_switch(e);
        if (e.kind == EventKind::kStackSwitch && e.stack.value != stack) left = stack, switched_sp = e.sp;
        stack = e.stack.value;
        if (frames().empty()) push(e, 0);
        return;
      default:
        break;
    }
    note_switch(e);
  }
};

inline std::vector<NaiveFrame> with_functions(const std::vector<trace::StackFrame>& stack, const BlockTable& blocks) {
  std::vector<NaiveFrame> frames;
  for (const trace::StackFrame& f : stack)
    frames.insert(frames.begin(), {f.call_ip, f.name ? blocks.superblock_of(f.name).addr : 0, f.sp, false, 0});
  return frames;
}

}  // namespace cdr::test

#endif
