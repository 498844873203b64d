// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a string of control paths run by run, as GrammarCursor does for grammars, and says where what comes many times
// one after the other, and consists of stretches alone, begins and where each copy of it ends: so a reader that sees
// that the next copies would do to it what the last one did may leave them out.
#ifndef CDRGRIND_TRACE_READ_COPIED_RUNS_H
#define CDRGRIND_TRACE_READ_COPIED_RUNS_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/encode/grammar.h"
#include "cdrgrind/trace/read/plain_rules.h"

namespace cdr::trace {

class CopiedRuns {
 public:
  enum class Next : uint8_t { kRun, kBegins, kEnds, kNothing };

  // Both must outlive it.
  CopiedRuns(const Grammar& g, uint32_t string, const PlainRules& plain)
      : grammar_(&g), plain_(&plain), stack_{{string, 0, 0, 0, 0, false, {}}} {}

  // Of a string that is no grammar's: its runs are given one by one, each when there is nothing left.
  explicit CopiedRuns(const PlainRules& plain) : grammar_(nullptr), plain_(&plain) {}
  // True: its copies begin.
  bool add(const Run& r) {
    const bool told = is_worth(r);
    stack_.push_back({0, 0, r.count - 1, 1, 0, told, {r.symbol, 1}});
    told_level_ = 1;
    return told;
  }

  // kRun: `r` is the next run of a terminal.
  Next next(Run& r);
  // Of the copy that has begun or ended: how many things that come many times it lies in, itself included.
  size_t level() const { return told_level_; }
  // Of the one that has ended: how often it comes again; and leaving so many out.
  uint32_t more() const { return told_more_; }
  void pass(uint32_t copies) {
    stack_.back().copies -= copies;
    stack_.back().tries = 0;
    stack_.back().told = stack_.back().copies > 0;
    told_more_ -= copies;
  }

 private:
  // Copies that nobody leaves out are announced no longer.
  static constexpr uint8_t kTries = 4;
  static constexpr uint32_t kLeastCopies = 4;
  static constexpr uint64_t kLeastBlocks = 64;

  struct Open {
    uint32_t rule, at, copies;  // copies: how many more times the body is read after this one
    uint32_t level;             // see level()
    uint8_t tries;
    bool told;
    Run terminal;  // count 1: the body, in place of the rule's
  };
  bool is_worth(const Run& r) const {
    if (r.count < kLeastCopies) return false;
    const uint64_t blocks = plain_->blocks(r.symbol);
    return blocks != 0 && blocks * r.count >= kLeastBlocks;
  }

  const Grammar* grammar_;
  const PlainRules* plain_;
  std::vector<Open> stack_;
  size_t told_level_ = 0;
  uint32_t told_more_ = 0;
};

}  // namespace cdr::trace

#endif
