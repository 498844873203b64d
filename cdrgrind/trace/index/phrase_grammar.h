// SPDX-License-Identifier: GPL-2.0-or-later
// A grammar for strings in which little repeats, in linear time; SEQUITUR (encode/sequitur.h) takes five times as long
// there. Strings are cut into phrases, and equal phrases are one rule; what was made of phrases is cut again, until a
// string is short. Where to cut is said by the two symbols at a cut, unless a phrase would become too short or too
// long; so equal parts of strings are cut alike, but for their ends, whatever stands around them (locally consistent
// parsing: Sahinalp and Vishkin 1994). Rules are short, but for those that are there beforehand, and O(log n) deep, so
// places are found fast.
//
// The form is that of encode/grammar.h, but that rules are not numbered by their first use: they stand behind those
// that use them.
#ifndef CDRGRIND_TRACE_INDEX_PHRASE_GRAMMAR_H
#define CDRGRIND_TRACE_INDEX_PHRASE_GRAMMAR_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/encode/grammar.h"
#include "cdrgrind/trace/index/sequence_table.h"

namespace cdr::trace {

// Whether to cut between two neighbours; `round` makes another choice of the same.
constexpr bool cuts_between(uint32_t left, uint32_t right, uint32_t round) {
  const uint32_t mixed = (left * 0x9E3779B1u) ^ ((right + round) * 0x85EBCA77u);
  return ((mixed ^ mixed >> 15) * 0xC2B2AE3Du) >> 29 == 0;  // of eight pairs one
}

class PhraseGrammar {
 public:
  explicit PhraseGrammar(uint32_t strings) : strings_(strings, String(1)) {}

  // To the end of a string. `symbol`: a terminal, or what add_rule() returned.
  void append(uint32_t string, Run r) { append(strings_[string], 0, r); }
  // A rule that is there beforehand; not empty. As a symbol.
  uint32_t add_rule(std::span<const Run> body) { return kRuleBit | bodies_.number_of(body); }

  // Of all strings. Nothing may be added behind.
  Grammar finish();

 private:
  static constexpr size_t kLongestString = 32, kLongestPhrase = 16, kWindow = 1 << 16;
  // What was cut k times stands before what was cut less often: no part is kept that is longer than a window, so memory
  // is that of the rules.
  using String = std::vector<std::vector<Run>>;
  struct RunKey {
    uint64_t operator()(const Run& r) const { return uint64_t{r.count} << 32 | r.symbol; }
  };
  static void add(std::vector<Run>& runs, Run r) {
    if (!runs.empty() && runs.back().symbol == r.symbol && r.count <= ~runs.back().count)
      runs.back().count += r.count;
    else
      runs.push_back(r);
  }
  // To what was cut `round` times.
  void append(String& string, uint32_t round, Run r) {
    add(string[round], r);
    if (string[round].size() == kWindow) carry(string, round);
  }
  template <class F>
  void cut(std::span<const Run> runs, uint32_t round, F phrase);
  void carry(String& string, uint32_t round);
  std::vector<Run> finish(String& string);

  std::vector<String> strings_;
  SequenceTable<Run, RunKey> bodies_;
};

}  // namespace cdr::trace

#endif
