// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/carried.h"

namespace cdr::regions {

std::array<uint64_t, Distances::kBuckets> Distances::counts() const {
  std::array<uint64_t, kBuckets> all{};
  if (counts_.empty())
    all[bucket_] = alone_;
  else
    std::copy(counts_.begin(), counts_.end(), all.begin());
  return all;
}

void Distances::spread() {
  counts_.resize(kBuckets);
  counts_[bucket_] = alone_;
}

}  // namespace cdr::regions
