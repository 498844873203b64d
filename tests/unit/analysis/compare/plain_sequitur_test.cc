// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/plain_sequitur.h"

#include <map>
#include <string>
#include <utility>

#include "tests/unit/encode/unfolded.h"
#include "tests/unit/properties.h"

using namespace cdr;
using namespace cdr::test;
using cdr::compare::PlainSequitur;

namespace {

// What is wrong with the grammar, or nothing. Equal digrams may overlap.
std::string broken_invariant(const Grammar& g) {
  std::map<std::pair<uint32_t, uint32_t>, std::pair<uint32_t, size_t>> digrams;  // to the rule and place of the last
  std::map<uint32_t, uint32_t> uses;
  for (uint32_t rule = 0; rule < g.rules(); ++rule) {
    const auto body = g.body(rule);
    if (rule >= g.strings() && body.size() < 2) return "a short rule";
    for (size_t i = 0; i < body.size(); ++i) {
      if (body[i].count != 1) return "an exponent";
      if (is_rule(body[i].symbol)) ++uses[rule_of(body[i].symbol)];
      if (i == 0) continue;
      const auto [place, added] = digrams.insert({{body[i - 1].symbol, body[i].symbol}, {rule, i}});
      if (added) continue;
      if (place->second != std::pair{rule, i - 1}) return "a digram twice";
      place->second = {rule, i};
    }
  }
  for (uint32_t rule = g.strings(); rule < g.rules(); ++rule)
    if (uses[rule] < 2) return "a rule used once";
  return "";
}

Grammar grammar_of(const Symbols& s) {
  PlainSequitur q;
  q.open_string();
  for (const uint32_t c : s) q.append(0, c);
  return q.grammar();
}

std::string text_of(const std::string& s) {
  const Grammar g = grammar_of(Symbols(s.begin(), s.end()));
  std::string t;
  for (uint32_t rule = 0; rule < g.rules(); ++rule) {
    if (rule > 0) t += " |";
    for (const Run& r : g.body(rule)) {
      if (!t.empty()) t += ' ';
      t += is_rule(r.symbol) ? std::to_string(rule_of(r.symbol)) : std::string(1, static_cast<char>(r.symbol));
    }
  }
  return t;
}

Symbols few_symbols() {
  const auto letters = *rc::gen::inRange<uint32_t>(1, 5);
  return *rc::gen::container<Symbols>(rc::gen::inRange<uint32_t>(0, letters));
}

}  // namespace

TEST_CASE("plain SEQUITUR makes the grammars of the paper's example, step by step") {
  CHECK(text_of("abca") == "a b c a");
  CHECK(text_of("abcab") == "1 c 1 | a b");
  CHECK(text_of("abcabc") == "1 1 | a b c");
}

TEST_CASE("plain SEQUITUR halves runs of one symbol") {
  CHECK(text_of("xxx") == "x x x");
  CHECK(text_of("xxxx") == "1 1 | x x");
  CHECK(text_of("xxxxxxxx") == "1 1 | 2 2 | x x");
}

TEST_CASE("of overlapping digrams the one that is left is found again") {
  // bb is known at its first place of bbb; when that goes into a rule with what stands before it, the second place
  // is the one that the last bb has to meet.
  CHECK(broken_invariant(grammar_of({'a', 'b', 'b', 'b', 'a', 'b', 'c', 'b', 'b'})).empty());
  CHECK(broken_invariant(grammar_of({'b', 'b', 'b', 'c', 'b', 'c', 'b', 'b'})).empty());
}

TEST_CASE("plain SEQUITUR counts the symbols and rules of its grammar") {
  PlainSequitur q;
  const uint32_t s = q.open_string();
  for (const char c : std::string("abcabc")) q.append(s, static_cast<uint32_t>(c));
  CHECK(q.symbols() == 5);
  CHECK(q.rules() == 2);
  q.clear();
  CHECK(q.symbols() == 0);
  CHECK(q.strings() == 0);
}

TEST_CASE("strings of plain SEQUITUR share rules") {
  PlainSequitur q;
  const uint32_t a = q.open_string(), b = q.open_string();
  for (const uint32_t t : {1, 2, 3, 4}) q.append(a, t);
  for (const uint32_t t : {1, 2, 3, 4}) q.append(b, t);
  const Grammar g = q.grammar();
  CHECK(unfolded(g, a) == Symbols{1, 2, 3, 4});
  CHECK(unfolded(g, b) == Symbols{1, 2, 3, 4});
  CHECK(g.rules() == 3);
}

TEST_CASE("plain SEQUITUR derives exactly what it read and keeps both invariants") {
  rc::prop("random strings over few symbols", [] {
    const Symbols s = few_symbols();
    const Grammar g = grammar_of(s);
    RC_ASSERT(unfolded(g, 0) == s);
    RC_ASSERT(broken_invariant(g) == "");
  });
  rc::prop("the same a hundred times", [] {
    const Symbols once = few_symbols();
    Symbols s;
    for (int i = 0; i < 100; ++i) s.insert(s.end(), once.begin(), once.end());
    const Grammar g = grammar_of(s);
    RC_ASSERT(unfolded(g, 0) == s);
    RC_ASSERT(broken_invariant(g) == "");
  });
}
