// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/iteration_log.h"

#include <rapidcheck.h>

#include <vector>

#include "tests/unit/catch.h"

namespace cdr::regions {
namespace {

TEST_CASE("every time belongs to the last iteration that has begun by then") {
  const auto holds = [] {
    IterationLog log;
    std::vector<uint64_t> starts;
    uint64_t at = *rc::gen::inRange<uint64_t>(1, 100);
    for (int piece = *rc::gen::inRange(1, 6); piece > 0; --piece) {
      const auto step = *rc::gen::inRange<uint64_t>(1, 9);
      for (auto n = *rc::gen::inRange(1, 7); n > 0; --n, at += step) {
        log.add(at);
        starts.push_back(at);
      }
    }
    RC_ASSERT(log.count() == starts.size());
    size_t i = 0;
    for (uint64_t t = starts[0]; t < at + 20; ++t) {
      while (i + 1 < starts.size() && starts[i + 1] <= t) ++i;
      RC_ASSERT(log.at(t).number == i + 1);
      RC_ASSERT(log.at(t).start == starts[i]);
      RC_ASSERT(log.at(t).end == (i + 1 < starts.size() ? starts[i + 1] : ~uint64_t{0}));
    }
  };
  CHECK(rc::check(holds));
}

TEST_CASE("a log that is cleared numbers from 1 again") {
  IterationLog log;
  log.add(5);
  log.add(9);
  log.clear();
  log.add(20);
  CHECK(log.count() == 1);
  CHECK(log.at(25).number == 1);
  CHECK(log.at(25).start == 20);
}

}  // namespace
}  // namespace cdr::regions
