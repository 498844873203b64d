// SPDX-License-Identifier: GPL-2.0-or-later
// Which symbols of an epoch's paths can be passed over as a whole: *plain* ones derive stretches only, *level* ones
// besides leave the frames of their thread as they were, each with the function that it had.
#ifndef CDRGRIND_TRACE_INDEX_PATH_SHAPES_H
#define CDRGRIND_TRACE_INDEX_PATH_SHAPES_H

#include <cstdint>
#include <vector>

#include "cdrgrind/trace/index/path_index.h"

namespace cdr::trace {

// Of what a symbol derives once.
struct PathShape {
  bool plain = false;
  StackEffect effect;  // all that follows: only if plain
  BlockId first, last;
  bool jumped = false;  // it ends with a block that leaves by a jump
  bool level() const { return plain && effect.net == 0 && effect.lowest == 0 && !effect.named; }
};

class PathShapes {
 public:
  // O(symbols). `paths` must outlive the shapes.
  explicit PathShapes(const PathIndex& paths);
  PathShape of(uint32_t symbol) const {
    if (is_rule(symbol)) return rules_[rule_of(symbol)];
    return is_stretch(symbol) ? known_stretch(stretch_of(symbol)) : PathShape();
  }

 private:
  const PathShape& known_stretch(uint32_t number) const {
    if (number >= stretches_.size()) stretches_.resize(number + 1);
    PathShape& known = stretches_[number];
    if (!known.plain) known = stretch(number);
    return known;
  }
  PathShape stretch(uint32_t number) const;
  PathShape rule(uint32_t number) const;
  void add(PathShape& to, const PathShape& one, uint32_t count) const;
  bool entry(BlockId id) const { return paths_.stretches().model(id).entry; }

  const PathIndex& paths_;
  std::vector<PathShape> rules_;
  mutable std::vector<PathShape> stretches_;  // plain, if they were asked for
};

}  // namespace cdr::trace

#endif
