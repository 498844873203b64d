// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/stream_pair.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cdr::races {

AccessPosition both_begun(const RaceEnd& a, const RaceEnd& b, const Segments& segments) {
  return std::max(segments.of(a.thread)[a.segment - 1].begin, segments.of(b.thread)[b.segment - 1].begin);
}

bool is_earlier(const RaceEnd& a, const RaceEnd& b, const StreamPair& than, const Segments& segments) {
  const AccessPosition begun = both_begun(a, b, segments), then = both_begun(than.of_a, than.of_b, segments);
  if (begun != then) return begun < then;
  const auto rest = [](const RaceEnd& x, const RaceEnd& y) {
    return std::tuple(x.addr, x.thread, y.thread, x.segment, y.segment, y.addr, x.width, y.width);
  };
  return rest(a, b) < rest(than.of_a, than.of_b);
}

void note_meeting(const StreamAccesses& a, const StreamAccesses& b, const Segments& segments, bool first,
                  StreamPair& to) {
  // The narrower access tells best what was touched.
  const bool by_a = a.at.width <= b.at.width;
  const auto m = by_a ? meeting_of(a.at, b.at) : meeting_of(b.at, a.at);
  RaceEnd of_a{a.thread, a.segment, m->of_a.base, a.at.width};
  RaceEnd of_b{b.thread, b.segment, m->first_b, b.at.width};
  if (!by_a) std::swap(of_a.addr, of_b.addr);
  to.a = a.stream;
  to.b = b.stream;
  to.addresses = first ? m->of_a : hull_of(to.addresses, m->of_a);
  if (!first && !is_earlier(of_a, of_b, to, segments)) return;
  to.of_a = of_a;
  to.of_b = of_b;
}

}  // namespace cdr::races
