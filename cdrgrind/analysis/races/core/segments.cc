// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/segments.h"

#include <algorithm>

namespace cdr::races {

void Segments::begin_segment(State& s, AccessPosition at) {
  if (s.changed) {
    const auto& in = known_by(s).in;
    const bool alike = std::all_of(in.begin() + 1, in.end(), [&](const VectorClock& c) { return c.same(in[0]); });
    s.snapshot = static_cast<uint32_t>(2 * clocks_.size() + (alike ? 0 : 1));
    clocks_.insert(clocks_.end(), in.begin(), alike ? in.begin() + 1 : in.end());
    s.changed = false;
  }
  s.segments.push_back({at, s.snapshot});
  s.used = true;
}

void Segments::give_to(ThreadId t, Knowledge& to) {
  const Running r = running_on(t);
  for (const ThreadId b : r.below)
    if (b) give_own(b, to);
  give_own(r.strand, to);
}

void Segments::give_own(ThreadId t, Knowledge& to) {
  State& s = state(t);
  if (s.known) to.join(*s.known);
  if (!s.segments.empty()) to.set(t, static_cast<SegmentNumber>(s.segments.size()));
  s.used = false;
}

void Segments::get(ThreadId t, const Knowledge& what, EdgeKind edge) {
  const Running r = running_on(t);
  for (const ThreadId b : r.below)
    if (b) get_own(b, what, edge);
  get_own(r.strand, what, edge);
}

void Segments::restart(ThreadId strand, const Knowledge& known) {
  State& s = state(strand);
  known_by(s) = known;
  s.changed = true;
  s.used = false;
}

void Segments::get_own(ThreadId t, const Knowledge& what, EdgeKind edge) {
  State& s = state(t);
  if (!known_by(s).join(what, static_cast<size_t>(edge) + 1)) return;
  had_[static_cast<size_t>(edge)] = true;
  s.changed = true;
  s.used = false;
}

SegmentNumber Segments::at(ThreadId t, AccessPosition at) const {
  if (t.value >= threads_.size()) return 0;
  const std::vector<Segment>& all = of(t);
  const auto after = std::upper_bound(all.begin(), all.end(), at,
                                      [](const AccessPosition& p, const Segment& s) { return p < s.begin; });
  return static_cast<SegmentNumber>(after - all.begin());
}

}  // namespace cdr::races
