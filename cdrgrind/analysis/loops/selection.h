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
//
// Most runs have short periods, and most of these lie in loops with longer ones. So where the longest body goes first,
// runs of up to kShort symbols are not wanted from the caller, but looked for when their turn comes, period by period,
// where the string is still free: by comparing it with itself, shifted.
#ifndef CDRGRIND_ANALYSIS_LOOPS_SELECTION_H
#define CDRGRIND_ANALYSIS_LOOPS_SELECTION_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/analysis/common/big_array.h"
#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/loops/covered.h"
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
  static constexpr uint32_t kShort = 8;

  explicit LoopSelection(LoopOrder order = LoopOrder::kBody, bool strict = false, const analysis::Watch& watch = {})
      : order_(order), strict_(strict), progress_(watch.progress) {}

  // The least period of runs that select() wants to be given.
  uint32_t least_period() const { return finds_short() ? kShort + 1 : 1; }
  // The loops of a string among `runs`, by position; `runs` is used up. The result stays valid until the next call.
  template <class Symbol>
  const analysis::BigArray<PickedLoop>& select(std::span<const Symbol> text, analysis::BigArray<Run>& runs);
  // The same for all runs, or for those of one period.
  const analysis::BigArray<PickedLoop>& select_of(uint32_t size, analysis::BigArray<Run>& runs);

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
  bool finds_short() const { return order_ == LoopOrder::kBody && !strict_; }
  void begin(uint32_t size);
  const analysis::BigArray<PickedLoop>& end();
  // Goes through the runs, and what waits.
  void pick_among(analysis::BigArray<Run>& runs);
  bool next(const analysis::BigArray<Run>& runs, size_t& at, Candidate& candidate);
  void offer(Candidate candidate);
  void clip(Candidate& candidate) const;
  PickedLoop loop_of(const Candidate& candidate) const;
  void pick(const PickedLoop& loop);

  template <class Symbol>
  void find_short(std::span<const Symbol> text, uint32_t period, analysis::BigArray<Run>& runs) const;

  LoopOrder order_;
  bool strict_;
  analysis::Progress progress_;
  uint32_t size_ = 0;
  Covered covered_;  // by loops that were picked
  analysis::BigArray<PickedLoop> picked_;
  std::vector<Candidate> waiting_;  // a heap
};

}  // namespace cdr::loops

#endif
