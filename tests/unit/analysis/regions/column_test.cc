// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/column.h"

#include "tests/unit/properties.h"

namespace cdr::regions {
namespace {

Access access(uint16_t slot, uint16_t width, bool store) {
  Access a;
  a.slot = slot;
  a.width = width;
  a.flags = store ? kAccessStore : 0;
  return a;
}

using Executions = std::vector<std::vector<uint64_t>>;  // words

bool are_apart(const std::vector<Access>& accesses, const Executions& executions) {
  Columns columns;
  return columns.fill(
      accesses, executions.size(), [&](size_t i) -> const auto& { return executions[i]; });
}

// Whether two accesses of different executions, one of which stores, meet.
bool meet(const std::vector<Access>& accesses, const Executions& executions) {
  for (size_t a = 0; a < accesses.size(); ++a)
    for (size_t b = 0; b < accesses.size(); ++b) {
      if (a == b || !accesses[a].store()) continue;
      for (size_t i = 0; i < executions.size(); ++i)
        for (size_t j = 0; j < executions.size(); ++j) {
          if (i == j) continue;
          const uint64_t x = address_of(accesses[a], executions[i]), y = address_of(accesses[b], executions[j]);
          if (x < y + accesses[b].width && y < x + accesses[a].width) return true;
        }
    }
  return false;
}

TEST_CASE("columns that are said to be apart are") {
  size_t apart = 0;
  const auto holds = [&] {
    std::vector<Access> accesses;
    const auto count = *rc::gen::inRange<uint16_t>(1, 4);
    std::vector<uint64_t> at, step;
    for (uint16_t a = 1; a <= count; ++a) {
      accesses.push_back(access(a, *rc::gen::element<uint16_t>(1, 4, 8, 16), *rc::gen::inRange(0, 2) == 0));
      at.push_back(1000 + 4 * *rc::gen::inRange<uint64_t>(0, 40));
      step.push_back(*rc::gen::element<uint64_t>(0, 4, 8, 8, 16, ~uint64_t{7}));
    }
    Executions executions;
    const auto times = *rc::gen::inRange<size_t>(1, 12);
    for (size_t i = 0; i < times; ++i) {
      executions.push_back(at);
      for (size_t w = 0; w < count; ++w) at[w] += step[w];
    }
    const bool said = are_apart(accesses, executions);
    apart += said;
    if (said) RC_ASSERT(!meet(accesses, executions));
  };
  CHECK(rc::check(holds));
  CHECK(apart > 20);
}

TEST_CASE("columns that walk together are apart, as are those of loads") {
  const std::vector<Access> update = {access(1, 8, false), access(2, 8, false), access(1, 8, true)};
  CHECK(are_apart(update, {{80, 800}, {88, 808}, {96, 816}}));        // a[i] += b[i]
  CHECK_FALSE(are_apart(update, {{80, 72}, {88, 80}, {96, 88}}));     // a[i] += a[i - 1]
  CHECK_FALSE(are_apart(update, {{80, 800}, {80, 808}, {80, 816}}));  // s += b[i]
  CHECK(are_apart(update, {{80, 72}, {96, 88}, {112, 104}}));         // every other one
  const std::vector<Access> loads = {access(1, 8, false), access(2, 8, false)};
  CHECK(are_apart(loads, {{80, 72}, {88, 80}}));
}

TEST_CASE("what may not happen has no column") {
  std::vector<Access> accesses = {access(1, 8, false)};
  accesses[0].flags |= kAccessGuarded;
  CHECK_FALSE(are_apart(accesses, {{80}, {88}}));
}

}  // namespace
}  // namespace cdr::regions
