// SPDX-License-Identifier: GPL-2.0-or-later
// A grammar at rest: what SEQUITUR made of one or several strings, what a frame holds and what a reader
// works on. Every rule derives exactly one string of terminals, and no rule uses itself.
//
// Form: rules 0 … strings-1 are the start rules; the others are numbered in the order of their first use, bodies
// being read in the order of their rules (so a rule's number is greater than that of the rule that uses
// it first).
#ifndef CDRGRIND_ENCODE_GRAMMAR_H
#define CDRGRIND_ENCODE_GRAMMAR_H

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/bytes.h"

namespace cdr {

// A symbol of a body with its exponent: `count` times the terminal or rule, count >= 1.
struct Run {
  uint32_t symbol = 0;
  uint32_t count = 0;
  bool operator==(const Run&) const = default;
};

// Symbols with this bit are rules.
constexpr uint32_t kRuleBit = 1u << 31;
constexpr bool is_rule(uint32_t symbol) { return symbol & kRuleBit; }
constexpr uint32_t rule_of(uint32_t symbol) { return symbol & ~kRuleBit; }

class Grammar {
 public:
  uint32_t strings() const { return strings_; }
  uint32_t rules() const { return static_cast<uint32_t>(ends_.size()); }  // start rules included
  size_t symbols() const { return runs_.size(); }
  std::span<const Run> body(uint32_t rule) const {
    const uint32_t begin = rule == 0 ? 0 : ends_[rule - 1];
    return {runs_.data() + begin, ends_[rule] - begin};
  }

  // Building: the bodies in the order of their rules.
  explicit Grammar(uint32_t strings = 0) : strings_(strings) {}
  void add_symbol(Run r) { runs_.push_back(r); }
  void end_rule() { ends_.push_back(static_cast<uint32_t>(runs_.size())); }

  bool operator==(const Grammar&) const = default;

 private:
  uint32_t strings_;
  std::vector<Run> runs_;
  std::vector<uint32_t> ends_;  // of the bodies in runs_
};

// Reads a string run by run, on demand. Memory for the depth of the grammar.
class GrammarCursor {
 public:
  // `g` must outlive the cursor.
  GrammarCursor(const Grammar& g, uint32_t string) : grammar_(&g), stack_{{string, 0, 0}} {}

  // The next terminal and its count; neighbours may have equal terminals. False at the end.
  bool next(Run& r) {
    while (!stack_.empty()) {
      OpenRule& p = stack_.back();
      const auto body = grammar_->body(p.rule);
      if (p.at == body.size()) {
        if (p.copies == 0) {
          stack_.pop_back();
        } else {
          --p.copies;
          p.at = 0;
        }
        continue;
      }
      r = body[p.at++];
      if (!is_rule(r.symbol)) return true;
      stack_.push_back({rule_of(r.symbol), 0, r.count - 1});
    }
    return false;
  }

 private:
  struct OpenRule {
    uint32_t rule, at, copies;  // copies: how many more times the body is read after this one
  };
  const Grammar* grammar_;
  std::vector<OpenRule> stack_;
};

// Calls f(terminal, count) for every run of the string, in order; neighbouring runs may have equal terminals.
template <class F>
void unfold(const Grammar& g, uint32_t string, F f) {
  GrammarCursor cursor(g, string);
  for (Run r; cursor.next(r);) f(r.symbol, r.count);
}

// The grammar as columns, each a text of its own so that each compresses on its own: lengths of the bodies;
// kinds of the symbols; terminals; distances of references back; exponents.
//
// A kind is one byte: 0 a terminal, 1 the first use of the next rule, 2 another use of a rule, plus 4 if an
// exponent other than 1 stands in its column. A reference is the next rule's number at that place less the rule's.
// Terminals from `first_serial` on have numbers by first appearance: they are written as SerialNumbers.
enum GrammarColumn : uint32_t {
  kGrammarLengths,
  kGrammarKinds,
  kGrammarTerminals,
  kGrammarReferences,
  kGrammarExponents,
  kGrammarColumns
};
void write_columns(const Grammar& g, uint32_t first_serial, std::span<ByteWriter, kGrammarColumns> to);

using GrammarBytes = std::array<std::span<const uint8_t>, kGrammarColumns>;
// False if the columns are damaged. Accepts only what write_columns makes: every reference leads to a rule,
// every rule but the start rules is used and not empty, none uses itself, all columns are used up,
// terminals < `terminals`.
bool read_columns(const GrammarBytes& from, uint32_t first_serial, uint32_t strings, uint32_t terminals, Grammar& to);

}  // namespace cdr

#endif
