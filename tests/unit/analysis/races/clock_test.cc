// SPDX-License-Identifier: GPL-2.0-or-later
// Clocks of many threads, copied and joined in all ways, against plain lists of numbers.
#include "cdrgrind/analysis/races/core/clock.h"

#include <map>
#include <random>

#include "cdrgrind/analysis/races/core/segments.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::races;

namespace {

using Numbers = std::map<uint32_t, SegmentNumber>;

// Some near each other, some far.
uint32_t spread(uint32_t t) { return t < 200 ? t : t * t; }

bool join(Numbers& to, const Numbers& other) {
  bool grew = false;
  for (const auto& [t, n] : other)
    if (n > to[t]) to[t] = n, grew = true;
  return grew;
}

}  // namespace

TEST_CASE("clocks of many threads know what plain lists know") {
  std::mt19937 random(3);
  const auto below = [&](uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(random); };
  constexpr uint32_t kClocks = 12, kThreads = 300;
  std::vector<VectorClock> clocks(kClocks);
  std::vector<Numbers> want(kClocks);
  for (uint32_t i = 1; i < 20000; ++i) {
    const uint32_t a = below(kClocks), b = below(kClocks), t = spread(below(4) ? below(kThreads) : below(10));
    switch (below(4)) {
      case 0:
        clocks[a] = clocks[b];
        want[a] = want[b];
        break;
      case 1:
        REQUIRE(clocks[a].join(clocks[b]) == join(want[a], want[b]));
        break;
      case 2:
        if (clocks[a].same(clocks[b])) {
          for (uint32_t u = 0; u < kThreads; ++u) REQUIRE(want[a][spread(u)] == want[b][spread(u)]);
        }
        break;
      default:
        clocks[a].set(ThreadId(t), i);
        want[a][t] = i;
    }
    const ThreadId any(spread(below(kThreads)));
    REQUIRE(clocks[a][any] == want[a][any.value]);
  }
  for (uint32_t c = 0; c < kClocks; ++c)
    for (uint32_t t = 0; t < kThreads; ++t) CHECK(clocks[c][ThreadId(spread(t))] == want[c][spread(t)]);
}

TEST_CASE("what is joined of what another has is that one's") {
  VectorClock all, some;
  for (uint32_t t = 0; t < 5000; ++t) all.set(ThreadId(t), t + 1);
  const VectorClock before = all;
  for (uint32_t t = 0; t < 5000; t += 3) some.set(ThreadId(t), t + 1);
  CHECK_FALSE(all.join(some));
  CHECK(all.same(before));
  CHECK(some.join(all));
  CHECK(some.same(all));
  some.set(ThreadId(4999), 6000);
  CHECK_FALSE(some.same(all));
  CHECK(all[ThreadId(4999)] == 5000);
  CHECK(all.join(some));
  CHECK(all.same(some));
}

TEST_CASE("knowledge in several orders stays apart where the orders differ") {
  std::mt19937 random(5);
  const auto below = [&](uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(random); };
  constexpr uint32_t kAll = 8, kThreads = 100;
  std::vector<Knowledge> all(kAll);
  std::vector<std::array<Numbers, kOrderCount>> want(kAll);
  for (uint32_t i = 1; i < 20000; ++i) {
    const uint32_t a = below(kAll), b = below(kAll), t = below(kThreads);
    if (below(3) == 0) {
      all[a].set(ThreadId(t), i);
      for (Numbers& n : want[a]) n[t] = i;
    } else if (below(4) == 0) {
      all[a] = all[b];
      want[a] = want[b];
    } else {
      const size_t orders = 1 + below(kOrderCount);
      bool grew = false;
      for (size_t o = 0; o < orders; ++o) grew |= join(want[a][o], want[b][o]);
      REQUIRE(all[a].join(all[b], orders) == grew);
    }
    const ThreadId any(below(kThreads));
    for (size_t o = 0; o < kOrderCount; ++o) REQUIRE(all[a].in[o][any] == want[a][o][any.value]);
  }
}
