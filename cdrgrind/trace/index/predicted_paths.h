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

 private:
  struct ThreadPath {
    PathPredictor::Context context;
    PathCutter::Path path;
    uint32_t string = 0;  // of its first piece, in the grammar
    uint32_t taken = 0;   // pieces of the grammar
    uint64_t ready = 0;   // events of what was taken that no segment has had yet
  };

  bool read_segment(ThreadPath& t, uint64_t events);
  bool take_piece(ThreadPath& t);
  bool predicted(ThreadPath& t, uint64_t& events);
  bool begin_grammar();
  uint32_t own_stretch(uint32_t of_file);

  const StretchIndex& file_stretches_;
  const BlockTable& blocks_;
  PathPieces pieces_;
  uint32_t piece_ = 0;  // how many of the grammar's have begun
  bool predicting_ = false;
  std::vector<ThreadPath> threads_;
  PathCutter cutter_;
  FlatMap<uint32_t, uint32_t> own_;  // of the file's stretches
};

}  // namespace cdr::trace

#endif
