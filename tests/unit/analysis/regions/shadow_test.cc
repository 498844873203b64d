// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/shadow.h"

#include <rapidcheck.h>

#include <map>
#include <memory>
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
        shadow.for_cells(addr, width, [&](Cell& c, uint64_t) { c.site = i; });
      for (uint64_t b = addr; b < addr + width; ++b) bytes[b] = clears ? 0 : i;
    }
    for (uint64_t b = 3990; b < 4350; ++b) RC_ASSERT(site_at(shadow, b) == (bytes.count(b) ? bytes[b] : 0));
  };
  CHECK(rc::check(holds));
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
  shadow.for_cells(132, 8, count);  // the line is split
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
