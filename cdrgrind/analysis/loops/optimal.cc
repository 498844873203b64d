// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/loops/optimal.h"

#include "cdrgrind/analysis/loops/runs.h"

namespace cdr::loops {

namespace {

constexpr uint32_t kLeastWithLoops = 3;  // a body is no repetition itself: of two symbols it has no loop

template <class Symbol>
class Builder {
 public:
  Builder(std::span<const Symbol> text, const OptimalOptions& options, const analysis::Watch& watch)
      : text_(text),
        finder_(watch),
        selection_(options.order, options.strict, watch),
        bodies_(watch, "bodies", 0, kBodiesBetween) {}

  LoopNest build() {
    nest_.length = static_cast<uint32_t>(text_.size());
    nest_.top_count = solve(0, nest_.length);
    // The array is the list of what is to be done, too: children are put at its end.
    for (size_t i = 0; i < nest_.loops.size() && !finder_.stopped() && bodies_.goes_on(i); ++i) {
      const Loop loop = nest_.loops[i];
      if (loop.period < kLeastWithLoops) continue;
      nest_.loops[i].first_child = static_cast<uint32_t>(nest_.loops.size());
      const uint32_t children = solve(loop.begin, loop.period);
      nest_.loops[i].children = children;
    }
    nest_.complete = !finder_.stopped() && !bodies_.ended();
    return std::move(nest_);
  }

 private:
  static constexpr uint32_t kBodiesBetween = 1 << 14;

  // Appends the loops of text[begin, begin + size); returns how many.
  uint32_t solve(uint32_t begin, uint32_t size) {
    const auto body = text_.subspan(begin, size);
    runs_.clear();
    finder_.find(body, runs_, selection_.least_period());
    if (size > RunFinder::kMuchMemory) finder_.release();
    const analysis::BigArray<PickedLoop>& picked = selection_.select(body, runs_);
    for (const PickedLoop& loop : picked) nest_.loops.push_back({begin + loop.begin, loop.period, loop.count, 0, 0});
    if (size > RunFinder::kMuchMemory) runs_.release();
    return static_cast<uint32_t>(picked.size());
  }

  std::span<const Symbol> text_;
  LoopNest nest_;
  RunFinder finder_;
  analysis::BigArray<Run> runs_;
  LoopSelection selection_;
  analysis::WatchedPart bodies_;
};

}  // namespace

LoopNest optimal_nest(std::span<const uint32_t> text, const OptimalOptions& options, const analysis::Watch& watch) {
  return Builder<uint32_t>(text, options, watch).build();
}

LoopNest optimal_nest(const analysis::SymbolArray& text, const OptimalOptions& options, const analysis::Watch& watch) {
  return text.visit(
      [&](auto symbols) { return Builder<typename decltype(symbols)::value_type>(symbols, options, watch).build(); });
}

}  // namespace cdr::loops
