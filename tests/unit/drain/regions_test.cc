// SPDX-License-Identifier: GPL-2.0-or-later
// What is mapped and allocated, against a table of pages.
#include "cdrgrind/drain/regions.h"

#include <algorithm>
#include <map>
#include <random>

#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::drain;

namespace {

constexpr uint64_t kPages = 40;

// By page: the number of the mapping and its flags.
using Pages = std::map<uint64_t, std::pair<int, uint64_t>>;

// Pages that belong to the same mapping and stand side by side.
std::vector<std::pair<AddrRange, uint64_t>> runs_of(const Pages& pages) {
  std::vector<std::pair<AddrRange, uint64_t>> out;
  for (auto p = pages.begin(); p != pages.end(); ++p) {
    const bool goes_on = p != pages.begin() && std::prev(p)->first + 1 == p->first && std::prev(p)->second == p->second;
    if (goes_on)
      out.back().first.end = p->first + 1;
    else
      out.push_back({{p->first, p->first + 1}, p->second.second});
  }
  return out;
}

}  // namespace

TEST_CASE("mappings are what was mapped last, page by page") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Regions regions;
    Pages pages;
    for (int i = 0; i < 30; ++i) {
      const uint64_t begin = 1 + random() % kPages, end = begin + 1 + random() % 12, flags = random() % 16;
      const bool maps = random() % 3 != 0;
      if (maps)
        regions.map({begin, end}, flags);
      else
        regions.unmap({begin, end});
      for (uint64_t p = begin; p < end; ++p) {
        pages.erase(p);
        if (maps) pages[p] = {i, flags};
      }
    }
    INFO("round " << round);
    const auto expected = runs_of(pages);
    const std::vector<Regions::Mapping> got = regions.mappings();
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      CHECK(got[i].range == expected[i].first);
      CHECK(got[i].flags == expected[i].second);
    }
    for (uint64_t sp = 1; sp < kPages + 14; ++sp) {
      AddrRange around;
      for (const uint64_t at : {sp, sp - 1})
        for (const auto& [range, flags] : expected)
          if (around.empty() && range.contains(at)) around = range;
      const Regions::Surroundings found = regions.around(sp);
      REQUIRE(found.range == around);
      REQUIRE(found.mapping == !around.empty());
    }
  }
}

TEST_CASE("a registered stack goes before a heap block, that before its mapping, and inside before the end") {
  Regions r;
  r.map({0x1000, 0x9000}, 0);
  r.alloc(0x2000, 0x1000);
  r.alloc(0x3000, 0x1000);
  r.register_stack({0x2800, 0x2900});
  const auto is = [&](uint64_t sp, AddrRange range, bool mapping) {
    const Regions::Surroundings found = r.around(sp);
    return found.range == range && found.mapping == mapping;
  };
  CHECK(is(0x1800, {0x1000, 0x9000}, true));
  CHECK(is(0x2400, {0x2000, 0x3000}, false));
  CHECK(is(0x2880, {0x2800, 0x2900}, false));
  CHECK(is(0x2900, {0x2000, 0x3000}, false));
  CHECK(is(0x3000, {0x3000, 0x4000}, false));
  CHECK(is(0x9000, {0x1000, 0x9000}, true));
  CHECK(is(0x9001, {}, false));
  r.register_stack({0x2880, 0x2a00});
  CHECK(is(0x2880, {0x2880, 0x2a00}, false));
  r.free(0x3000);
  CHECK(is(0x3000, {0x1000, 0x9000}, true));
  r.unmap({0x1000, 0x9000});
  CHECK(is(0x3000, {0x2000, 0x3000}, false));
}

TEST_CASE("heap blocks are those in use, with their present sizes, by address") {
  Regions r;
  for (const uint64_t addr : {96, 32, 64}) r.alloc(addr, 8);
  r.alloc(32, 24);
  r.free(64);
  r.free(1000);
  const std::vector<Regions::HeapBlock> blocks = r.heap_blocks();
  REQUIRE(blocks.size() == 2);
  CHECK((blocks[0].addr == 32 && blocks[0].size == 24));
  CHECK((blocks[1].addr == 96 && blocks[1].size == 8));
}
