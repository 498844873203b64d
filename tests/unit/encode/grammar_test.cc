// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/grammar.h"

#include <utility>

#include "cdrgrind/encode/sequitur.h"
#include "tests/unit/properties.h"

using namespace cdr;

namespace {

using Writers = std::array<ByteWriter, kGrammarColumns>;

GrammarBytes bytes_of(const Writers& c) {
  GrammarBytes b;
  for (size_t i = 0; i < c.size(); ++i) b[i] = c[i].bytes();
  return b;
}

Grammar random_grammar() {
  Sequitur q;
  q.open_string();
  q.open_string();
  const auto symbols = *rc::gen::container<std::vector<std::pair<bool, uint32_t>>>(
      rc::gen::pair(rc::gen::arbitrary<bool>(), rc::gen::inRange<uint32_t>(0, 4)));
  for (const auto& [string, symbol] : symbols) q.append(string, symbol, 1 + symbol % 2);
  return q.grammar();
}

// S -> 1 1 and 1 -> `symbol`, in columns.
bool accepts(Run symbol) {
  Grammar g(1);
  g.add_symbol({kRuleBit | 1, 1});
  g.add_symbol({kRuleBit | 1, 1});
  g.end_rule();
  g.add_symbol(symbol);
  g.end_rule();
  Writers c;
  write_columns(g, 2, c);
  Grammar back;
  return read_columns(bytes_of(c), 2, 1, 10, back) && back == g;
}

}  // namespace

TEST_CASE("columns give the grammar back") {
  rc::prop("round trip", [] {
    const Grammar g = random_grammar();
    Writers c;
    write_columns(g, 2, c);
    Grammar back;
    RC_ASSERT(read_columns(bytes_of(c), 2, 2, 4, back));
    RC_ASSERT(back == g);
  });
}

TEST_CASE("damaged columns are refused or are another grammar, and never more") {
  rc::prop("damage", [] {
    Writers c;
    write_columns(random_grammar(), 2, c);
    std::vector<std::vector<uint8_t>> columns;
    for (const ByteWriter& w : c) columns.emplace_back(w.bytes().begin(), w.bytes().end());
    auto& column = columns[*rc::gen::inRange<size_t>(0, 5)];
    if (column.empty()) return;
    column[*rc::gen::inRange<size_t>(0, column.size())] ^= *rc::gen::inRange<uint8_t>(1, 255);
    Grammar back;
    if (!read_columns({columns[0], columns[1], columns[2], columns[3], columns[4]}, 2, 2, 4, back)) return;
    Writers again;
    write_columns(back, 2, again);
    Grammar twice;
    RC_ASSERT(read_columns(bytes_of(again), 2, 2, 4, twice));
    RC_ASSERT(twice == back);
  });
}

TEST_CASE("what no writer makes is refused") {
  CHECK(accepts({3, 1}));
  CHECK_FALSE(accepts({10, 1}));            // no such terminal
  CHECK_FALSE(accepts({kRuleBit | 1, 1}));  // uses itself
  CHECK_FALSE(accepts({kRuleBit | 0, 1}));  // uses the start rule
  Grammar g;
  CHECK_FALSE(read_columns({}, 2, 1, 10, g));  // no start rule
}
