// SPDX-License-Identifier: GPL-2.0-or-later
// The algorithms and the slow reference give the same nest, and unfolded it is the input.
#include "tests/unit/analysis/loops/nests.h"
#include "tests/unit/catch.h"

using namespace cdr;

namespace {

// Five nests a string.
void check(const std::string& s) {
  const reference::Words words = reference::letters(s);
  INFO(s);
  for (const bool by_span : {false, true})
    for (const bool strict : {false, true}) {
      const reference::Choice choice{by_span, strict};
      const std::string nest = nests::optimal(words, choice);
      INFO((by_span ? "by span" : "by body") << (strict ? ", strict" : ""));
      REQUIRE(nest == reference::optimal_nest(words, choice));
      REQUIRE(reference::unfolded(nest) == words);
    }
  const std::string nest = nests::greedy(words);
  REQUIRE(nest == reference::greedy_nest(words));
  REQUIRE(reference::unfolded(nest) == words);
}

}  // namespace

TEST_CASE("the nest of every short binary string is the reference's") {
  for (size_t size = 0; size <= 10; ++size)
    for (uint32_t bits = 0; bits < uint32_t{1} << size; ++bits)
      check(strings::made_of(size, [bits](size_t i) { return static_cast<char>('a' + (bits >> i & 1)); }));
}

TEST_CASE("the nest of random strings is the reference's") {
  std::mt19937 gen(2);
  for (int i = 0; i < 1500; ++i) check(strings::random(gen, gen() % 45, 2));
  for (int i = 0; i < 500; ++i) check(strings::random(gen, gen() % 45, 3));
}

TEST_CASE("the nest of strings full of overlapping repetitions is the reference's") {
  std::mt19937 gen(3);
  for (int i = 0; i < 2000; ++i) check(strings::self_copying(gen, gen() % 55, 1 + gen() % 3));
}

TEST_CASE("the nest of nested loops is the reference's") {
  std::mt19937 gen(4);
  for (int i = 0; i < 1500; ++i) check(strings::nested(gen, gen() % 3, 2 + gen() % 3).substr(0, 60));
}

TEST_CASE("the nest of words with many or few repetitions is the reference's") {
  for (size_t size = 1; size <= 60; ++size) {
    check(strings::fibonacci(size));
    check(strings::thue_morse(size));
    check(strings::period_doubling(size));
    check(strings::ruler(size));
    check(std::string(size, 'a'));
  }
  check(strings::fibonacci(144));
  check(strings::de_bruijn(3, 2));
  check(strings::de_bruijn(5, 2));
  check(strings::de_bruijn(6, 2));
  check(strings::de_bruijn(3, 3));
}

// Their loops are symbols that stand nowhere else: the greedy rounds go on with the runs that they know.
TEST_CASE("the greedy nest of long squares, some of them overlapping, is the reference's") {
  std::mt19937 gen(6);
  for (int i = 0; i < 200; ++i) {
    std::string s;
    for (size_t size = 9 + gen() % 3; s.size() < 80; size += gen() % 3) {
      if (!s.empty()) s.resize(s.size() - gen() % 4);
      s += strings::repeated(strings::random(gen, size, 6), 2 + gen() % 2);
    }
    const reference::Words words = reference::letters(s);
    REQUIRE(nests::greedy(words) == reference::greedy_nest(words));
  }
}

TEST_CASE("long nests unfold to their input") {
  std::mt19937 gen(5);
  for (const std::string& s :
       {strings::fibonacci(30000), strings::random(gen, 30000, 2), strings::random(gen, 30000, 5),
        strings::self_copying(gen, 30000, 3), std::string(30000, 'a')}) {
    const reference::Words words = reference::letters(s);
    for (const bool by_span : {false, true})
      for (const bool strict : {false, true})
        REQUIRE(reference::unfolded(nests::optimal(words, {by_span, strict})) == words);
    REQUIRE(reference::unfolded(nests::greedy(words)) == words);
  }
}
