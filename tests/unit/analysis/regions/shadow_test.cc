// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/shadow.h"

#include <rapidcheck.h>

#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <vector>

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
        shadow.for_written_cells(addr, width, [&](Cell& c, uint64_t) { c.site = i; });
      for (uint64_t b = addr; b < addr + width; ++b) bytes[b] = clears ? 0 : i;
    }
    for (uint64_t b = 3990; b < 4350; ++b) RC_ASSERT(site_at(shadow, b) == (bytes.count(b) ? bytes[b] : 0));
  };
  CHECK(rc::check(holds));
}

// Of a byte: who wrote it, and who has read it since.
struct Known {
  uint32_t writer = 0;
  std::set<uint32_t> readers;
  bool operator==(const Known&) const = default;
};

Known known_of(const Shadow& s, const Cell& c) {
  Known k{c.site, {}};
  s.readers.for_all(c, [&](uint32_t site, uint64_t) { k.readers.insert(site); });
  return k;
}

TEST_CASE("a write is told of every byte what is known of it") {
  const auto holds = [] {
    Shadow shadow;
    std::map<uint64_t, Known> bytes;
    const auto steps = *rc::gen::inRange<uint32_t>(1, 80);
    for (uint32_t i = 1; i <= steps; ++i) {
      const auto addr = *rc::gen::inRange<uint64_t>(4080, 4112);
      const auto width = *rc::gen::elementOf(std::vector<uint64_t>{1, 2, 4, 4, 8, 8, 8, 16});
      const auto place = *rc::gen::inRange(0, 3) ? addr / width * width : addr;
      if (*rc::gen::inRange(0, 3) > 0) {
        // Few sites, so that cells often have but one reader, and each has read but once since the write.
        const auto site = *rc::gen::inRange<uint32_t>(1, 5);
        shadow.for_cells(place, width, [&](Cell& c, uint64_t) {
          shadow.readers.add(c, site, i, i, [](uint64_t) { return uint64_t{0}; });
        });
        for (uint64_t b = place; b < place + width; ++b) bytes[b].readers.insert(site);
        continue;
      }
      std::map<uint64_t, Known> told;
      shadow.for_written_cells(place, width, [&](Cell& c, uint64_t at) {
        told[at] = known_of(shadow, c);
        shadow.readers.written(c);
        c.time = i;
        c.site = i;
      });
      for (uint64_t b = place; b < place + width; ++b) {
        const auto of = told.upper_bound(b);
        RC_ASSERT(of != told.begin());
        RC_ASSERT(std::prev(of)->second == bytes[b]);
        bytes[b] = {i, {}};
      }
    }
    for (const auto& [b, known] : bytes)
      shadow.for_cells(b, 1, [&, &known = known](Cell& c, uint64_t) { RC_ASSERT(known_of(shadow, c) == known); });
  };
  CHECK(rc::check(holds));
}

TEST_CASE("a write of a whole word makes one cell of it") {
  Shadow shadow;
  const auto cells_of = [&](uint64_t addr, uint64_t width) {
    size_t cells = 0;
    shadow.for_cells(addr, width, [&](Cell&, uint64_t) { ++cells; });
    return cells;
  };
  const auto write = [&](uint64_t addr, uint64_t width) {
    shadow.for_written_cells(addr, width, [](Cell& c, uint64_t) { c.site = 1; });
  };
  write(65, 1);
  CHECK(cells_of(64, 8) == 8);
  CHECK(cells_of(72, 8) == 1);  // others stay as they were
  write(64, 4);
  CHECK(cells_of(64, 8) == 8);
  write(64, 8);
  CHECK(cells_of(64, 8) == 1);
  write(68, 4);
  CHECK(cells_of(64, 8) == 2);
  write(60, 12);
  CHECK(cells_of(64, 8) == 1);
}

TEST_CASE("several parts have each byte once, and the last write of it") {
  const auto holds = [] {
    const auto parts = *rc::gen::inRange<unsigned>(2, LineShare::kMostParts + 1);
    std::vector<std::unique_ptr<Shadow>> shadows;
    for (unsigned p = 0; p < parts; ++p) shadows.push_back(std::make_unique<Shadow>(LineShare(parts, p)));
    std::map<uint64_t, uint32_t> bytes;
    const auto steps = *rc::gen::inRange<uint32_t>(1, 60);
    for (uint32_t i = 1; i <= steps; ++i) {
      const auto addr = *rc::gen::inRange<uint64_t>(1000, 20'000);
      const bool clears = *rc::gen::inRange(0, 4) == 0;
      const auto width = *rc::gen::inRange<uint64_t>(1, clears ? 6000 : 300);
      for (const auto& s : shadows)
        if (clears)
          s->clear({addr, addr + width});
        else
          s->for_cells(addr, width, [&](Cell& c, uint64_t at) {
            RC_ASSERT(at >= addr && at < addr + width);
            c.site = i;
          });
      for (uint64_t b = addr; b < addr + width; ++b) bytes[b] = clears ? 0 : i;
    }
    for (const auto& [b, site] : bytes) {
      unsigned have = 0;
      for (const auto& s : shadows)
        s->for_cells(b, 1, [&, site = site](Cell& c, uint64_t) {
          ++have;
          RC_ASSERT(c.site == site);
        });
      RC_ASSERT(have == 1u);
    }
  };
  CHECK(rc::check(holds));
}

TEST_CASE("the first part has half as many lines as each other, of any piece of memory") {
  for (const unsigned parts : {2u, 4u, 8u}) {
    std::vector<uint64_t> lines;
    for (unsigned p = 0; p < parts; ++p) {
      const LineShare share(parts, p);
      lines.push_back(0);
      for (uint64_t line = 1000; line < 1000 + 100 * LineShare::kGroup; ++line) lines.back() += share.has(line);
    }
    CHECK(lines[0] * (2 * parts - 1) * 2 <= 300 * LineShare::kGroup);
    for (unsigned p = 1; p < parts; ++p) CHECK(lines[p] * (2 * parts - 1) * 2 >= 300 * LineShare::kGroup);
  }
}

TEST_CASE("cells lie in the access as a whole, and cover it") {
  Shadow shadow;
  uint64_t covered = 0, cells = 0;
  const auto count = [&](Cell&, uint64_t) { ++cells; };
  shadow.for_cells(128, 16, count);
  CHECK(cells == 2);
  cells = 0;
  shadow.for_cells(132, 8, count);  // both words are split
  CHECK(cells == 2);
  cells = 0;
  shadow.for_cells(128, 16, [&](Cell&, uint64_t addr) { ++cells, covered |= addr - 128; });
  CHECK(cells == 4);
  CHECK(covered == 12);
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

}  // namespace
}  // namespace cdr::regions
