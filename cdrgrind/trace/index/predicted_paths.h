// SPDX-License-Identifier: GPL-2.0-or-later
// Control paths that were predicted, for random access: the grammar that SEQUITUR makes of them, over stretches of the
// epoch's own. Costs what the recorder saved, once for each reader that touches the epoch; 'cdrgrind repack' saves it.
#ifndef CDRGRIND_TRACE_INDEX_PREDICTED_PATHS_H
#define CDRGRIND_TRACE_INDEX_PREDICTED_PATHS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/trace/index/stretch_index.h"
#include "cdrgrind/trace/index/turn_index.h"
#include "cdrgrind/trace/read/path_pieces.h"

namespace cdr::trace {

class PredictedPaths {
 public:
  // The file's stretches and tables.
  PredictedPaths(const StretchIndex& stretches, const BlockTable& blocks)
      : file_stretches_(stretches), blocks_(blocks), cutter_(blocks) {}

  // False if the columns are damaged. `threads`: those with a path, ascending; `limit`: stretches that the epoch may
  // use.
  bool read(const Columns& control, const TurnIndex& turns, const std::vector<uint32_t>& threads, uint32_t limit);
  // Behind read(): a string for each thread, and the stretches that it refers to.
  Grammar grammar();
  StretchTable stretches() const;

  // For PredictedWalk.
  uint64_t stretch(uint32_t thread, uint32_t of_file, uint32_t count);
  void terminal(uint32_t thread, uint32_t terminal, uint32_t count) { cutter_.emit(threads_[thread], terminal, count); }
  void block(uint32_t thread, const PredictedStep& step);
  void event(uint32_t thread, const PredictedStep& step);
  void end_piece(uint32_t thread) { cutter_.end_stretch(threads_[thread]); }
  bool follows(BlockId id) const { return file_stretches_.model(id).then != EventKind::kNone; }
  static bool wants_more() { return true; }

 private:
  uint32_t own_stretch(uint32_t of_file);

  const StretchIndex& file_stretches_;
  const BlockTable& blocks_;
  std::vector<PathCutter::Path> threads_;
  PathCutter cutter_;
  FlatMap<uint32_t, uint32_t> own_;  // of the file's stretches
};

}  // namespace cdr::trace

#endif
