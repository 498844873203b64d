// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a string of a grammar run by run, on demand. Memory for the depth of the grammar.
#ifndef CDRGRIND_TRACE_GRAMMAR_CURSOR_H
#define CDRGRIND_TRACE_GRAMMAR_CURSOR_H

#include <vector>

#include "cdrgrind/encode/grammar.h"

namespace cdr::trace {

class GrammarCursor {
 public:
  // `g` must outlive the cursor.
  GrammarCursor(const Grammar& g, uint32_t string) : grammar_(&g), stack_{{string, 0, 0}} {}

  // The next terminal and its count; neighbours may have equal terminals. False at the end.
  bool next(Run& r) {
    while (!stack_.empty()) {
      Place& p = stack_.back();
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
  struct Place {
    uint32_t rule, at, copies;  // copies: how many more times the body is read after this one
  };
  const Grammar* grammar_;
  std::vector<Place> stack_;
};

}  // namespace cdr::trace

#endif
