// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/loops/selection.h"

#include <algorithm>
#include <utility>

namespace cdr::loops {

namespace {

// Few runs for the length of the string: counting would cost more than comparing.
constexpr size_t kSparse = 16;
constexpr size_t kRunsBetweenReports = 1 << 22;
constexpr size_t kMuchMemory = 1 << 20;  // elements

uint32_t whole_periods(const Run& run) { return (run.end - run.begin) / run.period; }
uint64_t span_of(const PickedLoop& loop) { return uint64_t{loop.period} * loop.count; }

// Stable. Keys are at most `greatest`; the result is in `to`.
template <class Key>
void counting_sort(const analysis::BigArray<Run>& from, uint32_t greatest, analysis::BigArray<uint32_t>& places,
                   analysis::BigArray<Run>& to, Key key) {
  places.resize(size_t{greatest} + 2);
  std::fill(places.begin(), places.end(), 0);
  for (const Run& run : from) ++places[key(run) + 1];
  for (size_t i = 1; i < places.size(); ++i) places[i] += places[i - 1];
  to.resize(from.size());
  for (const Run& run : from) to[places[key(run)]++] = run;
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

const analysis::BigArray<PickedLoop>& LoopSelection::select(uint32_t size, analysis::BigArray<Run>& runs) {
  picked_.clear();
  result_.clear();
  if (runs.empty()) return result_;
  sort(size, runs);
  owner_.resize(size);
  std::fill(owner_.begin(), owner_.end(), 0);
  size_t at = 0;
  for (Candidate candidate; next(runs, at, candidate);) offer(candidate);
  put_in_order(size);
  return result_;
}

void LoopSelection::sort(uint32_t size, analysis::BigArray<Run>& runs) {
  if (runs.size() < size / kSparse || runs.size() < kSparse) {
    std::sort(runs.begin(), runs.end(),
              [this](const Run& a, const Run& b) { return better(whole(a).loop, whole(b).loop); });
    return;
  }
  // The least of the three keys first. Equal begin and period do not occur.
  const auto period_key = [size](const Run& run) { return size - run.period; };
  counting_sort(runs, size, owner_, spare_, [](const Run& run) { return run.begin; });
  if (order_ == LoopOrder::kBody) {
    counting_sort(spare_, size, owner_, runs, [size](const Run& run) { return size - whole_periods(run); });
    counting_sort(runs, size, owner_, spare_, period_key);
  } else {
    counting_sort(spare_, size, owner_, runs, period_key);
    counting_sort(runs, size, owner_, spare_, [size](const Run& r) { return size - r.period * whole_periods(r); });
  }
  runs.swap(spare_);
  if (spare_.size() > kMuchMemory) spare_.release();
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
  while (candidate.from < candidate.to && owner_[candidate.from] != 0) {
    const PickedLoop& loop = picked_[owner_[candidate.from] - 1];
    candidate.from = loop.begin + loop.period * loop.count;
  }
  while (candidate.from < candidate.to && owner_[candidate.to - 1] != 0)
    candidate.to = picked_[owner_[candidate.to - 1] - 1].begin;
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
  const auto begin = owner_.begin() + loop.begin;
  std::fill(begin, begin + loop.period * loop.count, static_cast<uint32_t>(picked_.size()));
}

void LoopSelection::put_in_order(uint32_t size) {
  for (uint32_t at = 0; at < size;) {
    if (owner_[at] == 0) {
      ++at;
      continue;
    }
    const PickedLoop& loop = picked_[owner_[at] - 1];
    result_.push_back(loop);
    at = loop.begin + loop.period * loop.count;
  }
}

}  // namespace cdr::loops
