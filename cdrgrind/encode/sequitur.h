// SPDX-License-Identifier: GPL-2.0-or-later
// Run-length SEQUITUR: an online compressor that turns strings into a grammar (Nevill-Manning and Witten 1997;
// Goel, Roychoudhury and Mitra 2003, section 2), here over symbols with exponents.
//
// How it works. It reads one symbol after the other and keeps two invariants: no pair of neighbouring symbols
// (a *digram*) occurs twice, and every rule but the start rules is used more than once. On `abcabc`:
//
//     read      grammar                      what happened
//     abca      S -> a b c a
//     b         S -> a b c a b               the digram ab occurs twice: a rule is made for it,
//               S -> A c A     A -> a b      and takes the place of both
//     c         S -> A c A c   A -> a b      Ac occurs twice:
//               S -> B B       B -> A c      a rule for it; now A is used only once,
//               S -> B B       B -> a b c    so its body goes where it is used
//
// and, since equal neighbours are one symbol with an exponent: S -> B^2.
//
// Exponents. x x x is x^3, one symbol. Neighbours with equal symbols are always merged; digrams are equal if
// symbols and exponents are; a rule that is used once, with an exponent of 2 or more, stays. So a loop of n
// iterations takes O(1) symbols, not O(log n). Exponents have 32 bits: where a sum would overflow the
// symbols stay apart: the one case of equal neighbours. Such a digram is in no table and matches nothing.
//
// A rule's body may shrink to a single symbol, by merging or because a whole body equals another. It stays:
// it breaks no invariant, and is rare.
//
// Loops. A string that ends in a rule with an exponent is expected to go on with that rule's runs. As long as it
// does, they are compared with the rule's and not read; where it does not, the exponent is raised by the times
// that the whole rule was seen, and the rest is read as above. So the symbols of a loop cost a comparison each. What
// is still expected must be settled (settle_loops) before anything but appending.
//
// Beginnings. Where the end of a string repeats the beginning of a rule's body, a rule has to be made of what they have
// in common, and another symbol that follows goes into it, until the body has come as a whole: then that rule is used
// once, and is dissolved. Mostly that is what happens, so the beginning is only remembered, and the symbols that follow
// are compared with the body. The rule is made when something else comes. All numbers are as if it stood there.
//
// Several strings share one arena and one table of digrams, hence rules. Callers that want no rules in common
// use terminals that are not in common.
//
// Memory: 16 bytes a symbol of the grammar, 12 a rule, 8 to 16 a digram, 8 an expected run; indices are 32 bits
// wide. Nothing recurses. The result depends on the appended runs alone.
#ifndef CDRGRIND_ENCODE_SEQUITUR_H
#define CDRGRIND_ENCODE_SEQUITUR_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/encode/sequitur_core.h"

namespace cdr {

class Sequitur : private SequiturCore<Sequitur> {
 public:
  // The number of the new string: 0, 1, 2 …
  uint32_t open_string();
  // Appends `terminal` (less than 2^30) `count` times, count >= 1. Amortised O(1). Loops are found sooner and
  // cost less if neighbouring runs are of different terminals.
  void append(uint32_t string, uint32_t terminal, uint32_t count = 1) {
    String& s = strings_[string];
    if (s.at < s.period.size() && s.period[s.at].symbol == terminal && s.period[s.at].count == count) [[likely]] {
      if (++s.at == s.period.size()) {
        s.at = 0;
        ++s.copies;
      }
      return;
    }
    read_run(s, terminal, count);
  }
  // What the strings are expected to go on with is read or forgotten.
  void settle_loops();

  uint32_t strings() const { return static_cast<uint32_t>(strings_.size()); }
  // Of all bodies, and one for each rule.
  size_t symbols() const { return used_nodes_; }
  // Memory, as it grows, and for the grammar besides.
  size_t bytes() const;
  // Forgets all strings.
  void clear() { *this = Sequitur(); }

  // All strings, in their order.
  Grammar grammar();
  // These strings, in this order; each at most once.
  Grammar grammar(std::span<const uint32_t> strings);

 private:
  friend class SequiturCore<Sequitur>;
  static constexpr uint32_t kMaxCount = ~0u;

  struct String {
    uint32_t guard = 0;       // of its rule
    uint32_t at = 0;          // so many runs of the period have come,
    uint64_t copies = 0;      // after it as a whole so many times
    std::vector<Run> period;  // what is expected; empty if nothing is
  };
  struct Beginning {
    uint32_t string = 0;  // the guard of the string's rule
    uint32_t first = 0;   // of the body
    uint32_t next = 0;    // what has not come yet; 0: there is no beginning
  };
  static constexpr uint32_t kBeginningNodes = 2;  // more than without a rule: its guard and a symbol
  struct OpenRule {
    uint32_t node, more;  // more: how many more times its body is read after this one
  };

  void read_run(String& s, uint32_t terminal, uint32_t count);
  void push(const String& s, uint32_t terminal, uint32_t count);
  void push_here(const String& s, uint32_t terminal, uint32_t count);
  void push_slowly(const String& s, uint32_t symbol, uint32_t count);
  bool begins(uint32_t m) const;
  void remember_beginning(const String& s, uint32_t m);
  bool goes_on(const String& s, uint32_t terminal, uint32_t count);
  void forget_beginning();
  void make_beginning();
  bool extend(uint32_t n, const SymbolNode& second, uint32_t m);
  uint32_t replace_last(uint32_t n, uint32_t rule);
  void drop_last(uint32_t n);
  void settle_end(uint32_t n, uint32_t rule, uint32_t second);
  void expect_loop(String& s, uint32_t rule);
  void settle_loop(String& s);
  void push_copies(const String& s);
  bool runs_of(uint32_t rule);

  bool mergeable(uint32_t left, uint32_t right) const;
  bool is_digram(uint32_t n) const {
    return !guard(n) && !guard(nodes_[n].next) && nodes_[n].symbol != nodes_[nodes_[n].next].symbol;
  }
  void forget_digram(uint32_t n) {
    if (is_digram(n)) digrams_.erase(nodes_.data(), n);
  }
  bool overlaps(uint32_t, uint32_t) const { return false; }
  void join(uint32_t left, uint32_t right);

  std::vector<String> strings_;
  Beginning beginning_;    // of a string's last symbols
  std::vector<Run> runs_;  // of runs_of
  std::vector<OpenRule> open_rules_;
  size_t expected_runs_ = 0;  // of all strings, memory for them
};

}  // namespace cdr

#endif
