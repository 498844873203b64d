// SPDX-License-Identifier: GPL-2.0-or-later
// What several replays that share the memory among them (line_share.h) have found, put together: what one replay of all
// of it finds. All of them go through all events, so that contexts, sites, loops and their runs are the same in each.
// An access to several lines counts once: what the parts have found of such ones is kept apart, by the access's number,
// and put together access by access.
#ifndef CDRGRIND_ANALYSIS_REGIONS_PARTED_REGIONS_H
#define CDRGRIND_ANALYSIS_REGIONS_PARTED_REGIONS_H

#include <compare>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "cdrgrind/analysis/regions/carried.h"
#include "cdrgrind/analysis/regions/memories.h"
#include "cdrgrind/base/checksum.h"

namespace cdr::regions {

class Replay;

// What a row's dependences are counted by: loop and kind, source, target, as instructions of the loop's function.
struct RowEnds {
  uint64_t loop_and_kind = 0, source = 0;
  bool source_calls = false;
  uint64_t target = 0;
  bool target_calls = false;
  auto operator<=>(const RowEnds&) const = default;
};
struct RowEndsHash {
  uint64_t operator()(const RowEnds& e) const {
    const uint64_t calls = uint64_t{e.source_calls} << 63 | uint64_t{e.target_calls} << 62;
    return mix64((e.loop_and_kind | calls) ^ mix64(e.source ^ mix64(e.target)));
  }
};

// An access to several lines has such a dependence: the nearest of a part's, and the first one's address.
struct CrossingHit {
  uint64_t access = 0;
  uint32_t row = 0;  // number_of()
  uint64_t addr = 0, distance = 0;
};

class PartedRegions {
 public:
  // A number for the row: the same whichever part asks.
  uint32_t number_of(const CarriedRow& row, const RowEnds& ends);
  // One list for each part: all of a stretch of the events.
  void count(std::span<const std::vector<CrossingHit>> parts);
  // All of it; the parts in order, finished. Whatever their number, one too, the same to the byte.
  Regions take(std::span<Replay* const> parts, StaticData& statics);

 private:
  std::vector<CarriedRow> rows_;  // that such accesses have, and what is counted for them; in the end all
  std::vector<uint32_t> ends_;    // by row
  std::map<std::tuple<LoopId, ContextIndex, Kind, SiteIndex, SiteIndex, Object>, uint32_t> numbers_;
  std::map<RowEnds, uint32_t> ends_numbers_;
};

}  // namespace cdr::regions

#endif
