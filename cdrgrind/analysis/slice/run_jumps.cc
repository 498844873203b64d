// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/run_jumps.h"

#include <algorithm>

#include "cdrgrind/encode/path_terminals.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::slice {

RunJumps::RunJumps(const trace::TraceFile& file, trace::Seeker* seeker) {
  if (file.epochs().empty()) {
    read_events(file);
  } else if (seeker) {
    read_epochs(file.blocks(), *seeker);
  } else {
    trace::Seeker own(file);
    read_epochs(file.blocks(), own);
  }
}

void RunJumps::read_epochs(const BlockTable& blocks, trace::Seeker& seeker) {
  std::vector<BlockId> left;  // by thread: its last block, if nothing has come since
  for (uint32_t e = 0; e < seeker.file().epochs().size(); ++e) {
    const trace::EpochPin epoch = seeker.epoch(e);
    read_paths(blocks, epoch->paths(), left);
  }
}

void RunJumps::see(const BlockTable& blocks, BlockId from, BlockId to) {
  if (!from || !to) return;
  const Exit& exit = blocks.exit_of(from);
  if (exit.target != 0 || exit.kind != ExitKind::kIndirectJump) return;
  auto& targets = targets_[blocks.block(from).superblock.value];
  const uint64_t addr = blocks.superblock_of(to).addr;
  if (std::find(targets.begin(), targets.end(), addr) == targets.end()) targets.push_back(addr);
}

void RunJumps::read_events(const trace::TraceFile& file) {
  std::vector<BlockId> left;  // by thread: its last block, if nothing has come since
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    if (e.kind == EventKind::kTurn) continue;
    if (e.thread.value >= left.size()) left.resize(e.thread.value + 1);
    BlockId& last = left[e.thread.value];
    const bool block = e.kind == EventKind::kBlock;
    if (block) see(file.blocks(), last, e.block);
    last = block ? e.block : BlockId();
  }
}

// The grammar's rules one by one: what a thread executes one after the other are neighbours in the body of some rule.
void RunJumps::read_paths(const BlockTable& blocks, const trace::PathIndex& paths, std::vector<BlockId>& left) {
  struct Ends {
    BlockId first, last;  // none: another event
    bool empty = true;
  };
  std::vector<Ends> rules(paths.grammar().rules());
  const auto of_stretch = [&](uint32_t stretch) {
    const auto all = paths.stretches().blocks(stretch);
    for (size_t i = 1; i < all.size(); ++i) see(blocks, all[i - 1], all[i]);
    return Ends{all.front(), all.back(), false};
  };
  for (const uint32_t rule : trace::children_first(paths.grammar())) {
    Ends& whole = rules[rule];
    for (const Run& run : paths.grammar().body(rule)) {
      if (run.symbol == kNameTerminal) continue;
      const Ends one = is_rule(run.symbol)      ? rules[rule_of(run.symbol)]
                       : is_stretch(run.symbol) ? of_stretch(stretch_of(run.symbol))
                                                : Ends{{}, {}, false};
      if (one.empty) continue;
      if (run.count > 1) see(blocks, one.last, one.first);
      if (whole.empty)
        whole.first = one.first;
      else
        see(blocks, whole.last, one.first);
      whole.last = one.last;
      whole.empty = false;
    }
  }
  for (uint32_t s = 0; s < paths.threads().size(); ++s) {
    const uint32_t thread = paths.threads()[s];
    if (rules[s].empty) continue;
    if (thread >= left.size()) left.resize(thread + 1);
    see(blocks, left[thread], rules[s].first);
    left[thread] = rules[s].last;
  }
}

}  // namespace cdr::slice
