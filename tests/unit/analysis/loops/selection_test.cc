// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/loops/selection.h"

#include "tests/unit/analysis/loops/nests.h"
#include "tests/unit/catch.h"

using namespace cdr;
using reference::letters;

namespace {
constexpr reference::Choice kByBody{}, kBySpan{.by_span = true}, kStrict{.strict = true},
    kStrictBySpan{.by_span = true, .strict = true};
}

TEST_CASE("by body the longer body goes first, by span the longer loop") {
  CHECK(nests::optimal(letters("abababababcabc"), kByBody) == "(a b)^4 (a b c)^2");
  CHECK(nests::optimal(letters("abababababcabc"), kBySpan) == "(a b)^5 c a b c");
}

TEST_CASE("a run that a picked loop cuts is a loop if two whole periods remain") {
  CHECK(nests::optimal(letters("abababcabc"), kByBody) == "(a b)^2 (a b c)^2");
  CHECK(nests::optimal(letters("ababcabc"), kByBody) == "a b (a b c)^2");
  // Cut at its front it begins elsewhere, with another word of its family.
  CHECK(nests::optimal(letters("xyaxyabababa"), kByBody) == "(x y a)^2 (b a)^3");
}

TEST_CASE("strict: a triple that a picked loop meets is dropped, another of its run may stand") {
  CHECK(nests::optimal(letters("abababcabc"), kStrict) == "a b a b (a b c)^2");
  CHECK(nests::optimal(letters("abababababcabc"), kStrictBySpan) == "(a b)^5 c a b c");
  // (x y a)^2 takes the first a of the run ababab, and so (a b)^3; the triple (b a)^2 begins behind it.
  CHECK(nests::optimal(letters("xyaxyababab"), kStrict) == "(x y a)^2 (b a)^2 b");
}

TEST_CASE("equal bodies: most iterations first, then the leftmost") {
  CHECK(nests::optimal(letters("aabaabaaabaabaabaa")) == reference::optimal_nest(letters("aabaabaaabaabaabaa")));
  CHECK(nests::optimal(letters("abcabcXabcabcabc")) == "(a b c)^2 X (a b c)^3");
}

// Many runs are sorted by counting, few by comparing.
TEST_CASE("a short dense string picks the same alone and behind 10,000 symbols that do not repeat") {
  const std::string dense = strings::fibonacci(89) + "c" + strings::thue_morse(64);
  std::string front, words;
  for (int i = 0; i < 10000; ++i) front += "w" + std::to_string(i) + " ";
  const reference::Words alone = letters(dense);
  reference::Words behind;
  for (int i = 0; i < 10000; ++i) behind.push_back("w" + std::to_string(i));
  behind.insert(behind.end(), alone.begin(), alone.end());
  for (const reference::Choice& choice : {kByBody, kBySpan, kStrict, kStrictBySpan})
    CHECK(nests::optimal(behind, choice) == front + nests::optimal(alone, choice));
}
