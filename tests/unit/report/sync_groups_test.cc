// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/sync/sync_report.h"
#include "tests/unit/catch.h"

namespace cdr::report {

TEST_CASE("rows that repeat stand once", "[sync_groups]") {
  using Parts = std::vector<RepeatedRows>;
  CHECK(repeated({}).empty());
  CHECK(repeated({"a", "b"}) == Parts{{0, 1, 1}, {1, 1, 1}});
  CHECK(repeated({"a", "a", "a", "b"}) == Parts{{0, 1, 3}, {3, 1, 1}});
  CHECK(repeated({"x", "a", "b", "a", "b", "a"}) == Parts{{0, 1, 1}, {1, 2, 2}, {5, 1, 1}});
  // What covers more: twice three, not twice one.
  CHECK(repeated({"a", "a", "b", "a", "a", "b"}) == Parts{{0, 3, 2}});
}

TEST_CASE("repetitions are not looked for beyond a length", "[sync_groups]") {
  std::vector<std::string> rows;
  for (int twice = 0; twice < 2; ++twice)
    for (size_t i = 0; i <= kLongestRepeat; ++i) rows.push_back(std::to_string(i));
  CHECK(repeated(rows).size() == rows.size());
  rows.erase(rows.begin() + kLongestRepeat);
  rows.pop_back();
  CHECK(repeated(rows) == std::vector<RepeatedRows>{{0, kLongestRepeat, 2}});
}

}  // namespace cdr::report
