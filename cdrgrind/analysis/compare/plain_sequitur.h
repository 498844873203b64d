// SPDX-License-Identifier: GPL-2.0-or-later
// SEQUITUR as it was published (Nevill-Manning and Witten 1997), over symbols without exponents: what Larus' whole
// program paths and Goel, Roychoudhury and Mitra's COR and DOR are made with. For comparison: what a trace is encoded
// with is encode/sequitur.h, where the algorithm is explained. The differences:
//
//  * A loop of n iterations takes O(log n) rules, for x x x x is A A with A -> x x.
//  * A digram may overlap itself: of x x x only one of the two x x stands in the table, and the other is no second
//    occurrence. When the one is taken away the other takes its place.
//
// Several strings share one arena and one table of digrams, hence rules. Callers that want no rules in common use
// terminals that are not in common, or several objects.
//
// Memory: 16 bytes a symbol of the grammar, 12 a rule, 8 to 16 a digram. Nothing recurses.
#ifndef CDRGRIND_ANALYSIS_COMPARE_PLAIN_SEQUITUR_H
#define CDRGRIND_ANALYSIS_COMPARE_PLAIN_SEQUITUR_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cdrgrind/encode/sequitur_core.h"

namespace cdr::compare {

class PlainSequitur : private SequiturCore<PlainSequitur> {
 public:
  // The number of the new string: 0, 1, 2 …
  uint32_t open_string();
  // `terminal` is less than 2^30. Amortised O(1).
  void append(uint32_t string, uint32_t terminal);

  uint32_t strings() const { return static_cast<uint32_t>(starts_.size()); }
  uint32_t rules() const { return used_rules_; }                // those of the strings included
  size_t symbols() const { return used_nodes_ - used_rules_; }  // of all bodies
  size_t terminals() const;                                     // of these; O(nodes)
  size_t bytes() const { return core_bytes(); }                 // of memory, as it grows
  void clear() { *this = PlainSequitur(); }                     // forgets all strings

  // All strings, in their order. Every exponent is 1.
  Grammar grammar() const { return grammar_of(starts_); }

 private:
  friend class SequiturCore<PlainSequitur>;

  bool is_digram(uint32_t n) const { return !guard(n) && !guard(nodes_[n].next); }
  void forget_digram(uint32_t n);
  bool overlaps(uint32_t n, uint32_t m) const { return nodes_[m].next == n || nodes_[n].next == m; }
  void join(uint32_t left, uint32_t) { check_later(left); }
  bool same(uint32_t n, uint32_t m) const { return nodes_[n].symbol == nodes_[m].symbol; }

  std::vector<uint32_t> starts_;  // rule of each string
};

}  // namespace cdr::compare

#endif
