// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/loops/runs.h"

#include <set>
#include <tuple>

#include "tests/unit/analysis/loops/strings.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::analysis;
using namespace cdr::loops;

namespace {

using Triples = std::set<std::tuple<uint32_t, uint32_t, uint32_t>>;  // begin, end, period

// By the definition: periods in order, each as far as it goes; a period is the smallest if none found before
// holds there.
Triples runs_by_definition(const std::string& s) {
  Triples runs;
  const auto n = static_cast<uint32_t>(s.size());
  const auto has_period = [&](uint32_t begin, uint32_t end, uint32_t p) {
    for (uint32_t i = begin; i + p < end; ++i)
      if (s[i] != s[i + p]) return false;
    return true;
  };
  for (uint32_t p = 1; 2 * p <= n; ++p)
    for (uint32_t begin = 0; begin + 2 * p <= n; ++begin) {
      if (!has_period(begin, begin + 2 * p, p) || (begin > 0 && s[begin - 1] == s[begin - 1 + p])) continue;
      uint32_t end = begin + 2 * p;
      while (end < n && s[end] == s[end - p]) ++end;
      bool smallest = true;
      for (uint32_t q = 1; q < p && smallest; ++q) smallest = !has_period(begin, end, q);
      if (smallest) runs.insert({begin, end, p});
    }
  return runs;
}

void check(const std::string& s) {
  static const Watch unwatched;
  static RunFinder finder(unwatched);  // for all: what one string leaves does not show in the next
  const SymbolSequence sequence = strings::sequence_of(reference::letters(s));
  BigArray<Run> runs;
  sequence.symbols.visit([&](auto symbols) { finder.find(symbols, runs); });
  Triples found;
  for (const Run& run : runs) found.insert({run.begin, run.end, run.period});
  INFO(s);
  REQUIRE(found.size() == runs.size());
  REQUIRE(found == runs_by_definition(s));
}

}  // namespace

TEST_CASE("all runs of every short binary string are found, each once") {
  for (size_t size = 0; size <= 12; ++size)
    for (uint32_t bits = 0; bits < uint32_t{1} << size; ++bits)
      check(strings::made_of(size, [bits](size_t i) { return static_cast<char>('a' + (bits >> i & 1)); }));
}

TEST_CASE("all runs of random and of repeating strings are found") {
  std::mt19937 gen(1);
  for (int i = 0; i < 3000; ++i) check(strings::random(gen, gen() % 50, 1 + gen() % 4));
  for (int i = 0; i < 3000; ++i) check(strings::self_copying(gen, gen() % 120, 1 + gen() % 4));
}

TEST_CASE("all runs of words with many or few repetitions are found") {
  for (size_t size = 1; size <= 144; ++size) {
    check(strings::fibonacci(size));
    check(strings::thue_morse(size));
    check(strings::period_doubling(size));
    check(strings::ruler(size));
    check(std::string(size, 'a'));
  }
  check(strings::de_bruijn(7, 2));
  check(strings::de_bruijn(4, 3));
}

TEST_CASE("a text of 2,000,000 symbols has no more runs than symbols, and its memory can be given back") {
  const std::string word = strings::fibonacci(2000000);
  const SymbolSequence sequence = strings::sequence_of(reference::letters(word));
  const Watch unwatched;
  RunFinder finder(unwatched);
  BigArray<Run> runs;
  sequence.symbols.visit([&](auto symbols) { finder.find(symbols, runs); });
  REQUIRE(runs.size() < word.size());
  REQUIRE(runs.size() > word.size() / 2);
  finder.release();
  BigArray<Run> again;
  sequence.symbols.visit([&](auto symbols) { finder.find(symbols, again); });
  REQUIRE(std::equal(runs.begin(), runs.end(), again.begin(), again.end()));
}
