// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/sequitur.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "tests/unit/encode/unfolded.h"
#include "tests/unit/properties.h"

using namespace cdr;
using namespace cdr::test;

namespace {

// What is wrong with the grammar, or nothing.
std::string broken_invariant(const Grammar& g) {
  std::set<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>> digrams;
  std::map<uint32_t, uint64_t> uses;
  for (uint32_t rule = 0; rule < g.rules(); ++rule) {
    const auto body = g.body(rule);
    if (rule >= g.strings() && body.empty()) return "an empty rule";
    for (size_t i = 0; i < body.size(); ++i) {
      if (body[i].count == 0) return "an exponent of 0";
      if (is_rule(body[i].symbol)) uses[rule_of(body[i].symbol)] += body[i].count;
      if (i == 0) continue;
      const Run &a = body[i - 1], &b = body[i];
      if (a.symbol == b.symbol) return "equal neighbours";
      if (!digrams.insert({a.symbol, a.count, b.symbol, b.count}).second) return "a digram twice";
    }
  }
  for (uint32_t rule = g.strings(); rule < g.rules(); ++rule)
    if (uses[rule] < 2) return "a rule used once";
  return "";
}

Grammar grammar_of(const Symbols& s) {
  Sequitur q;
  q.open_string();
  for (const uint32_t c : s) q.append(0, c);
  return q.grammar();
}

// The grammar as `S -> B^2 | B -> a b c`, rules by number.
std::string text_of(const Grammar& g) {
  std::string t;
  for (uint32_t rule = 0; rule < g.rules(); ++rule) {
    if (rule > 0) t += " | ";
    for (const Run& r : g.body(rule)) {
      if (t.size() && t.back() != ' ') t += ' ';
      t += is_rule(r.symbol) ? std::to_string(rule_of(r.symbol)) : std::string(1, static_cast<char>(r.symbol));
      if (r.count > 1) t += "^" + std::to_string(r.count);
    }
  }
  return t;
}

std::string text_of(const std::string& s) { return text_of(grammar_of(Symbols(s.begin(), s.end()))); }

// The algorithm without its short cuts: each symbol goes to the end of the string, and what is to be looked at stands
// in the list.
class ByList : private SequiturCore<ByList> {
 public:
  uint32_t open_string() {
    starts_.push_back(new_rule());
    return static_cast<uint32_t>(starts_.size() - 1);
  }
  void append(uint32_t string, uint32_t terminal, uint32_t count) {
    const uint32_t last = nodes_[rules_[starts_[string]].guard].prev;
    if (!guard(last) && nodes_[last].symbol == terminal) {
      forget_digram(nodes_[last].prev);
      nodes_[last].count += count;
      check_later(nodes_[last].prev);
    } else {
      add_symbol(starts_[string], terminal, count);
    }
    settle();
  }
  Grammar grammar() const { return grammar_of(starts_); }
  size_t symbols() const { return used_nodes_; }

 private:
  friend class SequiturCore<ByList>;
  bool is_digram(uint32_t n) const {
    return !guard(n) && !guard(nodes_[n].next) && nodes_[n].symbol != nodes_[nodes_[n].next].symbol;
  }
  void forget_digram(uint32_t n) {
    if (is_digram(n)) digrams_.erase(nodes_.data(), n);
  }
  bool overlaps(uint32_t, uint32_t) const { return false; }
  void join(uint32_t left, uint32_t right) {
    if (guard(left) || left == right || nodes_[left].symbol != nodes_[right].symbol) return check_later(left);
    const uint32_t before = nodes_[left].prev;
    forget_digram(before);
    forget_digram(right);
    nodes_[left].count += nodes_[right].count;
    link(left, nodes_[right].next);
    free_node(right);
    check_later(before);
    check_later(left);
  }
  std::vector<uint32_t> starts_;
};

Symbols nested_loops() {
  Symbols s;
  const int depth = *rc::gen::inRange(1, 5);
  for (int level = 0; level < depth; ++level) {
    const Symbols body = s;
    const int times = *rc::gen::inRange(1, 6);
    const uint32_t head = *rc::gen::inRange<uint32_t>(0, 4);
    s.push_back(head);
    for (int i = 0; i < times; ++i) s.insert(s.end(), body.begin(), body.end());
    if (*rc::gen::arbitrary<bool>()) s.push_back(*rc::gen::inRange<uint32_t>(0, 4));
  }
  return s;
}

Symbols any_string() {
  if (*rc::gen::inRange(0, 3) == 0) return nested_loops();
  const uint32_t alphabet = *rc::gen::inRange<uint32_t>(1, 6);
  const int length = *rc::gen::inRange(0, 300);
  return *rc::gen::container<Symbols>(static_cast<size_t>(length), rc::gen::inRange<uint32_t>(0, alphabet));
}

}  // namespace

TEST_CASE("SEQUITUR's own examples") {
  CHECK(text_of("abca") == "a b c a");
  CHECK(text_of("abcab") == "1 c 1 | a b");
  CHECK(text_of("abcabc") == "1^2 | a b c");
  CHECK(text_of("xxxx") == "x^4");
  CHECK(text_of("abxxabxx") == "1^2 | a b x^2");
  CHECK(text_of("") == "");
}

TEST_CASE("a loop takes the same symbols however often it runs") {
  Sequitur q;
  q.open_string();
  for (int i = 0; i < 100000; ++i)
    for (const uint32_t c : {1, 2, 3}) q.append(0, c);
  CHECK(q.grammar().symbols() == 4);
  CHECK(q.symbols() == 6);  // and two guards
}

TEST_CASE("a grammar gives its string back and keeps the invariants") {
  constexpr int kStringsATry = 20;  // 2,000 in 100 tries
  rc::prop("one string", [] {
    for (int i = 0; i < kStringsATry; ++i) {
      const Symbols s = any_string();
      Sequitur q;
      q.open_string();
      for (const uint32_t c : s) {
        q.append(0, c);
        if (s.size() < 60) RC_ASSERT(broken_invariant(q.grammar()) == "");
      }
      const Grammar g = q.grammar();
      RC_ASSERT(broken_invariant(g) == "");
      RC_ASSERT(unfolded(g, 0) == s);
    }
  });
}

TEST_CASE("short cuts change no grammar") {
  constexpr int kStringsATry = 20;
  rc::prop("two strings by turns", [] {
    for (int i = 0; i < kStringsATry; ++i) {
      const Symbols s = any_string();
      const auto threads = *rc::gen::container<std::vector<uint32_t>>(s.size(), rc::gen::inRange<uint32_t>(0, 2));
      Sequitur q;
      ByList all;
      for (int string = 0; string < 2; ++string) q.open_string(), all.open_string();
      for (size_t k = 0; k < s.size(); ++k) {
        q.append(threads[k], s[k]);
        q.settle_loops();
        all.append(threads[k], s[k], 1);
        RC_ASSERT(q.symbols() == all.symbols());
      }
      RC_ASSERT(q.grammar() == all.grammar());
    }
  });
}

// Long phrases that come again, whole, cut short, and one behind the other: bodies begin to come and stop.
TEST_CASE("short cuts change no grammar of phrases") {
  rc::prop("strings by turns", [] {
    const auto phrase = rc::gen::container<Symbols>(rc::gen::inRange<uint32_t>(0, 12));
    std::vector<Symbols> phrases = *rc::gen::container<std::vector<Symbols>>(4, phrase);
    Sequitur q;
    ByList all;
    const uint32_t strings = *rc::gen::inRange<uint32_t>(1, 3);
    for (uint32_t i = 0; i < strings; ++i) q.open_string(), all.open_string();
    for (int k = 0; k < 60; ++k) {
      const uint32_t string = *rc::gen::inRange<uint32_t>(0, strings);
      Symbols& p = phrases[*rc::gen::inRange<size_t>(0, phrases.size())];
      const size_t length = *rc::gen::inRange<size_t>(0, p.size() + 1);
      const Symbols more = phrases[0];
      if (p.size() < 40 && length < p.size() / 2) p.insert(p.end(), more.begin(), more.end());
      for (size_t i = 0; i < length; ++i) {
        q.append(string, p[i]);
        q.settle_loops();
        all.append(string, p[i], 1);
        RC_ASSERT(q.symbols() == all.symbols());
      }
    }
    RC_ASSERT(q.grammar() == all.grammar());
  });
}

TEST_CASE("long strings keep the invariants") {
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    uint64_t x = seed * 0x9e3779b97f4a7c15;
    const uint32_t alphabet = 2 + seed % 5;
    Symbols s;
    Symbols phrase;
    while (s.size() < 5000) {
      x = mix64(x + seed);
      if (x % 7 == 0 && !s.empty())
        phrase.assign(s.end() - static_cast<long>(std::min<size_t>(s.size(), x / 7 % 40)), s.end());
      if (x % 3 == 0) s.insert(s.end(), phrase.begin(), phrase.end());
      s.push_back(static_cast<uint32_t>(x >> 32) % alphabet);
    }
    const Grammar g = grammar_of(s);
    CHECK(broken_invariant(g) == "");
    CHECK(unfolded(g, 0) == s);
  }
}

TEST_CASE("runs appended whole") {
  rc::prop("runs", [] {
    const auto runs = *rc::gen::container<std::vector<std::pair<uint32_t, uint32_t>>>(
        rc::gen::pair(rc::gen::inRange<uint32_t>(0, 3), rc::gen::inRange<uint32_t>(1, 4)));
    Sequitur q;
    q.open_string();
    Symbols s;
    for (const auto& [symbol, count] : runs) {
      q.append(0, symbol, count);
      s.insert(s.end(), count, symbol);
    }
    RC_ASSERT(broken_invariant(q.grammar()) == "");
    RC_ASSERT(unfolded(q.grammar(), 0) == s);
  });
}

TEST_CASE("several strings side by side share rules") {
  rc::prop("strings", [] {
    const auto symbols = *rc::gen::container<std::vector<std::pair<uint32_t, uint32_t>>>(
        rc::gen::pair(rc::gen::inRange<uint32_t>(0, 3), rc::gen::inRange<uint32_t>(0, 3)));
    Sequitur q;
    std::vector<Symbols> strings(3);
    for (int i = 0; i < 3; ++i) q.open_string();
    for (const auto& [string, symbol] : symbols) {
      q.append(string, symbol);
      strings[string].push_back(symbol);
    }
    const Grammar g = q.grammar();
    RC_ASSERT(broken_invariant(g) == "");
    for (uint32_t i = 0; i < 3; ++i) RC_ASSERT(unfolded(g, i) == strings[i]);
  });
}

// Loops around loops in three strings, told in pieces by turns, so that strings change each other's rules while
// they are expected to go on as they did. Neighbouring runs are of different terminals, as callers have them.
TEST_CASE("loops in several strings") {
  rc::prop("loops", [] {
    Sequitur q;
    std::vector<Symbols> strings(3);
    std::vector<size_t> at(3);
    for (auto& s : strings) {
      q.open_string();
      const Symbols once = nested_loops();
      const int times = *rc::gen::inRange(1, 12);
      for (int i = 0; i < times; ++i) s.insert(s.end(), once.begin(), once.end());
      if (*rc::gen::arbitrary<bool>()) s.push_back(7);
      if (*rc::gen::arbitrary<bool>()) s.insert(s.end(), once.begin(), once.end());
    }
    const auto turns = *rc::gen::container<std::vector<uint32_t>>(40, rc::gen::inRange<uint32_t>(0, 3));
    const auto tell = [&](uint32_t i, size_t runs) {
      for (const Symbols& s = strings[i]; runs > 0 && at[i] < s.size(); --runs) {
        const size_t begin = at[i];
        while (at[i] < s.size() && s[at[i]] == s[begin]) ++at[i];
        q.append(i, s[begin], static_cast<uint32_t>(at[i] - begin));
      }
    };
    for (const uint32_t i : turns) tell(i, 1 + at[i] % 17);
    for (uint32_t i = 0; i < 3; ++i) {
      tell(i, strings[i].size());
      if (*rc::gen::arbitrary<bool>()) q.settle_loops();
    }
    const Grammar g = q.grammar();
    RC_ASSERT(broken_invariant(g) == "");
    for (uint32_t i = 0; i < 3; ++i) RC_ASSERT(unfolded(g, i) == strings[i]);
  });
}

TEST_CASE("an exponent that would overflow starts a new symbol") {
  Sequitur q;
  q.open_string();
  const uint32_t most = ~0u;
  q.append(0, 7, most);
  q.append(0, 7, most - 1);
  q.append(0, 7, 1);
  q.append(0, 7, 5);
  const Grammar g = q.grammar();
  REQUIRE(g.symbols() == 3);
  CHECK(g.body(0)[0] == Run{7, most});
  CHECK(g.body(0)[1] == Run{7, most});
  CHECK(g.body(0)[2] == Run{7, 5});
}

TEST_CASE("cleared, it starts anew") {
  Sequitur q;
  q.open_string();
  for (const char c : std::string("abcabcabd")) q.append(0, static_cast<uint32_t>(c));
  q.clear();
  CHECK(q.symbols() == 0);
  q.open_string();
  for (const char c : std::string("abcabc")) q.append(0, static_cast<uint32_t>(c));
  CHECK(text_of(q.grammar()) == "1^2 | a b c");
}
