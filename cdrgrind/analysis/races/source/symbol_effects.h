// SPDX-License-Identifier: GPL-2.0-or-later
// What symbols of a path do to the frames of their thread, where that is known from before: the same symbol makes the
// same of the same frames. So the code between two operations is gone through once for each state in which it begins,
// and not in every round, though it returns from one function and calls another one.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_SYMBOL_EFFECTS_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_SYMBOL_EFFECTS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cdrgrind/encode/path_terminals.h"
#include "cdrgrind/trace/index/path_shapes.h"

namespace cdr::races {

// Frame: `==`. After::mark(frame): a number that equal ones have in common, and few others. After: what is to be done
// where the effect is known.
template <class Frame, class After>
class SymbolEffects {
 public:
  struct Effect {
    uint32_t symbol = 0;
    uint64_t state = 0;         // of the thread, beside its frames
    std::vector<Frame> before;  // as deep as the symbol goes, outermost first; not empty
    After after;
  };

  void clear() {
    rules_.clear();
    stretches_.clear();
    effects_ = 0;
  }
  // How many of so many frames the symbol touches, from the innermost on; 0: it cannot be known, or is not worth it.
  static size_t depth(const trace::PathIndex& paths, uint32_t symbol, const trace::PathShape& s, size_t frames) {
    constexpr uint64_t kLongest = 4096;
    constexpr int64_t kDeepest = 32;
    if (!s.plain || s.effect.lowest < -kDeepest || s.effect.net > kDeepest) return 0;
    const auto depth = static_cast<size_t>(1 - s.effect.lowest);
    if (depth > frames) return 0;
    const uint64_t events = is_rule(symbol) ? paths.sums().total(rule_of(symbol)).events
                                            : paths.stretches().counts(stretch_of(symbol)).events;
    return events <= kLongest ? depth : 0;
  }
  // Null if it is not known; then `note` says whether it should be: it came before, and it helped often enough. Valid
  // until the next add().
  const Effect* find(uint32_t symbol, uint64_t state, std::span<const Frame> frames, bool& note) {
    OfSymbol& s = of(symbol);
    note = false;
    const uint64_t mark = After::mark(frames.back());
    for (size_t i = 0; i < s.effects.size(); ++i) {
      if (s.effects[i].mark != mark) continue;
      const Effect& e = *s.effects[i].effect;
      if (e.state != state || !std::ranges::equal(e.before, frames)) continue;
      ++s.helped;
      if (i > 0) std::swap(s.effects[i], s.effects[i - 1]);  // what comes often stands in front
      return s.effects[i > 0 ? i - 1 : 0].effect.get();
    }
    if (s.in_vain >= kMostInVain && s.helped < kLeastHelp * s.in_vain) return nullptr;
    note = s.in_vain++ > 0;
    return nullptr;
  }
  const Effect& add(Effect e) {
    if (++effects_ > kMostEffects) clear();
    OfSymbol& s = of(e.symbol);
    if (s.effects.size() >= kMostOfSymbol) s.effects.pop_back();
    const uint64_t mark = After::mark(e.before.back());
    return *s.effects.emplace_back(mark, std::make_unique<Effect>(std::move(e))).effect;
  }

 private:
  static constexpr uint64_t kMostInVain = 64, kLeastHelp = 4;
  static constexpr size_t kMostEffects = size_t{1} << 14, kMostOfSymbol = 16;
  struct Known {
    uint64_t mark = 0;  // of the innermost frame before
    std::unique_ptr<Effect> effect;
    Known(uint64_t m, std::unique_ptr<Effect> e) : mark(m), effect(std::move(e)) {}
  };
  struct OfSymbol {
    std::vector<Known> effects;
    uint64_t in_vain = 0, helped = 0;
  };
  OfSymbol& of(uint32_t symbol) {
    auto& all = is_rule(symbol) ? rules_ : stretches_;
    const uint32_t i = is_rule(symbol) ? rule_of(symbol) : stretch_of(symbol);
    if (i >= all.size()) all.resize(i + 1);
    return all[i];
  }

  std::vector<OfSymbol> rules_, stretches_;
  size_t effects_ = 0;
};

// Goes through a plain symbol as trace::PathWalk does. `pass(symbol, copies)` returns how often it was passed over;
// `block(id)` says whether it goes on. False if it did not, or the rules are too deep.
template <class Pass, class Block, class Follow>
bool walk_symbol(const trace::PathIndex& paths, Run run, Pass& pass, Block& block, Follow& follow, unsigned deep = 0) {
  constexpr unsigned kDeepest = 64;
  if (deep > kDeepest) return false;
  const trace::StretchIndex& stretches = paths.stretches();
  while (run.count > 0) {
    const uint32_t passed = std::min(pass(run.symbol, run.count), run.count);
    run.count -= passed;
    if (passed > 0) continue;
    --run.count;
    if (is_rule(run.symbol)) {
      for (const Run& r : paths.grammar().body(rule_of(run.symbol)))
        if (!walk_symbol(paths, r, pass, block, follow, deep + 1)) return false;
      continue;
    }
    const uint32_t stretch = stretch_of(run.symbol);
    const auto blocks = stretches.blocks(stretch);
    for (uint32_t i = 0; i < blocks.size(); ++i) {
      if (!block(blocks[i])) return false;
      const EventKind then = stretches.follows(stretch, i);
      if (then != EventKind::kNone) follow(then, stretches.model(blocks[i]).exit_ip);
    }
  }
  return true;
}

}  // namespace cdr::races

#endif
