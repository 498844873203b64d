// SPDX-License-Identifier: GPL-2.0-or-later
// Which strand made a racing access, where strands of a parallel runtime take the threads' place: for each thread, the
// strands in whose name it made one, in turn.
#ifndef CDRGRIND_ANALYSIS_RACES_EVIDENCE_STRAND_TURNS_H
#define CDRGRIND_ANALYSIS_RACES_EVIDENCE_STRAND_TURNS_H

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "cdrgrind/analysis/races/core/strand_clocks.h"
#include "cdrgrind/analysis/slice/race_ends.h"

namespace cdr::races {

class StrandTurns {
 public:
  // The thread makes a racing access in the name of the strand. In the order of events.
  void note(StrandClocks& strands, ThreadId on, ThreadId strand, AccessPosition at) {
    if (on.value >= turns_.size()) turns_.resize(on.value + 1);
    auto& all = turns_[on.value];
    if (!all.empty() && is_at(all.back().strand, strand, strands.find(on, strand).begin)) return;
    courses_.clear();
    strands.for_each_course(on, strand, [&](const auto& r) { courses_.push_back({r.number, r.begin}); });
    all.push_back({at, number_of(courses_)});
  }
  // What the thread's last one up to there was made by, and what that goes on in; of none: nothing.
  std::vector<slice::Course> courses(ThreadId on, AccessPosition at) const {
    std::vector<slice::Course> all;
    for (uint32_t s = last(on, at); s; s = strands_[s - 1].goes_on_in) all.push_back(strands_[s - 1].course);
    return all;
  }
  // The same, the strand alone; none: there was no access.
  ThreadId strand(ThreadId on, AccessPosition at) const {
    const uint32_t s = last(on, at);
    return s ? strands_[s - 1].course.thread : ThreadId();
  }

 private:
  struct Turn {
    AccessPosition from;
    uint32_t strand = 0;  // index + 1
  };
  struct Strand {
    slice::Course course;
    uint32_t goes_on_in = 0;  // index + 1; 0: none
  };

  bool is_at(uint32_t strand, ThreadId number, uint64_t begin) const {
    const slice::Course& c = strands_[strand - 1].course;
    return c.thread == number && c.begin == begin;
  }
  // Inner ones first.
  uint32_t number_of(const std::vector<slice::Course>& courses) {
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
  uint32_t last(ThreadId on, AccessPosition at) const {
    if (on.value >= turns_.size()) return 0;
    const auto& all = turns_[on.value];
    const auto after =
        std::upper_bound(all.begin(), all.end(), at, [](const auto& p, const Turn& t) { return p < t.from; });
    return after == all.begin() ? 0 : std::prev(after)->strand;
  }

  std::vector<std::vector<Turn>> turns_;  // by thread
  std::vector<Strand> strands_;
  std::vector<uint32_t> last_;  // by number: index + 1 of the strand that has it now
  std::vector<slice::Course> courses_;
};

}  // namespace cdr::races

#endif
