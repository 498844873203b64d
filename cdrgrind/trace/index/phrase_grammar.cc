// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/phrase_grammar.h"

#include <utility>

namespace cdr::trace {

// Calls phrase(run) for the phrases in place of what they are of. Those have at least two symbols each, but for a last
// one, so they are at most half as many.
template <class F>
void PhraseGrammar::cut(std::span<const Run> runs, uint32_t round, F phrase) {
  const auto end_phrase = [&](size_t begin, size_t end) {
    phrase(end - begin == 1 ? runs[begin] : Run{add_rule(runs.subspan(begin, end - begin)), 1});
  };
  size_t begin = 0;
  for (size_t i = 2; i < runs.size(); ++i) {
    if (i - begin < 2) continue;
    if (i - begin < kLongestPhrase && !cuts_between(runs[i - 1].symbol, runs[i].symbol, round)) continue;
    end_phrase(begin, i);
    begin = i;
  }
  if (begin < runs.size()) end_phrase(begin, runs.size());
}

// What was cut so often is cut once more.
void PhraseGrammar::carry(String& string, uint32_t round) {
  const std::vector<Run> runs = std::exchange(string[round], {});
  if (round + 1 == string.size()) string.emplace_back();
  cut(runs, round, [&](Run r) { append(string, round + 1, r); });
}

std::vector<Run> PhraseGrammar::finish(String& string) {
  uint32_t round = 0;
  for (; round + 1 < string.size(); ++round) carry(string, round);
  std::vector<Run>& whole = string.back();
  for (; whole.size() > kLongestString; ++round) {
    const std::vector<Run> runs = std::exchange(whole, {});
    cut(runs, round, [&](Run r) { add(whole, r); });
  }
  return std::move(whole);
}

// A body refers to rules that were there before it; so in the grammar rules stand in the opposite order.
Grammar PhraseGrammar::finish() {
  std::vector<std::vector<Run>> short_strings;
  for (String& string : strings_) short_strings.push_back(finish(string));
  const auto strings = static_cast<uint32_t>(strings_.size());
  const uint32_t last = strings + bodies_.size() - 1;
  Grammar g(strings);
  const auto write = [&](std::span<const Run> body) {
    for (const Run& r : body) g.add_symbol(is_rule(r.symbol) ? Run{kRuleBit | (last - rule_of(r.symbol)), r.count} : r);
    g.end_rule();
  };
  for (const std::vector<Run>& runs : short_strings) write(runs);
  for (uint32_t rule = bodies_.size(); rule-- > 0;) write(bodies_[rule]);
  return g;
}

}  // namespace cdr::trace
