// SPDX-License-Identifier: GPL-2.0-or-later
// Which runs of a string become its loops, none inside another: again and again the best candidate among what is
// still free (Xu and Subhlok 2008, section 3.3).
//
// A candidate is a run clipped to a free piece, if two whole periods remain; the loop begins where the clipped
// run does. Strict: a candidate is a PM-triple, which is a run less 0 to period - 1 symbols at its front, and
// falls out as soon as it meets a picked loop.
//
// Why one look at a run's ends is enough: two runs of different periods p and q share less than p + q symbols. A
// loop that is picked before a run has a longer body or spans as much, so it is too long to lie inside that run: it
// covers an end of it, or all. So a run has one candidate at a time. The runs are sorted once by what they are
// worth whole; one that turns out to be clipped and worth less waits in a heap, which holds few.
#ifndef CDRGRIND_ANALYSIS_LOOPS_SELECTION_H
#define CDRGRIND_ANALYSIS_LOOPS_SELECTION_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/common/big_array.h"
#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/loops/runs.h"

namespace cdr::loops {

enum class LoopOrder {
  kBody,  // longest body, most iterations, leftmost
  kSpan,  // greatest body length times iterations, longest body, leftmost
};

struct PickedLoop {
  uint32_t begin = 0;
  uint32_t period = 0;
  uint32_t count = 0;
};

// Its memory is kept for the next string. Not thread-safe.
class LoopSelection {
 public:
  explicit LoopSelection(LoopOrder order = LoopOrder::kBody, bool strict = false, analysis::Progress progress = {})
      : order_(order), strict_(strict), progress_(std::move(progress)) {}

  // The loops of a string of `size` symbols among `runs`, by position; `runs` is sorted on the way.
  // The result stays valid until the next call.
  const analysis::BigArray<PickedLoop>& select(uint32_t size, analysis::BigArray<Run>& runs);

 private:
  // A run, the part of it that is still free, and what that is worth.
  struct Candidate {
    Run run;
    uint32_t from = 0;
    uint32_t to = 0;
    PickedLoop loop;  // count 0: nothing
  };
  static Candidate whole(const Run& run);

  // No other two loops compare equal.
  bool better(const PickedLoop& a, const PickedLoop& b) const;
  bool next(const analysis::BigArray<Run>& runs, size_t& at, Candidate& candidate);
  void sort(uint32_t size, analysis::BigArray<Run>& runs);
  void offer(Candidate candidate);
  void clip(Candidate& candidate) const;
  PickedLoop loop_of(const Candidate& candidate) const;
  void pick(const PickedLoop& loop);
  void put_in_order(uint32_t size);

  LoopOrder order_;
  bool strict_;
  analysis::Progress progress_;
  analysis::BigArray<uint32_t> owner_;  // by position: 1 + index of the picked loop there, or 0
  analysis::BigArray<PickedLoop> picked_;
  analysis::BigArray<PickedLoop> result_;
  std::vector<Candidate> waiting_;  // a heap
  analysis::BigArray<Run> spare_;   // sorting needs two
};

}  // namespace cdr::loops

#endif
