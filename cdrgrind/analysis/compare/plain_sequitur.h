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

#include "cdrgrind/encode/digram_table.h"
#include "cdrgrind/encode/grammar.h"

namespace cdr::analysis {

class PlainSequitur {
 public:
  // The number of the new string: 0, 1, 2 …
  uint32_t open_string();
  // `terminal` is less than 2^30. Amortised O(1).
  void append(uint32_t string, uint32_t terminal);

  uint32_t strings() const { return static_cast<uint32_t>(starts_.size()); }
  uint32_t rules() const { return used_rules_; }                // those of the strings included
  size_t symbols() const { return used_nodes_ - used_rules_; }  // of all bodies
  size_t terminals() const;                                     // of these; O(nodes)
  size_t bytes() const;                                         // that are allocated
  void clear();                                                 // forgets all strings

  // All strings, in their order. Every exponent is 1.
  Grammar grammar() const;

 private:
  static constexpr uint32_t kGuardBit = 1u << 30;  // with kRuleBit: the guard of a rule's ring of symbols
  static constexpr uint32_t kFreed = ~0u;

  struct Rule {
    uint32_t guard = 0;  // the guard's next is the body's first symbol, its prev the last
    uint32_t uses = 0;
    uint32_t where = 0;  // the nodes of the uses, xor-ed: with one use, the node
  };
  struct Task {
    enum Kind : uint32_t { kDigram, kUtility } kind;
    uint32_t index;  // node, rule
  };

  bool guard(uint32_t n) const { return (nodes_[n].symbol & (kRuleBit | kGuardBit)) == (kRuleBit | kGuardBit); }
  bool is_digram(uint32_t n) const { return !guard(n) && !guard(nodes_[n].next); }
  bool same(uint32_t n, uint32_t m) const { return nodes_[n].symbol == nodes_[m].symbol; }
  uint32_t new_node(uint32_t symbol);
  void free_node(uint32_t n);
  uint32_t new_rule();
  void set_use(uint32_t n, int change);
  void link(uint32_t left, uint32_t right);

  void forget_digram(uint32_t n);
  void check_later(uint32_t n) { tasks_.push_back({Task::kDigram, n}); }
  void settle();
  void check_digram(uint32_t n);
  void check_utility(uint32_t rule);
  void match(uint32_t n, uint32_t m);
  uint32_t whole_body(uint32_t n) const;
  uint32_t rule_for(uint32_t m);
  void replace(uint32_t n, uint32_t rule);
  void expand(uint32_t n);

  std::vector<SymbolNode> nodes_;
  std::vector<Rule> rules_;
  std::vector<uint32_t> starts_;  // rule of each string
  DigramTable digrams_;
  std::vector<Task> tasks_;
  uint32_t free_nodes_ = 0, free_rules_ = 0;  // lists by next and guard; entry 0 of nodes_ and rules_ is unused
  size_t used_nodes_ = 0;
  uint32_t used_rules_ = 0;
};

}  // namespace cdr::analysis

#endif
