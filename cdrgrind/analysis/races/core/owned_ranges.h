// SPDX-License-Identifier: GPL-2.0-or-later
// Addresses that belong to threads, some of them to several: made once and then asked whether any in a range belongs to
// another one.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_OWNED_RANGES_H
#define CDRGRIND_ANALYSIS_RACES_CORE_OWNED_RANGES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "cdrgrind/base/id.h"
#include "cdrgrind/base/range.h"

namespace cdr::races {

class OwnedRanges {
 public:
  struct Owned {
    AddrRange range;
    ThreadId owner;
  };

  OwnedRanges() = default;
  // They may overlap.
  explicit OwnedRanges(std::vector<Owned> all) {
    std::erase_if(all, [](const Owned& o) { return o.range.empty(); });
    std::sort(all.begin(), all.end(), [](const Owned& a, const Owned& b) { return a.range.begin < b.range.begin; });
    // What owns the addresses from one border to the next: threads, each with the end of its last range.
    std::vector<uint64_t> borders;
    for (const Owned& o : all) borders.insert(borders.end(), {o.range.begin, o.range.end});
    std::sort(borders.begin(), borders.end());
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    std::map<ThreadId, uint64_t> open;
    size_t next = 0;
    for (size_t b = 0; b + 1 < borders.size(); ++b) {
      std::erase_if(open, [&](const auto& o) { return o.second <= borders[b]; });
      for (; next < all.size() && all[next].range.begin == borders[b]; ++next) {
        uint64_t& end = open[all[next].owner];
        end = std::max(end, all[next].range.end);
      }
      if (!open.empty()) append({borders[b], borders[b + 1]}, open.size() == 1 ? open.begin()->first : kSeveral);
    }
  }

  // Whether any of these addresses belongs to a thread besides `t`.
  bool others_in(ThreadId t, AddrRange r) const {
    const auto first =
        std::partition_point(pieces_.begin(), pieces_.end(), [&](const Piece& p) { return p.range.end <= r.begin; });
    if (first == pieces_.end() || first->range.begin >= r.end) return false;
    if (first->owner != t) return true;
    // Those behind it that have the same owner are of its run.
    const auto run = std::upper_bound(runs_.begin(), runs_.end(), static_cast<size_t>(first - pieces_.begin()));
    return run != runs_.end() && pieces_[*run].range.begin < r.end;
  }

 private:
  static constexpr ThreadId kSeveral{~uint32_t{0}};
  struct Piece {
    AddrRange range;
    ThreadId owner;
  };

  void append(AddrRange r, ThreadId owner) {
    if (!pieces_.empty() && pieces_.back().owner == owner && pieces_.back().range.end == r.begin) {
      pieces_.back().range.end = r.end;
      return;
    }
    if (pieces_.empty() || pieces_.back().owner != owner) runs_.push_back(pieces_.size());
    pieces_.push_back({r, owner});
  }

  std::vector<Piece> pieces_;  // disjoint, ascending
  std::vector<size_t> runs_;   // the first piece of each run of pieces that have one owner
};

}  // namespace cdr::races

#endif
