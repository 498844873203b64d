// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/diff/source_match.h"

#include <random>

#include "tests/unit/catch.h"

using cdr::report::kNoLine;
using cdr::report::match_lines;
using Lines = std::vector<std::string_view>;

TEST_CASE("lines are those that are equal, in their order") {
  CHECK(match_lines({"a", "b", "c"}, {"a", "b", "c"}) == std::vector<uint32_t>{0, 1, 2});
  CHECK(match_lines({"a", "b"}, {"x", "y", "a", "b"}) == std::vector<uint32_t>{2, 3});
  CHECK(match_lines({"a", "x", "b"}, {"a", "b"}) == std::vector<uint32_t>{0, kNoLine, 1});
  CHECK(match_lines({}, {"a"}).empty());
  CHECK(match_lines({"a"}, {}) == std::vector<uint32_t>{kNoLine});
}

TEST_CASE("as many lines in place of as many are the same lines, changed") {
  CHECK(match_lines({"a", "b", "c"}, {"a", "x", "c"}) == std::vector<uint32_t>{0, 1, 2});
  CHECK(match_lines({"a", "b", "c"}, {"a", "x", "y", "c"}) == std::vector<uint32_t>{0, kNoLine, 3});
  CHECK(match_lines({"a", "p", "q", "c"}, {"n", "a", "x", "y", "c"}) == std::vector<uint32_t>{1, 2, 3, 4});
}

TEST_CASE("of random texts as many lines are matched as can be") {
  std::mt19937 random(11);
  const std::string_view words[] = {"a", "b", "c", "d"};
  for (int round = 0; round < 300; ++round) {
    Lines a, b;
    for (Lines* l : {&a, &b})
      for (size_t n = random() % 12; n > 0; --n) l->push_back(words[random() % 4]);
    // The longest common subsequence by its definition.
    std::vector<std::vector<size_t>> longest(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = a.size(); i-- > 0;)
      for (size_t j = b.size(); j-- > 0;)
        longest[i][j] = a[i] == b[j] ? longest[i + 1][j + 1] + 1 : std::max(longest[i + 1][j], longest[i][j + 1]);
    size_t equal = 0;
    uint32_t next = 0;
    const auto match = match_lines(a, b);
    REQUIRE(match.size() == a.size());
    for (size_t i = 0; i < a.size(); ++i) {
      if (match[i] == kNoLine) continue;
      REQUIRE(match[i] >= next);
      next = match[i] + 1;
      REQUIRE(match[i] < b.size());
      equal += a[i] == b[match[i]];
    }
    REQUIRE(equal == longest[0][0]);
  }
}
