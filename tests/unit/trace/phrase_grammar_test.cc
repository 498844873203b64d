// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/phrase_grammar.h"

#include "tests/unit/properties.h"

using namespace cdr;
using namespace cdr::trace;

namespace {

// Terminals of a string, each as often as it comes.
std::vector<uint32_t> unfolded(const Grammar& g, uint32_t string) {
  std::vector<uint32_t> terminals;
  unfold(g, string, [&](uint32_t t, uint32_t count) { terminals.insert(terminals.end(), count, t); });
  return terminals;
}

// Behind those that use it stands each rule, and none is empty or long.
void check_rules(const Grammar& g) {
  for (uint32_t rule = 0; rule < g.rules(); ++rule) {
    REQUIRE(g.body(rule).size() <= (rule < g.strings() ? 32 : 16));
    REQUIRE((rule < g.strings() || !g.body(rule).empty()));
    for (const Run& r : g.body(rule)) REQUIRE((!is_rule(r.symbol) || rule_of(r.symbol) > rule));
  }
}

Grammar grammar_of(const std::vector<uint32_t>& text) {
  PhraseGrammar g(1);
  for (const uint32_t t : text) g.append(0, {t, 1});
  return g.finish();
}

std::vector<uint32_t> random_text(uint32_t seed, size_t length, uint32_t symbols) {
  std::vector<uint32_t> text;
  uint64_t state = seed;
  for (size_t i = 0; i < length; ++i) text.push_back(static_cast<uint32_t>(mix64(++state) % symbols));
  return text;
}

}  // namespace

TEST_CASE("a grammar of phrases has the strings that were appended") {
  rc::prop("any runs, in any order", [] {
    const auto strings = *rc::gen::inRange<uint32_t>(1, 4);
    const auto symbols = *rc::gen::element<uint32_t>(2, 5, 100);
    const uint32_t most = *rc::gen::element<uint32_t>(2, 9);
    PhraseGrammar made(strings);
    std::vector<std::vector<uint32_t>> texts(strings);
    for (uint32_t n = *rc::gen::inRange<uint32_t>(0, 3000); n > 0; --n) {
      const uint64_t random = mix64(n * uint64_t{strings} + symbols);
      const auto string = static_cast<uint32_t>(random % strings), symbol = static_cast<uint32_t>(random / 7 % symbols);
      const auto count = static_cast<uint32_t>(1 + random / 1000 % most);
      made.append(string, {symbol, count});
      texts[string].insert(texts[string].end(), count, symbol);
    }
    const Grammar g = made.finish();
    RC_ASSERT(g.strings() == strings);
    check_rules(g);
    for (uint32_t s = 0; s < strings; ++s) RC_ASSERT(unfolded(g, s) == texts[s]);
  });
}

TEST_CASE("rules that were there before stay in a grammar of phrases") {
  PhraseGrammar made(1);
  const Run inner[] = {{7, 2}, {8, 1}};
  const uint32_t rule = made.add_rule(inner);
  CHECK(made.add_rule(inner) == rule);
  const Run outer[] = {{rule, 3}, {9, 1}};
  made.append(0, {1, 1});
  made.append(0, {made.add_rule(outer), 2});
  made.append(0, {rule, 1});
  const Grammar g = made.finish();
  check_rules(g);
  CHECK(g.rules() == 3);
  CHECK(unfolded(g, 0) ==
        std::vector<uint32_t>{1, 7, 7, 8, 7, 7, 8, 7, 7, 8, 9, 7, 7, 8, 7, 7, 8, 7, 7, 8, 9, 7, 7, 8});
}

TEST_CASE("what repeats is there once in a grammar of phrases") {
  const std::vector<uint32_t> period = random_text(1, 997, 50);
  std::vector<uint32_t> text;
  for (int i = 0; i < 1000; ++i) text.insert(text.end(), period.begin(), period.end());
  const Grammar repeated = grammar_of(text);
  check_rules(repeated);
  CHECK(unfolded(repeated, 0) == text);
  CHECK(repeated.symbols() < 5000);

  // More often than there is room for at a time.
  std::vector<uint32_t> pairs(1 << 20);
  for (size_t i = 0; i < pairs.size(); ++i) pairs[i] = i % 2;
  const Grammar alternating = grammar_of(pairs);
  check_rules(alternating);
  CHECK(unfolded(alternating, 0) == pairs);
  CHECK(alternating.symbols() < 200);

  // Whatever stands around it.
  const std::vector<uint32_t> middle = random_text(2, 100000, 1000);
  const size_t alone = grammar_of(middle).symbols();
  PhraseGrammar made(3);
  for (uint32_t s = 0; s < 3; ++s) {
    for (const uint32_t t : random_text(3 + s, 10 + s, 1000)) made.append(s, {t, 1});
    for (const uint32_t t : middle) made.append(s, {t, 1});
  }
  const Grammar three = made.finish();
  check_rules(three);
  CHECK(three.symbols() < alone + alone / 20);
}

TEST_CASE("a grammar of phrases of what never repeats is little larger than that") {
  std::vector<uint32_t> text(200000);
  for (uint32_t i = 0; i < text.size(); ++i) text[i] = i;
  const Grammar g = grammar_of(text);
  check_rules(g);
  CHECK(unfolded(g, 0) == text);
  CHECK(g.symbols() < text.size() + text.size() / 4);
}

namespace {

struct NoKey {
  uint64_t operator()(uint32_t) const { return 0; }
};

}  // namespace

TEST_CASE("sequences with one hash have numbers of their own") {
  SequenceTable<uint32_t, NoKey> table;
  for (int round = 0; round < 2; ++round)
    for (uint32_t i = 0; i < 200; ++i) {
      const uint32_t sequence[] = {i, i + 1, 5};
      CHECK(table.number_of(sequence) == i);
      CHECK(std::ranges::equal(table[i], sequence));
    }
  CHECK(table.size() == 200);
}
