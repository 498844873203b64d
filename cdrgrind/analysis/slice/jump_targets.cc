// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/jump_targets.h"

#include <algorithm>

#include "cdrgrind/trace/read/cursor.h"

namespace cdr::slice {

JumpTargets::JumpTargets(const trace::TraceFile& file) { read_events(file); }

void JumpTargets::see(const BlockTable& blocks, BlockId from, BlockId to) {
  const Exit& exit = blocks.exit_of(from);
  if (exit.target != 0 || exit.kind != ExitKind::kIndirectJump) return;
  auto& targets = targets_[blocks.block(from).superblock.value];
  const uint64_t addr = blocks.superblock_of(to).addr;
  if (std::find(targets.begin(), targets.end(), addr) == targets.end()) targets.push_back(addr);
}

void JumpTargets::read_events(const trace::TraceFile& file) {
  std::vector<BlockId> left;  // by thread: its last block, if nothing has come since
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    if (e.kind == EventKind::kTurn) continue;
    if (e.thread.value >= left.size()) left.resize(e.thread.value + 1);
    BlockId& last = left[e.thread.value];
    const bool block = e.kind == EventKind::kBlock;
    if ((block || e.kind == EventKind::kPartial) && last) see(file.blocks(), last, e.block);
    last = block ? e.block : BlockId();
  }
}

}  // namespace cdr::slice
