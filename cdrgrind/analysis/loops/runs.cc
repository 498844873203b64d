// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/loops/runs.h"

#include <algorithm>
#include <functional>

namespace cdr::loops {

namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr uint32_t kStepsBetweenReports = 1 << 22;

}  // namespace

// One order of the symbols.
template <class Less>
class LyndonPass {
 public:
  LyndonPass(std::span<const uint32_t> text, RunFinder& finder, bool runs_to_end, analysis::BigArray<Run>& runs)
      : text_(text.data()),
        size_(static_cast<uint32_t>(text.size())),
        runs_to_end_(runs_to_end),
        link_(finder.link_.data()),
        right_(finder.right_.data()),
        parent_(finder.parent_.data()),
        runs_(runs) {
    link_[0] = kNone;
    parent_[0] = 0;
  }

  void advance(uint32_t begin, uint32_t end) {
    for (uint32_t i = std::max(begin, 1u); i < end; ++i) insert(i);
  }

 private:
  // Suffix i pops the greater suffixes from the stack, whose top is i - 1, and goes on top itself.
  void insert(uint32_t i) {
    uint32_t top = i - 1;
    uint32_t common = 0;
    for (bool known = false; top != kNone;) {
      if (!known) common = common_prefix(top, i, common);
      if (i + common < size_ && Less()(text_[top + common], text_[i + common])) break;
      const uint32_t below = link_[top];
      const uint32_t between = parent_[top];
      link_[top] = i;
      right_[top] = common;
      try_pair(top, i, common);
      // The suffix below is smaller than top, as i is: they part from top at different symbols, or together.
      known = common != between;
      common = std::min(common, between);
      top = below;
    }
    link_[i] = top;
    parent_[i] = top == kNone ? 0 : common;
  }

  uint32_t common_prefix(uint32_t top, uint32_t i, uint32_t at_least) {
    uint32_t common = at_least;
    if (i < reach_ && top >= copy_) {
      const uint32_t shift = copy_ - origin_;
      common = link_[top - shift] == i - shift ? right_[top - shift] : parent_[i - shift];
      if (i + common < reach_) return common;
      common = reach_ - i;
    }
    while (i + common < size_ && text_[top + common] == text_[i + common]) ++common;
    if (i + common >= reach_) {
      reach_ = i + common;
      origin_ = top;
      copy_ = i;
    }
    return common;
  }

  void try_pair(uint32_t i, uint32_t next, uint32_t right) {
    const uint32_t period = next - i;
    const uint32_t end = next + right;
    if (end == size_ && !runs_to_end_) return;
    const bool leftmost = i < period || link_[i - period] != i || right_[i - period] < period;
    const uint32_t wanted = right >= period ? 0 : period - right;
    if (!leftmost || wanted > i) return;
    uint32_t left = 0;
    while (left < i && text_[i - 1 - left] == text_[next - 1 - left]) ++left;
    if (left >= wanted) runs_.push_back({i - left, end, period});
  }

  const uint32_t* text_;
  const uint32_t size_;
  const bool runs_to_end_;  // both orders find those: only one tells them
  uint32_t* const link_;
  uint32_t* const right_;
  uint32_t* const parent_;
  analysis::BigArray<Run>& runs_;

  // text[origin, origin + (reach - copy)) equals text[copy, reach); nothing right of reach has been compared.
  uint32_t origin_ = 0;
  uint32_t copy_ = 0;
  uint32_t reach_ = 0;
};

namespace {

template <class Less>
void pass(std::span<const uint32_t> text, RunFinder& finder, bool first, const analysis::Progress& progress,
          analysis::BigArray<Run>& runs) {
  LyndonPass<Less> one(text, finder, first, runs);
  const auto size = static_cast<uint32_t>(text.size());
  for (uint32_t from = 0; from < size;) {
    const uint32_t to = from + std::min(size - from, kStepsBetweenReports);
    one.advance(from, to);
    from = to;
    if (progress && size > kStepsBetweenReports)
      progress("repetitions", (first ? 0 : uint64_t{size}) + to, 2 * uint64_t{size});
  }
}

}  // namespace

void RunFinder::find(std::span<const uint32_t> text, analysis::BigArray<Run>& runs) {
  if (text.size() < 2) return;
  link_.resize(text.size());
  right_.resize(text.size());
  parent_.resize(text.size());
  pass<std::less<uint32_t>>(text, *this, true, progress_, runs);
  pass<std::greater<uint32_t>>(text, *this, false, progress_, runs);
}

void RunFinder::release() {
  link_.release();
  right_.release();
  parent_.release();
}

}  // namespace cdr::loops
