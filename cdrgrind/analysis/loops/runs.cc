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
template <class Symbol, class Less>
class LyndonPass {
 public:
  LyndonPass(std::span<const Symbol> text, analysis::BigArray<RunFinder::Valley>& valleys, bool runs_to_end,
             uint32_t least_period, analysis::BigArray<Run>& runs)
      : text_(text.data()),
        size_(static_cast<uint32_t>(text.size())),
        runs_to_end_(runs_to_end),
        least_period_(least_period),
        valleys_(valleys),
        runs_(runs) {
    valleys_.clear();
  }

  void advance(uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i)
      if (is_valley(i)) insert(i);
    if (end == size_) finish();
  }

 private:
  static bool less(Symbol a, Symbol b) { return Less()(a, b); }
  bool is_valley(uint32_t i) const {
    return (i == 0 || less(text_[i], text_[i - 1])) && i + 1 < size_ && !less(text_[i + 1], text_[i]);
  }
  uint32_t at(uint32_t valley) const { return valleys_[valley].at; }

  // Valley i pops the greater suffixes from the stack, whose top is the valley before, and goes on top itself.
  void insert(uint32_t i) {
    const auto self = static_cast<uint32_t>(valleys_.size());
    valleys_.push_back({i, kNone, 0, 0});
    uint32_t top = self == 0 ? kNone : self - 1;
    uint32_t common = 0;
    uint32_t on_descent = kNone;
    for (bool known = false; top != kNone;) {
      if (!known) common = common_prefix(top, self, common);
      if (i + common < size_ && less(text_[at(top) + common], text_[i + common])) break;
      RunFinder::Valley& popped = valleys_[top];
      const uint32_t below = popped.link;
      const uint32_t between = popped.parent;
      popped.link = self;
      popped.right = common;
      if (i == 0 || less(text_[popped.at], text_[i - 1]))
        try_pair(top, self, i, common);
      else
        try_descent(top, self, i, on_descent);
      // The suffix below is smaller than top, as i is: they part from top at different symbols, or together.
      known = common != between;
      common = std::min(common, between);
      top = below;
    }
    valleys_[self].link = top;
    valleys_[self].parent = top == kNone ? 0 : common;
  }

  // What is still on the stack: the next smaller suffix is on the descent to the end, or the end.
  void finish() {
    const auto behind = static_cast<uint32_t>(valleys_.size());
    uint32_t on_descent = kNone;
    for (uint32_t top = behind == 0 ? kNone : behind - 1; top != kNone; top = valleys_[top].link)
      try_descent(top, behind, size_, on_descent);
  }

  // The next smaller suffix begins at the first symbol that is no greater among those that go down to `low`. `from`:
  // where to look first, not known at the first time; suffixes that are popped later begin with no greater symbols.
  void try_descent(uint32_t valley, uint32_t next, uint32_t low, uint32_t& from) {
    const Symbol symbol = text_[at(valley)];
    if (from == kNone)
      for (from = low; from >= 2 && less(text_[from - 1], text_[from - 2]);) --from;
    while (from < low && less(symbol, text_[from])) ++from;
    if (!less(symbol, text_[from - 1])) return;  // equal symbols up to a smaller one: no Lyndon word of several
    try_pair(valley, next, from, from < low && text_[from] == symbol ? 1 : 0);
  }

  uint32_t common_prefix(uint32_t top, uint32_t self, uint32_t at_least) {
    const uint32_t i = at(self), other = at(top);
    uint32_t common = at_least;
    if (i + 1 < reach_ && other >= at(copy_)) {
      const uint32_t shift = copy_ - origin_;
      common = valleys_[top - shift].link == self - shift ? valleys_[top - shift].right : valleys_[self - shift].parent;
      if (i + common < reach_) return common;
      common = reach_ - i;
    }
    while (i + common < size_ && text_[other + common] == text_[i + common]) ++common;
    if (i + common >= reach_) {
      reach_ = i + common;
      origin_ = top;
      copy_ = self;
    }
    return common;
  }

  // text[valley, next) is a Lyndon word; `behind` is the first valley that is not left of next.
  void try_pair(uint32_t valley, uint32_t behind, uint32_t next, uint32_t right) {
    const uint32_t i = at(valley);
    const uint32_t period = next - i;
    const uint32_t end = next + right;
    if (period < least_period_ || (end == size_ && !runs_to_end_)) return;
    const uint32_t wanted = right >= period ? 0 : period - right;
    if (wanted > i || !is_leftmost(valley, behind - valley, period)) return;
    uint32_t left = 0;
    while (left < i && text_[i - 1 - left] == text_[next - 1 - left]) ++left;
    if (left >= wanted) runs_.push_back({i - left, end, period});
  }
  // A word before it in the same run would have as many valleys.
  bool is_leftmost(uint32_t valley, uint32_t valleys, uint32_t period) const {
    if (valley < valleys) return true;
    const RunFinder::Valley& before = valleys_[valley - valleys];
    return before.at + period != at(valley) || before.link != valley || before.right < period;
  }

  const Symbol* text_;
  const uint32_t size_;
  const bool runs_to_end_;  // both orders find those: only one tells them
  const uint32_t least_period_;
  analysis::BigArray<RunFinder::Valley>& valleys_;
  analysis::BigArray<Run>& runs_;

  // text[origin, origin + (reach - copy)) equals text[copy, reach), from valley to valley; nothing right of reach has
  // been compared.
  uint32_t origin_ = 0;
  uint32_t copy_ = 0;
  uint32_t reach_ = 0;
};

namespace {

template <class Symbol>
void find_equal_symbols(std::span<const Symbol> text, analysis::BigArray<Run>& runs) {
  const auto size = static_cast<uint32_t>(text.size());
  for (uint32_t begin = 0, end = 0; begin < size; begin = end) {
    while (end < size && text[end] == text[begin]) ++end;
    if (end - begin >= 2) runs.push_back({begin, end, 1});
  }
}

}  // namespace

template <class Symbol, class Less>
void RunFinder::pass(std::span<const Symbol> text, bool first, uint32_t least_period, analysis::BigArray<Run>& runs) {
  LyndonPass<Symbol, Less> one(text, valleys_, first, least_period, runs);
  const auto size = static_cast<uint32_t>(text.size());
  for (uint32_t from = 0; from < size && !stopped_;) {
    const uint32_t to = from + std::min(size - from, kStepsBetweenReports);
    one.advance(from, to);
    from = to;
    if (size <= kStepsBetweenReports) continue;
    if (watch_.progress) watch_.progress("repetitions", (first ? 0 : uint64_t{size}) + to, 2 * uint64_t{size});
    stopped_ = watch_.stopped && watch_.stopped();
  }
}

template <class Symbol>
void RunFinder::find(std::span<const Symbol> text, analysis::BigArray<Run>& runs, uint32_t least_period) {
  if (least_period == 1) find_equal_symbols(text, runs);
  if (text.size() < 2 * size_t{least_period}) return;
  pass<Symbol, std::less<Symbol>>(text, true, least_period, runs);
  pass<Symbol, std::greater<Symbol>>(text, false, least_period, runs);
}

template void RunFinder::find(std::span<const uint8_t>, analysis::BigArray<Run>&, uint32_t);
template void RunFinder::find(std::span<const uint16_t>, analysis::BigArray<Run>&, uint32_t);
template void RunFinder::find(std::span<const uint32_t>, analysis::BigArray<Run>&, uint32_t);

}  // namespace cdr::loops
