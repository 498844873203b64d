// SPDX-License-Identifier: GPL-2.0-or-later
// An epoch whose paths were predicted, as a part (path_part.h): there is no grammar to descend in, so it is read from
// its beginning, once for its hashes, and once for what lies around a mark that is asked for, which is kept.
#ifndef CDRGRIND_ANALYSIS_DIFF_PREDICTED_PART_H
#define CDRGRIND_ANALYSIS_DIFF_PREDICTED_PART_H

#include "cdrgrind/analysis/diff/path_part.h"
#include "cdrgrind/analysis/diff/stretch_hashes.h"
#include "cdrgrind/trace/index/turn_index.h"
#include "cdrgrind/trace/read/columns.h"

namespace cdr::diff {

class PredictedPart final : public PathPart {
 public:
  // `control`: the columns of the epoch's CONTROL frame. Throws TraceError.
  PredictedPart(const trace::TraceFile& file, const trace::StretchIndex& stretches, const BlockMarks& marks,
                size_t number, trace::Columns control, MarksBefore before);

  std::vector<uint32_t> threads() const override { return threads_; }
  PathHash total(ThreadId thread) const override;
  MarkPlace find(ThreadId thread, uint64_t n) const override;
  void count(std::vector<uint64_t>& by_block) const override;
  std::vector<PathHash> checkpoints(ThreadId thread) const override;

 private:
  struct Path {
    PathHash until;
    uint64_t to_checkpoint = 0;  // marks; 0: none are kept
    std::vector<PathHash> checkpoints;
  };
  struct Sums {
    std::vector<Path> paths;  // by thread
    std::vector<uint64_t> executed;
  };
  struct Step {
    PathHash before;
    BlockId block;
  };
  class Totals;
  class Window;
  // Index of a thread; threads_.size(): it is not there.
  size_t index_of(ThreadId thread) const;
  const Sums& sums() const;
  template <class Sink>
  void walk(Sink& sink) const;

  const trace::TraceFile& file_;
  const trace::StretchIndex& stretches_;
  const BlockMarks& marks_;
  const size_t number_;
  trace::Columns control_;
  trace::TurnIndex turns_;
  std::vector<uint32_t> threads_;
  MarksBefore before_;
  StretchHashes hashes_;
  mutable std::optional<Sums> sums_;  // when they are asked for
  // What was asked for last, and what lies around it.
  mutable ThreadId window_thread_;
  mutable std::vector<Step> window_;
};

}  // namespace cdr::diff

#endif
