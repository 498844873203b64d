// SPDX-License-Identifier: GPL-2.0-or-later
// A set of addresses as ranges, made once and then asked.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_ADDRESS_RANGES_H
#define CDRGRIND_ANALYSIS_RACES_CORE_ADDRESS_RANGES_H

#include <algorithm>
#include <vector>

#include "cdrgrind/analysis/walk/progression.h"
#include "cdrgrind/base/range.h"

namespace cdr::races {

using analysis::Progression;

// What goes on where the last one ends is one with it.
inline void append_range(std::vector<AddrRange>& to, AddrRange r) {
  if (!to.empty() && to.back().end == r.begin)
    to.back().end = r.end;
  else
    to.push_back(r);
}

class AddressRanges {
 public:
  AddressRanges() = default;
  explicit AddressRanges(std::vector<AddrRange> ranges) {
    std::sort(ranges.begin(), ranges.end());
    for (const AddrRange& r : ranges) {
      if (!ranges_.empty() && r.begin <= ranges_.back().end)
        ranges_.back().end = std::max(ranges_.back().end, r.end);
      else if (!r.empty())
        ranges_.push_back(r);
    }
  }

  bool overlaps(AddrRange r) const {
    const auto first = behind(r.begin);
    return first != ranges_.end() && first->begin < r.end;
  }
  // Whether an access of the progression has a byte in here.
  bool meets(const Progression& p) const {
    bool met = false;
    for_each_part(p, [&](uint64_t, uint64_t) { met = true; });
    return met;
  }
  // f(first, end): the accesses [first, end) of the progression have bytes in here, ascending.
  template <class F>
  void for_each_part(const Progression& p, F f) const {
    uint64_t done = 0;  // accesses looked at
    for (auto r = behind(p.base); r != ranges_.end() && r->begin < p.end() && done < p.count; ++r) {
      if (p.count == 1) {
        f(uint64_t{0}, uint64_t{1});
        return;
      }
      uint64_t first = r->begin < p.base + p.width ? 0 : (r->begin - p.base - p.width) / p.stride + 1;
      const uint64_t end = std::min(p.count, (r->end - 1 - p.base) / p.stride + 1);
      first = std::max(first, done);
      if (first >= end) continue;
      f(first, end);
      done = end;
    }
  }

 private:
  // The first that ends behind the address.
  std::vector<AddrRange>::const_iterator behind(uint64_t addr) const {
    return std::partition_point(ranges_.begin(), ranges_.end(), [&](const AddrRange& r) { return r.end <= addr; });
  }
  std::vector<AddrRange> ranges_;  // disjoint, ascending
};

}  // namespace cdr::races

#endif
