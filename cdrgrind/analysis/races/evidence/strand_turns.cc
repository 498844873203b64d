// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/evidence/strand_turns.h"

#include "cdrgrind/analysis/races/core/strand_clocks.h"

namespace cdr::races {

void StrandTurns::note(StrandClocks& strands, ThreadId on, ThreadId strand, AccessPosition at) {
  if (on.value >= turns_.size()) turns_.resize(on.value + 1);
  auto& all = turns_[on.value];
  if (!all.empty() && is_at(all.back().strand, strand, strands.find(on, strand).begin)) return;
  courses_.clear();
  strands.for_each_course(on, strand, [&](const auto& r) { courses_.push_back({r.number, r.begin}); });
  all.push_back({at, number_of(courses_)});
}

// Inner ones first.
uint32_t StrandTurns::number_of(const std::vector<slice::Course>& courses) {
  uint32_t outer = 0;
  for (auto c = courses.rbegin(); c != courses.rend(); ++c) {
    if (c->thread.value >= last_.size()) last_.resize(c->thread.value + 1);
    uint32_t& known = last_[c->thread.value];
    if (!known || strands_[known - 1].course.begin != c->begin) {
      strands_.push_back({*c, outer});
      known = static_cast<uint32_t>(strands_.size());
    }
    outer = known;
  }
  return outer;
}

}  // namespace cdr::races
