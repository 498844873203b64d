// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/readers.h"

#include <algorithm>
#include <map>
#include <utility>

#include "cdrgrind/analysis/regions/shadow.h"
#include "tests/unit/properties.h"

namespace cdr::regions {
namespace {

using Reads = std::vector<std::pair<uint32_t, uint64_t>>;  // site, time

Reads reads_of(const Readers& readers, const Cell& c) {
  Reads reads;
  readers.for_all(c, [&](uint32_t site, uint64_t time) { reads.emplace_back(site, time); });
  std::sort(reads.begin(), reads.end());
  return reads;
}

// The regions that are open, by when they began; the first before everything.
struct OpenRegions {
  std::vector<uint64_t> starts = {1};
  uint64_t start_of(uint64_t time) const { return *(std::upper_bound(starts.begin(), starts.end(), time) - 1); }
};

// As readers.h says, with a list.
void add_to(Reads& reads, uint32_t site, uint64_t time, const OpenRegions& regions) {
  uint64_t last = 0;
  for (const auto& [s, t] : reads)
    if (s == site) last = std::max(last, t);
  if (last >= regions.starts.back() && last) return;
  if (last) {
    const uint64_t start = regions.start_of(last);
    std::erase_if(reads, [&](const auto& r) { return r.first == site && r.second >= start && r.second != last; });
  }
  reads.emplace_back(site, time);
  std::sort(reads.begin(), reads.end());
}

TEST_CASE("a byte's readers are those that a list of them would have, whatever was stored, cleared and split before") {
  const auto holds = [] {
    Shadow shadow;
    std::map<uint64_t, Reads> bytes;
    OpenRegions regions;
    const auto sites = *rc::gen::element<uint32_t>(2, 5, 30, 200);
    const auto steps = *rc::gen::inRange<uint64_t>(1, 900);
    for (uint64_t time = 2; time <= steps; ++time) {
      const auto addr = 64 * *rc::gen::inRange<uint64_t>(1, 3) + *rc::gen::element<uint64_t>(0, 0, 8, 8, 4, 3);
      const auto width = *rc::gen::element<uint64_t>(1, 4, 8, 8, 8, 16);
      const auto site = *rc::gen::inRange<uint32_t>(1, sites);
      const auto what = *rc::gen::inRange(0, 60);
      if (what < 6) {
        regions.starts.push_back(time);
        if (what == 0 && regions.starts.size() > 2)
          regions.starts.erase(regions.starts.begin() + 1, regions.starts.end());
      } else if (what == 6) {
        shadow.clear({addr, addr + width});
        for (uint64_t b = addr; b < addr + width; ++b) bytes[b].clear();
      } else if (what == 7) {
        shadow.for_cells(addr, width, [&](Cell& c, uint64_t) { shadow.readers.written(c); });
        for (uint64_t b = addr; b < addr + width; ++b) bytes[b].clear();
      } else {
        shadow.for_cells(addr, width, [&](Cell& c, uint64_t) {
          shadow.readers.add(c, site, time, regions.starts.back(), [&](uint64_t t) { return regions.start_of(t); });
        });
        for (uint64_t b = addr; b < addr + width; ++b) add_to(bytes[b], site, time, regions);
      }
    }
    for (const auto& [b, reads] : bytes)
      shadow.for_cells(b, 1, [&](Cell& c, uint64_t) { RC_ASSERT(reads_of(shadow.readers, c) == reads); });
  };
  CHECK(rc::check(holds));
}

TEST_CASE("a cell has as many readers as there are") {
  Readers readers;
  Cell cell, copy;
  for (uint32_t site = 1; site <= 5000; ++site) readers.add(cell, site, site, site, [](uint64_t t) { return t; });
  copy = cell;
  readers.part(copy);
  for (uint32_t site = 1; site <= 5000; site += 2)
    readers.add(cell, site, 10'000 + site, 9000, [](uint64_t) { return uint64_t{8000}; });
  Reads want, want_of_copy;
  for (uint32_t site = 1; site <= 5000; ++site) {
    want_of_copy.emplace_back(site, site);
    want.emplace_back(site, site);
    if (site % 2) want.emplace_back(site, 10'000 + site);
  }
  CHECK(reads_of(readers, cell) == want);
  CHECK(reads_of(readers, copy) == want_of_copy);
}

}  // namespace
}  // namespace cdr::regions
