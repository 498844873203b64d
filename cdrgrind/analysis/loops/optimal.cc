// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/loops/optimal.h"

#include "cdrgrind/analysis/loops/runs.h"

namespace cdr::loops {

namespace {

constexpr uint32_t kLeastWithLoops = 3;  // a body is no repetition itself: of two symbols it has no loop

class Builder {
 public:
  Builder(std::span<const uint32_t> text, const OptimalOptions& options, const analysis::Progress& progress)
      : text_(text), finder_(progress), selection_(options.order, options.strict, progress) {}

  LoopNest build() {
    nest_.length = static_cast<uint32_t>(text_.size());
    nest_.top_count = solve(0, nest_.length);
    // The array is the list of what is to be done, too: children are put at its end.
    for (size_t i = 0; i < nest_.loops.size(); ++i) {
      const Loop loop = nest_.loops[i];
      if (loop.period < kLeastWithLoops) continue;
      nest_.loops[i].first_child = static_cast<uint32_t>(nest_.loops.size());
      const uint32_t children = solve(loop.begin, loop.period);
      nest_.loops[i].children = children;
    }
    return std::move(nest_);
  }

 private:
  // Appends the loops of text[begin, begin + size); returns how many.
  uint32_t solve(uint32_t begin, uint32_t size) {
    runs_.clear();
    finder_.find(text_.subspan(begin, size), runs_);
    if (size > RunFinder::kMuchMemory) finder_.release();
    const analysis::BigArray<PickedLoop>& picked = selection_.select(size, runs_);
    for (const PickedLoop& loop : picked) nest_.loops.push_back({begin + loop.begin, loop.period, loop.count, 0, 0});
    return static_cast<uint32_t>(picked.size());
  }

  std::span<const uint32_t> text_;
  LoopNest nest_;
  RunFinder finder_;
  analysis::BigArray<Run> runs_;
  LoopSelection selection_;
};

}  // namespace

LoopNest optimal_nest(std::span<const uint32_t> text, const OptimalOptions& options,
                      const analysis::Progress& progress) {
  return Builder(text, options, progress).build();
}

}  // namespace cdr::loops
