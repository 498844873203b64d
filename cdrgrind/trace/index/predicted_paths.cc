// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/predicted_paths.h"

#include "cdrgrind/trace/index/predicted_walk.h"

namespace cdr::trace {
bool PredictedPaths::read(const Columns& control, const TurnIndex& turns, const std::vector<uint32_t>& threads,
                          uint32_t limit) {
  threads_.assign(threads.size(), {});
  return PredictedWalk(blocks_, *this).run(control, turns, threads, limit);
}

uint64_t PredictedPaths::stretch(uint32_t thread, uint32_t of_file, uint32_t count) {
  cutter_.emit(threads_[thread], terminal_of_stretch(own_stretch(of_file)), count);
  return file_stretches_.counts(of_file).events;
}

void PredictedPaths::event(uint32_t thread, const PredictedStep& step) {
  PathCutter::Path& path = threads_[thread];
  cutter_.end_stretch(path);
  if (step.naming != 0) cutter_.emit(path, kNameTerminal);
  cutter_.emit(path, step.symbol);
}

void PredictedPaths::block(uint32_t thread, const PredictedStep& step) {
  PathCutter::Path& path = threads_[thread];
  if (step.naming == kNameTerminal) cutter_.end_stretch(path);
  cutter_.block(path, block_of(step.symbol), step.naming != 0);
  if (step.bare) cutter_.end_stretch(path, true);
}

uint32_t PredictedPaths::own_stretch(uint32_t of_file) {
  const auto [own, added] = own_.insert(of_file);
  if (added) {
    Stretches::Open open;
    for (const BlockId id : file_stretches_.blocks(of_file)) cutter_.stretches().advance(open, id);
    *own = cutter_.stretches().finish(open, file_stretches_.bare(of_file));
  }
  return *own;
}

Grammar PredictedPaths::grammar() {
  std::vector<uint32_t> strings;
  for (PathCutter::Path& path : threads_) {
    cutter_.end_stretch(path);
    cutter_.close_run(path);
    strings.push_back(path.string == 0 ? cutter_.strings().open_string() : path.string - 1);
  }
  return cutter_.strings().grammar(strings);
}

StretchTable PredictedPaths::stretches() const {
  StretchTable table;
  std::vector<BlockId> blocks;
  const Stretches& stretches = cutter_.stretches();
  for (uint32_t id = 1; id <= stretches.count(); ++id) {
    stretches.blocks_of(id, blocks);
    table.add(blocks, stretches.bare(id));
  }
  return table;
}

}  // namespace cdr::trace
