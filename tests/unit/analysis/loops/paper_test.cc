// SPDX-License-Identifier: GPL-2.0-or-later
// The examples of Xu and Subhlok (2008), and sequences built by what their tables 3 and 5 say of the NAS
// benchmarks' traces: length, major loop, compressed length, span.
#include <fmt/format.h>

#include "tests/unit/analysis/loops/nests.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::analysis;
using namespace cdr::loops;
using reference::letters;
using reference::Words;

namespace {

void append(Words& to, const Words& words, size_t times = 1) {
  for (size_t i = 0; i < times; ++i) to.insert(to.end(), words.begin(), words.end());
}

// `count` words that occur nowhere else, if `prefix` does not.
Words different(const std::string& prefix, size_t count) {
  Words words;
  for (size_t i = 0; i < count; ++i) words.push_back(prefix + std::to_string(i));
  return words;
}

struct TableRow {
  size_t length;
  std::string major;
  std::string span;
  size_t compressed;
  std::string ratio;
};

void check(const Words& words, bool greedy, const TableRow& row) {
  const SymbolSequence sequence = strings::sequence_of(words);
  const LoopNest nest = greedy ? greedy_nest(sequence.symbols) : optimal_nest(sequence.symbols);
  REQUIRE(nest.length == row.length);
  REQUIRE(nest.major() != nullptr);
  CHECK(report::loop_structure(nest, *nest.major()) == row.major);
  CHECK(fmt::format("{:.2f}", report::percent_covered(nest, nest.major()->span())) == row.span);
  CHECK(nest.compressed_length() == row.compressed);
  CHECK(fmt::format("{:.2f}", report::compression_ratio(nest)) == row.ratio);
}

// Two inner loops of 4 calls and 12 calls an iteration; 48 calls and a first iteration that ends differently
// before it.
Words lu(size_t inner) {
  Words sweeps, words = different("begin", 48);
  append(sweeps, different("lower", 4), inner);
  append(sweeps, different("upper", 4), inner);
  append(words, sweeps);
  append(words, different("first", 12));
  Words iteration = sweeps;
  append(iteration, different("end", 12));
  append(words, iteration, 249);
  return words;
}

}  // namespace

TEST_CASE("section 4.2: the greedy nest may miss an outer loop, or one of its iterations") {
  CHECK(nests::optimal(letters("abaababaabaab")) == "(a b (a)^2 b)^2 (a)^2 b");
  CHECK(nests::greedy(letters("abaababaabaab")) == "a b (a)^2 b a (b (a)^2)^2 b");
  CHECK(nests::optimal(letters("abaababaababaabaab")) == "(a b (a)^2 b)^3 (a)^2 b");
  CHECK(nests::greedy(letters("abaababaababaabaab")) == "(a b (a)^2 b)^2 a (b (a)^2)^2 b");
}

TEST_CASE("sections 1, 3.2 and 3.3: primitive and maximal, leftmost, outer loops first") {
  for (const auto& nest_of : {+[](const Words& w) { return nests::optimal(w); }, +nests::greedy}) {
    CHECK(nest_of(letters("abababab")) == "(a b)^4");
    CHECK(nest_of(letters("abababababababab")) == "(a b)^8");
    CHECK(nest_of(letters("abcdabcdabcdabcd")) == "(a b c d)^4");
    CHECK(nest_of(letters("xabcdabcdabcdabcda")) == "x (a b c d)^4 a");
    CHECK(nest_of(letters("EababababFEababababFEababababF")) == "(E (a b)^4 F)^3");
  }
}

TEST_CASE("LU B and C of the tables, by both algorithms") {
  for (const bool greedy : {false, true}) {
    check(lu(100), greedy, {203048, "(812)^249 = ((4)^100 + (4)^100 + 12)^249", "99.58", 63, "3222.98"});
    // The table has 99.58 for C, too; its own numbers make it 321,708 / 323,048 = 99.585.
    check(lu(160), greedy, {323048, "(1292)^249 = ((4)^160 + (4)^160 + 12)^249", "99.59", 63, "5127.75"});
  }
}

TEST_CASE("SP of the tables, by both algorithms") {
  Words words = different("begin", 50);
  append(words, different("step", 67), 400);
  append(words, different("end", 38));
  for (const bool greedy : {false, true}) check(words, greedy, {26888, "(67)^400 = (67)^400", "99.67", 89, "302.11"});
}

TEST_CASE("BT of the tables, by both algorithms") {
  Words step, words;
  for (size_t i = 0; i < 6; ++i) append(step, different("s" + std::to_string(i), 4), 3);
  append(step, different("tail", 13));
  for (size_t i = 0; i < 5; ++i) append(words, different("b" + std::to_string(i), 4), 3);
  append(words, different("bb", 3), 3);
  append(words, different("begin", 37));
  append(words, step, 200);
  const std::string major = "(85)^200 = ((4)^3 + (4)^3 + (4)^3 + (4)^3 + (4)^3 + (4)^3 + 13)^200";
  for (const bool greedy : {false, true}) check(words, greedy, {17106, major, "99.38", 44, "388.77"});
}

TEST_CASE("CG of table 3") {
  Words step, words = different("begin", 8);
  append(words, different("before", 21), 26);
  append(step, different("inner", 21), 26);
  append(step, different("outer", 6));
  append(words, step, 75);
  check(words, false, {41954, "(552)^75 = ((21)^26 + 6)^75", "98.68", 10, "4195.40"});
}

TEST_CASE("CG of tables 3 and 5: greedily an iteration of the inner loop is lost") {
  // s1 x^26 t s2 (x^26 t)^75, where x = u m u: so the greedy nest begins inside x.
  Words x, words = {"s1"};
  for (const Words& part : {different("u", 5), different("m", 11), different("u", 5)}) append(x, part);
  Words step;
  append(step, x, 26);
  append(step, different("t", 6));
  append(words, step);
  append(words, {"s2"});
  append(words, step, 75);
  check(words, false, {41954, "(552)^75 = ((21)^26 + 6)^75", "98.68", 10, "4195.40"});
  check(words, true, {41954, "(552)^75 = (5 + (21)^25 + 22)^75", "98.68", 31, "1353.35"});
}

TEST_CASE("MG B and C of the tables, by both algorithms") {
  for (const bool greedy : {false, true})
    for (const auto& [rest, body, row] :
         {std::tuple<size_t, size_t, TableRow>{589, 416, {8909, "(416)^20 = (416)^20", "93.39", 590, "15.10"}},
          {647, 470, {10047, "(470)^20 = (470)^20", "93.56", 648, "15.50"}}}) {
      Words words = different("begin", rest);
      append(words, different("step", body), 20);
      check(words, greedy, row);
    }
}

TEST_CASE("nothing, one symbol, and one symbol many times") {
  for (const auto& nest_of : {+[](const Words& w) { return nests::optimal(w); }, +nests::greedy}) {
    CHECK(nest_of({}).empty());
    CHECK(nest_of({"one"}) == "one");
    CHECK(nest_of(Words(1000, "x")) == "(x)^1000");
  }
}
