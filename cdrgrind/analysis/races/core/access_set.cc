// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/access_set.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace cdr::races {

using analysis::saturating_add;

namespace {

constexpr uint64_t kMostSorted = uint64_t{1} << 24;  // addresses

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

// Makes progressions of addresses that come in order, no address twice, and of runs of such.
class Joiner {
 public:
  void add(const Progression& p) {
    uint64_t i = 0;
    for (; i < p.count && !continues(p, i); ++i) add_single(p.at(i), p.width, p.times);
    if (i < p.count) out_.back().count += p.count - i;
  }
  void add_as_they_are(std::span<const Progression> runs) { out_.insert(out_.end(), runs.begin(), runs.end()); }
  std::vector<Progression> take() { return std::move(out_); }

 private:
  // The accesses from i on go on as the last progression does.
  bool continues(const Progression& p, uint64_t i) const {
    if (i == 0 || out_.empty()) return false;
    const Progression& last = out_.back();
    return last.count > 1 && last.stride == p.stride && last.last() == p.at(i - 1) && last.times == p.times &&
           last.width == p.width;
  }
  void add_single(uint64_t base, uint64_t width, uint64_t times) {
    if (!out_.empty()) {
      Progression& last = out_.back();
      const bool fits = last.times == times && last.width == width;
      if (fits && last.count == 1) {
        last.stride = base - last.base;
        last.count = 2;
        return;
      }
      if (fits && base == last.base + last.stride * last.count) {
        ++last.count;
        return;
      }
      // 0 100 108 116: the first does not belong to what follows.
      if (fits && last.count == 2 && base - last.last() < last.stride) {
        const Progression first{last.base, 0, 1, last.width, last.times};
        last = {last.last(), base - last.last(), 2, width, times};
        out_.insert(out_.end() - 1, first);
        return;
      }
    }
    out_.push_back({base, 0, 1, width, times});
  }
  std::vector<Progression> out_;
};

// Runs that lie between one another, sorted by base.
void join_cluster(std::span<const Progression> runs, Joiner& joiner) {
  uint64_t addresses = 0;
  for (const Progression& p : runs) addresses = saturating_add(addresses, p.count);
  if (runs.size() == 1) return joiner.add(runs[0]);
  if (addresses > kMostSorted) return joiner.add_as_they_are(runs);
  std::vector<Progression> singles;
  singles.reserve(addresses);
  for (const Progression& p : runs)
    for (uint64_t i = 0; i < p.count; ++i) singles.push_back({p.at(i), 0, 1, p.width, p.times});
  std::sort(singles.begin(), singles.end());
  count_equal(singles);
  for (const Progression& p : singles) joiner.add(p);
}

}  // namespace

std::vector<Progression> folded(std::vector<Progression> runs) {
  if (runs.size() == 1) return runs;
  std::sort(runs.begin(), runs.end());
  count_equal(runs);
  Joiner joiner;
  for (size_t i = 0; i < runs.size();) {
    uint64_t last = runs[i].last();
    size_t end = i + 1;
    for (; end < runs.size() && runs[end].base <= last; ++end) last = std::max(last, runs[end].last());
    join_cluster(std::span(runs).subspan(i, end - i), joiner);
    i = end;
  }
  return joiner.take();
}

void Folder::begin_run(uint64_t addr, uint64_t width) {
  if (count_ != 0 && run_.width != 0) runs_.push_back(run_);
  folded_ = false;
  run_ = {addr, 0, 1, width, 1};
  ++count_;
  if (runs_.size() >= compact_at_) compact();
}

void Folder::compact() {
  std::sort(runs_.begin(), runs_.end());
  count_equal(runs_);
  compact_at_ = std::max<size_t>(65536, 2 * runs_.size());
}

void Folder::add_folded(std::span<const Progression> runs) {
  if (count_ != 0 && run_.width != 0) runs_.push_back(run_);
  folded_ = runs_.empty();
  runs_.insert(runs_.end(), runs.begin(), runs.end());
  run_ = {0, 0, 1, 0, 1};  // nothing continues it
  ++count_;
  if (!folded_ && runs_.size() >= compact_at_) compact();
}

std::vector<Progression> Folder::take() {
  if (count_ != 0 && run_.width != 0) runs_.push_back(run_);
  count_ = 0;
  std::vector<Progression> out = folded_ ? std::move(runs_) : folded(std::move(runs_));
  folded_ = false;
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

}  // namespace cdr::races
