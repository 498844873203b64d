// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/copied_runs.h"

namespace cdr::trace {

CopiedRuns::Next CopiedRuns::next(Run& r) {
  while (!stack_.empty()) {
    Open& o = stack_.back();
    const bool terminal = o.terminal.count != 0;
    const auto body = terminal ? std::span<const Run>(&o.terminal, 1) : grammar_->body(o.rule);
    if (o.at == body.size()) {
      if (o.told) {
        // Told once for each copy; the next call goes on.
        o.told = ++o.tries < kTries && o.copies > 0;
        told_level_ = o.level;
        told_more_ = o.copies;
        o.at = static_cast<uint32_t>(body.size()) + 1;
        return Next::kEnds;
      }
    }
    if (o.at >= body.size()) {
      if (o.copies == 0) {
        stack_.pop_back();
      } else if (terminal && !o.told) {
        r = {o.terminal.symbol, o.copies};
        stack_.pop_back();
        return Next::kRun;
      } else {
        --o.copies;
        o.at = 0;
      }
      continue;
    }
    r = body[o.at++];
    const bool told = !terminal && is_worth(r);
    if (!told && !is_rule(r.symbol)) return Next::kRun;
    const uint32_t level = o.level + (told ? 1 : 0);
    if (is_rule(r.symbol))
      stack_.push_back({rule_of(r.symbol), 0, r.count - 1, level, 0, told, {}});
    else
      stack_.push_back({0, 0, r.count - 1, level, 0, told, {r.symbol, 1}});
    if (!told) continue;
    told_level_ = level;
    return Next::kBegins;
  }
  return Next::kNothing;
}

}  // namespace cdr::trace
