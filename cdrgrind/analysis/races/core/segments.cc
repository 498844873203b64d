// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/segments.h"

#include <algorithm>

namespace cdr::races {

void Segments::begin_segment(State& s, AccessPosition at) {
  if (s.changed) {
    s.snapshot = static_cast<uint32_t>(snapshots_.size());
    snapshots_.push_back(s.known);
    s.changed = false;
  }
  s.segments.push_back({at, s.snapshot});
  s.used = true;
}

void Segments::give_to(ThreadId t, Knowledge& to) {
  const Running r = running_on(t);
  if (r.below) give_own(r.below, to);
  give_own(r.strand, to);
}

void Segments::give_own(ThreadId t, Knowledge& to) {
  State& s = state(t);
  to.join(s.known);
  if (!s.segments.empty()) to.set(t, static_cast<SegmentNumber>(s.segments.size()));
  s.used = false;
}

void Segments::get(ThreadId t, const Knowledge& what, EdgeKind edge) {
  const Running r = running_on(t);
  if (r.below) get_own(r.below, what, edge);
  get_own(r.strand, what, edge);
}

void Segments::restart(ThreadId strand, const Knowledge& known) {
  State& s = state(strand);
  s.known = known;
  s.changed = true;
  s.used = false;
}

void Segments::get_own(ThreadId t, const Knowledge& what, EdgeKind edge) {
  State& s = state(t);
  if (!s.known.join(what, static_cast<size_t>(edge) + 1)) return;
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
