// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/path_shapes.h"

namespace cdr::trace {
namespace {

constexpr StackEffect kNames{0, 0, true};

}  // namespace

PathShapes::PathShapes(const PathIndex& paths) : paths_(paths), rules_(paths.grammar().rules()) {
  for (const uint32_t r : children_first(paths.grammar())) rules_[r] = rule(r);
}

PathShape PathShapes::stretch(uint32_t number) const {
  const StretchIndex& s = paths_.stretches();
  const auto last = s.length(number) - 1;
  PathShape shape;
  shape.plain = true;
  shape.effect = s.effect(number);
  shape.first = s.blocks(number).front();
  shape.last = s.blocks(number).back();
  shape.jumped = s.model(shape.last).jumps && s.follows(number, last) == EventKind::kNone;
  return shape;
}

PathShape PathShapes::rule(uint32_t number) const {
  PathShape sum;
  sum.plain = true;
  for (const Run& r : paths_.grammar().body(number)) {
    const PathShape one = of(r.symbol);
    if (!one.plain) return {};
    add(sum, one, r.count);
  }
  return sum.first ? sum : PathShape();
}

// A block that enters a function behind a jump gives the frame another name.
void PathShapes::add(PathShape& to, const PathShape& one, uint32_t count) const {
  const bool enters = entry(one.first);
  if (to.jumped && enters) to.effect.add(kNames, 1);
  to.effect.add(one.effect, 1);
  if (count > 1) {
    StackEffect again;
    if (one.jumped && enters) again.add(kNames, 1);
    again.add(one.effect, 1);
    to.effect.add(again, count - 1);
  }
  if (!to.first) to.first = one.first;
  to.last = one.last;
  to.jumped = one.jumped;
}

}  // namespace cdr::trace
