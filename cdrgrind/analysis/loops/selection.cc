// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/loops/selection.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cdr::loops {

namespace {

constexpr size_t kRunsBetweenReports = 1 << 22;

uint32_t whole_periods(const Run& run) { return (run.end - run.begin) / run.period; }
uint64_t span_of(const PickedLoop& loop) { return uint64_t{loop.period} * loop.count; }

constexpr uint32_t kAtOnce = 64;

// Whether the next kAtOnce symbols are those a period later.
template <class Symbol>
bool same(std::span<const Symbol> text, uint32_t begin, uint32_t period) {
  return std::memcmp(&text[begin], &text[begin + period], kAtOnce * sizeof(Symbol)) == 0;
}

// Whether text[begin, begin + period) is a shorter word several times.
template <class Symbol>
bool is_power(std::span<const Symbol> text, uint32_t begin, uint32_t period) {
  for (uint32_t shorter = 1; shorter <= period / 2; ++shorter) {
    if (period % shorter != 0) continue;
    const auto word = text.subspan(begin, period - shorter);
    if (std::ranges::equal(word, text.subspan(begin + shorter, period - shorter))) return true;
  }
  return false;
}

}  // namespace

LoopSelection::Candidate LoopSelection::whole(const Run& run) {
  return {run, run.begin, run.end, {run.begin, run.period, whole_periods(run)}};
}

bool LoopSelection::better(const PickedLoop& a, const PickedLoop& b) const {
  if (order_ == LoopOrder::kSpan && span_of(a) != span_of(b)) return span_of(a) > span_of(b);
  if (a.period != b.period) return a.period > b.period;
  return a.count != b.count ? a.count > b.count : a.begin < b.begin;
}

template <class Symbol>
const analysis::BigArray<PickedLoop>& LoopSelection::select(std::span<const Symbol> text,
                                                            analysis::BigArray<Run>& runs) {
  const auto size = static_cast<uint32_t>(text.size());
  begin(size);
  pick_among(runs);
  for (uint32_t period = finds_short() ? std::min(kShort, size / 2) : 0; period > 0; --period) {
    runs.clear();
    find_short(text, period, runs);
    pick_among(runs);
  }
  return end();
}

template const analysis::BigArray<PickedLoop>& LoopSelection::select(std::span<const uint8_t>,
                                                                     analysis::BigArray<Run>&);
template const analysis::BigArray<PickedLoop>& LoopSelection::select(std::span<const uint16_t>,
                                                                     analysis::BigArray<Run>&);
template const analysis::BigArray<PickedLoop>& LoopSelection::select(std::span<const uint32_t>,
                                                                     analysis::BigArray<Run>&);

const analysis::BigArray<PickedLoop>& LoopSelection::select_of(uint32_t size, analysis::BigArray<Run>& runs) {
  begin(size);
  pick_among(runs);
  return end();
}

void LoopSelection::begin(uint32_t size) {
  picked_.clear();
  covered_.clear(size);
  size_ = size;
}

const analysis::BigArray<PickedLoop>& LoopSelection::end() {
  std::sort(picked_.begin(), picked_.end(), [](const PickedLoop& a, const PickedLoop& b) { return a.begin < b.begin; });
  return picked_;
}

void LoopSelection::pick_among(analysis::BigArray<Run>& runs) {
  std::sort(runs.begin(), runs.end(),
            [this](const Run& a, const Run& b) { return better(whole(a).loop, whole(b).loop); });
  size_t at = 0;
  for (Candidate candidate; next(runs, at, candidate);) offer(candidate);
}

// The runs of this period, each as far as it is still free.
template <class Symbol>
void LoopSelection::find_short(std::span<const Symbol> text, uint32_t period, analysis::BigArray<Run>& runs) const {
  for (uint32_t begin = covered_.next_free(0, size_); begin < size_;) {
    const uint32_t end = covered_.next_covered(begin, size_);
    for (uint32_t at = begin, equal = 0; at + period <= end; ++at) {
      if (at + period < end && text[at] == text[at + period]) {
        ++equal;
        while (equal >= kAtOnce && at + period + kAtOnce < end && same(text, at + 1, period))
          equal += kAtOnce, at += kAtOnce;
        continue;
      }
      if (equal >= period && !is_power(text, at - equal, period)) runs.push_back({at - equal, at + period, period});
      equal = 0;
    }
    begin = covered_.next_free(end, size_);
  }
}

// The best of what is left, of the sorted runs from `at` on and of those that wait.
bool LoopSelection::next(const analysis::BigArray<Run>& runs, size_t& at, Candidate& candidate) {
  const auto worse = [this](const Candidate& a, const Candidate& b) { return better(b.loop, a.loop); };
  if (at < runs.size()) {
    candidate = whole(runs[at]);
    if (waiting_.empty() || better(candidate.loop, waiting_.front().loop)) {
      if (++at % kRunsBetweenReports == 0 && progress_) progress_("selection", at, runs.size());
      return true;
    }
  }
  if (waiting_.empty()) return false;
  candidate = waiting_.front();
  std::pop_heap(waiting_.begin(), waiting_.end(), worse);
  waiting_.pop_back();
  return true;
}

// Picks the loop if the candidate is still worth what it was; else it waits for its turn, or is gone.
void LoopSelection::offer(Candidate candidate) {
  clip(candidate);
  const PickedLoop now = loop_of(candidate);
  if (now.count == 0) return;
  if (now.begin == candidate.loop.begin && now.count == candidate.loop.count) return pick(now);
  candidate.loop = now;
  waiting_.push_back(candidate);
  std::push_heap(waiting_.begin(), waiting_.end(),
                 [this](const Candidate& a, const Candidate& b) { return better(b.loop, a.loop); });
}

void LoopSelection::clip(Candidate& candidate) const {
  candidate.from = covered_.next_free(candidate.from, candidate.to);
  candidate.to = covered_.last_free(candidate.from, candidate.to);
}

PickedLoop LoopSelection::loop_of(const Candidate& candidate) const {
  const uint32_t period = candidate.run.period;
  if (candidate.to < candidate.from || candidate.to - candidate.from < 2 * period) return {};
  if (!strict_) return {candidate.from, period, (candidate.to - candidate.from) / period};
  // PM-triples begin in the run's first period: those not behind the last whole iteration's slack have all
  // iterations, the others one less.
  const uint32_t most = whole_periods(candidate.run);
  const uint32_t slack = (candidate.run.end - candidate.run.begin) % period;
  const uint32_t first[2] = {candidate.run.begin, candidate.run.begin + slack + 1};
  const uint32_t last[2] = {candidate.run.begin + slack, candidate.run.begin + period - 1};
  for (uint32_t less = 0; less < 2 && most - less >= 2; ++less) {
    const uint32_t begin = std::max(first[less], candidate.from);
    const uint64_t end = begin + uint64_t{period} * (most - less);
    if (begin <= last[less] && end <= candidate.to) return {begin, period, most - less};
  }
  return {};
}

void LoopSelection::pick(const PickedLoop& loop) {
  picked_.push_back(loop);
  covered_.cover(loop.begin, loop.begin + loop.period * loop.count);
}

}  // namespace cdr::loops
