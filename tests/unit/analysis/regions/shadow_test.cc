// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/shadow.h"

#include <rapidcheck.h>

#include <map>

#include "tests/unit/catch.h"

namespace cdr::regions {
namespace {

uint32_t site_at(Shadow& s, uint64_t addr) {
  uint32_t site = 0;
  s.for_cells(addr, 1, [&](Cell& c, uint64_t) { site = c.site; });
  return site;
}

TEST_CASE("every byte has the last write, whatever the widths") {
  const auto holds = [] {
    Shadow shadow;
    std::map<uint64_t, uint32_t> bytes;
    const auto steps = *rc::gen::inRange<uint32_t>(1, 60);
    for (uint32_t i = 1; i <= steps; ++i) {
      const auto addr = *rc::gen::inRange<uint64_t>(4000, 4300);
      const auto width = *rc::gen::inRange<uint64_t>(1, 40);
      const bool clears = *rc::gen::inRange(0, 6) == 0;
      if (clears)
        shadow.clear({addr, addr + width});
      else
        shadow.for_cells(addr, width, [&](Cell& c, uint64_t) { c.site = i; });
      for (uint64_t b = addr; b < addr + width; ++b) bytes[b] = clears ? 0 : i;
    }
    for (uint64_t b = 3990; b < 4350; ++b) RC_ASSERT(site_at(shadow, b) == (bytes.count(b) ? bytes[b] : 0));
  };
  CHECK(rc::check(holds));
}

TEST_CASE("cells lie in the access as a whole, and cover it") {
  Shadow shadow;
  uint64_t covered = 0, cells = 0;
  const auto count = [&](Cell&, uint64_t) { ++cells; };
  shadow.for_cells(128, 16, count);
  CHECK(cells == 2);
  cells = 0;
  shadow.for_cells(132, 8, count);  // the line is split
  CHECK(cells == 2);
  cells = 0;
  shadow.for_cells(128, 16, [&](Cell&, uint64_t addr) { ++cells, covered |= addr - 128; });
  CHECK(cells == 4);
  CHECK(covered == 12);
}

TEST_CASE("a cell that is split passes its readers on, each with a list of its own") {
  Shadow shadow;
  shadow.for_cells(64, 8,
                   [&](Cell& c, uint64_t) { c.readers = shadow.readers.add(7, 3, shadow.readers.add(5, 2, 0, 0), 0); });
  shadow.for_cells(64, 1, [&](Cell& c, uint64_t) {
    shadow.readers.free_list(c.readers);
    c.readers = 0;
  });
  shadow.for_cells(71, 1, [&](Cell& c, uint64_t) {
    REQUIRE(c.readers != 0);
    const Reader first = shadow.readers[c.readers];
    CHECK((first.time == 7 && first.site == 3));
    REQUIRE(first.next != 0);
    const Reader second = shadow.readers[first.next];
    CHECK((second.time == 5 && second.site == 2 && second.next == 0));
  });
}

TEST_CASE("everything can be forgotten, and large ranges at once") {
  Shadow shadow;
  for (const uint64_t addr : {uint64_t{64}, uint64_t{9000}, uint64_t{1} << 40})
    shadow.for_cells(addr, 8, [](Cell& c, uint64_t) { c.site = 1; });
  shadow.clear({0, uint64_t{1} << 39});
  CHECK(site_at(shadow, 64) == 0);
  CHECK(site_at(shadow, 9000) == 0);
  CHECK(site_at(shadow, uint64_t{1} << 40) == 1);
  shadow.clear();
  CHECK(site_at(shadow, uint64_t{1} << 40) == 0);
}

uint32_t first_of(Shadow& s, const Cell& c, uint32_t site) {
  uint32_t r = c.readers;
  while (r && s.readers[r].site != site) r = s.readers[r].next;
  return r;
}

TEST_CASE("a site's last reader is the first of its list, whatever was stored, cleared and split before") {
  const auto holds = [] {
    Shadow shadow;
    const auto steps = *rc::gen::inRange<uint32_t>(1, 200);
    for (uint32_t time = 1; time <= steps; ++time) {
      const auto addr = 64 * *rc::gen::inRange<uint64_t>(1, 3) + *rc::gen::inRange<uint64_t>(0, 24);
      const auto width = *rc::gen::element<uint64_t>(1, 4, 8, 16, 64);
      const auto site = *rc::gen::inRange<uint32_t>(1, 4);
      const auto what = *rc::gen::inRange(0, 10);
      if (what == 0) {
        shadow.clear({addr, addr + width});
      } else if (what == 1) {
        shadow.for_cells(addr, width, [&](Cell& c, uint64_t) {
          shadow.readers.free_list(c.readers);
          c = {time, site, 0};
        });
      } else {
        shadow.for_cells(addr, width, [&](Cell& c, uint64_t at) {
          const uint32_t last = shadow.last_reader(c, at, site), want = first_of(shadow, c, site);
          RC_ASSERT(last == want);
          if (last && what < 4) return;
          if (what == 9 && last && last == c.readers && shadow.readers[last].older &&
              shadow.readers[last].older == shadow.readers[last].next) {
            shadow.repeat_first(c, at, time);
            RC_ASSERT(shadow.last_reader(c, at, site) == c.readers && shadow.readers[c.readers].time == time);
            return;
          }
          // The one before it goes, or stays.
          if (last && shadow.readers[last].older && what < 7) shadow.readers.remove_older(last);
          shadow.add_reader(c, at, site, time, last);
        });
      }
      // What the lists of each cell say of one another.
      shadow.for_cells(addr, width, [&](Cell& c, uint64_t) {
        std::map<uint32_t, uint32_t> older;
        std::vector<uint32_t> list;
        for (uint32_t r = c.readers; r; r = shadow.readers[r].next) list.push_back(r);
        for (size_t i = list.size(); i-- > 0;) {
          const Reader& r = shadow.readers[list[i]];
          RC_ASSERT(r.previous == (i ? list[i - 1] : 0));
          RC_ASSERT(r.older == older[r.site]);
          older[r.site] = list[i];
        }
      });
    }
  };
  CHECK(rc::check(holds));
}

}  // namespace
}  // namespace cdr::regions
