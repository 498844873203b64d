// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/access_set.h"

#include <algorithm>
#include <tuple>

namespace cdr::analysis {

namespace {

constexpr uint64_t kMostSorted = 65536;  // addresses

bool same_addresses(const Progression& a, const Progression& b) {
  return a.base == b.base && a.stride == b.stride && a.count == b.count && a.width == b.width;
}

void count_equal(std::vector<Progression>& sorted) {
  size_t out = 0;
  for (const Progression& p : sorted) {
    if (out && same_addresses(sorted[out - 1], p))
      sorted[out - 1].times = saturating_add(sorted[out - 1].times, p.times);
    else
      sorted[out++] = p;
  }
  sorted.resize(out);
}

uint64_t addresses_in(const std::vector<Progression>& runs) {
  uint64_t n = 0;
  for (const Progression& p : runs) n = saturating_add(n, p.count);
  return n;
}

// Single addresses, sorted, without equal ones, as progressions of equal `times`.
std::vector<Progression> joined(const std::vector<Progression>& singles) {
  std::vector<Progression> out;
  for (const Progression& p : singles) {
    if (!out.empty()) {
      Progression& last = out.back();
      const bool fits = last.times == p.times && last.width == p.width;
      if (fits && last.count == 1) {
        last.stride = p.base - last.base;
        last.count = 2;
        continue;
      }
      if (fits && p.base == last.base + last.stride * last.count) {
        ++last.count;
        continue;
      }
      // 0 100 108 116: the first does not belong to what follows.
      if (fits && last.count == 2 && p.base - last.last() < last.stride) {
        const Progression first{last.base, 0, 1, last.width, last.times};
        last = {last.last(), p.base - last.last(), 2, p.width, p.times};
        out.insert(out.end() - 1, first);
        continue;
      }
    }
    out.push_back({p.base, 0, 1, p.width, p.times});
  }
  return out;
}

}  // namespace

std::vector<Progression> folded(std::vector<Progression> runs) {
  if (runs.size() == 1) return runs;
  if (addresses_in(runs) <= kMostSorted) {
    std::vector<Progression> singles;
    for (const Progression& p : runs)
      for (uint64_t i = 0; i < p.count; ++i) singles.push_back({p.at(i), 0, 1, p.width, p.times});
    std::sort(singles.begin(), singles.end());
    count_equal(singles);
    return joined(singles);
  }
  std::sort(runs.begin(), runs.end());
  count_equal(runs);
  return runs;
}

void Folder::begin_run(uint64_t addr, uint64_t width) {
  if (count_ != 0) runs_.push_back(run_);
  run_ = {addr, 0, 1, width, 1};
  ++count_;
  if (runs_.size() >= compact_at_) compact();
}

void Folder::compact() {
  std::sort(runs_.begin(), runs_.end());
  count_equal(runs_);
  compact_at_ = std::max<size_t>(65536, 2 * runs_.size());
}

std::vector<Progression> Folder::take() {
  if (count_ != 0) runs_.push_back(run_);
  count_ = 0;
  std::vector<Progression> out = folded(std::move(runs_));
  runs_.clear();
  run_ = {};
  return out;
}

void merge_equal(std::vector<AccessEntry>& entries) {
  const auto key = [](const AccessEntry& e) {
    return std::tuple(e.stream, e.at.base, e.at.stride, e.at.count, e.at.width, e.segment);
  };
  std::sort(entries.begin(), entries.end(),
            [&](const AccessEntry& a, const AccessEntry& b) { return key(a) < key(b); });
  size_t out = 0;
  for (const AccessEntry& e : entries) {
    AccessEntry* last = out ? &entries[out - 1] : nullptr;
    if (last && last->stream == e.stream && same_addresses(last->at, e.at))
      last->at.times = saturating_add(last->at.times, e.at.times);
    else
      entries[out++] = e;
  }
  entries.resize(out);
}

}  // namespace cdr::analysis
