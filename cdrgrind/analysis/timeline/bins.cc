// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/timeline/bins.h"

#include <algorithm>

namespace cdr::timeline {

void Bins::make_room(uint64_t at) {
  while (width_.is_beyond(at)) {
    for (size_t i = 0; i < sums_.size(); ++i) {
      const uint64_t sum = sums_[i];
      if (i % 2 == 0)
        sums_[i / 2] = sum;
      else
        sums_[i / 2] += sum;
    }
    sums_.resize((sums_.size() + 1) / 2);
    width_.double_it();
  }
  if (width_.bin_of(at) >= sums_.size()) sums_.resize(width_.bin_of(at) + 1);
}

void Bins::add(uint64_t begin, uint64_t end) {
  if (begin >= end) return;
  make_room(end - 1);
  for (size_t bin = width_.bin_of(begin); begin < end; ++bin) {
    const uint64_t to = std::min(end, (bin + 1) * width_.value());
    sums_[bin] += to - begin;
    begin = to;
  }
}

void Bins::add_point(uint64_t at) {
  make_room(at);
  ++sums_[width_.bin_of(at)];
}

std::vector<uint64_t> Bins::in(uint64_t width) const {
  std::vector<uint64_t> wider;
  for (size_t i = 0; i < sums_.size(); ++i) {
    const size_t to = i * width_.value() / width;
    if (to >= wider.size()) wider.resize(to + 1);
    wider[to] += sums_[i];
  }
  return wider;
}

void SparseBins::finish() {
  if (touched_.empty()) return;
  const size_t bin = width_.bin_of(begin_);
  if (bin >= bins_.size()) bins_.resize(bin + 1);
  for (const uint32_t thing : touched_) {
    bins_[bin][thing] += now_[thing];
    now_[thing] = 0;
  }
  touched_.clear();
}

void SparseBins::next_bin(uint64_t at) {
  finish();
  while (width_.is_beyond(at)) {
    for (size_t i = 1; i < bins_.size(); ++i) {
      auto& to = bins_[i / 2];
      if (i % 2 == 0)
        to = std::move(bins_[i]);
      else
        for (const auto& [thing, times] : bins_[i]) to[thing] += times;
    }
    bins_.resize((bins_.size() + 1) / 2);
    width_.double_it();
  }
  begin_ = width_.bin_of(at) * width_.value();
  end_ = begin_ + width_.value();
}

}  // namespace cdr::timeline
