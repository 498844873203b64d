// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/jump_log.h"

#include <algorithm>

#include "cdrgrind/analysis/events/copy_follower.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::regions {

JumpLog::JumpLog(const BlockTable& blocks) : blocks_(blocks), asks_(blocks.block_count() + 1) {
  for (uint32_t b = 1; b <= blocks.block_count(); ++b) {
    const Exit& exit = blocks.exit_of(BlockId(b));
    const bool jump = exit.kind == ExitKind::kIndirectJump && exit.target == 0;
    asks_[b] = (jump || is_call(exit.kind)) && exit.insns != 0;
  }
}

JumpLog::JumpLog(const trace::TraceFile& file) : JumpLog(file.blocks()) {
  analysis::CopyFollower follower(*this);
  trace::Cursor cursor(file, EventDecoder::Words::kExact, trace::EpochDecoder::Words::kNoneInCopies);
  trace::DecodedSteps steps;
  for (Event e; cursor.next_steps(steps, e);)
    if (!steps.empty())
      see(steps.thread, steps.steps());
    else if (e.kind == EventKind::kNone)
      follower.follow(cursor);
    else
      see(e);
  seen_.clear();
}

JumpLog::Frames& JumpLog::frames(ThreadId t) {
  if (t.value >= threads_.size()) threads_.resize(t.value + 1);
  Frames*& f = threads_[t.value];
  if (!f) f = &stacks_[0];
  if (f->empty()) f->push_back({});
  return *f;
}

void JumpLog::see(const Event& e) {
  switch (e.kind) {
    case EventKind::kBlock:
    case EventKind::kPartial: {
      BlockId& last = frames(e.thread).back();
      if (last && asks(last)) go(last, e.block);
      last = e.kind == EventKind::kBlock ? e.block : BlockId();
      return;
    }
    case EventKind::kSyncEnter:
      operations_.set(static_cast<size_t>(e.sync.op));
      return;
    case EventKind::kThreadStart:
    case EventKind::kStackSwitch:
      frames(e.thread);
      threads_[e.thread.value] = &stacks_[e.stack.value];
      return;
    case EventKind::kCall:
    case EventKind::kSignalEnter:
      frames(e.thread).push_back({});
      return;
    case EventKind::kReturn:
    case EventKind::kSignalLeave:
    case EventKind::kPop: {
      Frames& f = frames(e.thread);
      const size_t count = e.kind == EventKind::kPop ? e.count : 1;
      f.resize(f.size() - std::min(count, f.size() - 1));
      return;
    }
    default:
      return;
  }
}

void JumpLog::see(ThreadId thread, Steps steps) {
  Frames& f = frames(thread);
  BlockId last = f.back();
  for (const RunStep& s : steps) {
    if (s.block) {
      if (asks(last)) go(last, s.block);
      last = s.block;
    } else if (s.kind() == EventKind::kCall) {
      f.back() = last;
      f.push_back({});
      last = {};
    } else {
      f.back() = last;
      if (f.size() > 1) f.pop_back();
      last = f.back();
    }
  }
  f.back() = last;
}

void JumpLog::go(BlockId from, BlockId to) {
  const Superblock& sb = blocks_.superblock_of(from);
  const Exit& exit = blocks_.exit_of(from);
  const bool jump = exit.kind == ExitKind::kIndirectJump;
  if (!seen_.insert(uint64_t{from.value} << 32 | to.value).second) return;
  const uint64_t behind = exit_addr(sb, exit) + sb.insns[exit.insns - 1u].length;
  const uint64_t addr = blocks_.superblock_of(to).addr;
  if (!jump && addr == behind) return;
  auto& targets = (jump ? jumps_ : landings_)[blocks_.block(from).superblock.value];
  if (std::find(targets.begin(), targets.end(), addr) == targets.end()) targets.push_back(addr);
}

}  // namespace cdr::regions
