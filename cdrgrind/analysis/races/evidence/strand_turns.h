// SPDX-License-Identifier: GPL-2.0-or-later
// Which strand made a racing access, where strands of a parallel runtime take the threads' place: for each thread, the
// strands in whose name it made one, in turn.
#ifndef CDRGRIND_ANALYSIS_RACES_EVIDENCE_STRAND_TURNS_H
#define CDRGRIND_ANALYSIS_RACES_EVIDENCE_STRAND_TURNS_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/races/core/race.h"
#include "cdrgrind/analysis/slice/race_ends.h"

namespace cdr::races {

class StrandClocks;

class StrandTurns {
 public:
  // The thread makes a racing access in the name of the strand. In the order of events.
  void note(StrandClocks& strands, ThreadId on, ThreadId strand, AccessPosition at);
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
  // One alone made all the accesses from the first place on up to the other.
  bool are_of_one(ThreadId on, AccessPosition first, AccessPosition last) const {
    return turns(on, first) == turns(on, last);
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
  uint32_t number_of(const std::vector<slice::Course>& courses);
  uint32_t last(ThreadId on, AccessPosition at) const {
    const size_t n = turns(on, at);
    return n == 0 ? 0 : turns_[on.value][n - 1].strand;
  }
  // Up to there.
  size_t turns(ThreadId on, AccessPosition at) const {
    if (on.value >= turns_.size()) return 0;
    const auto& all = turns_[on.value];
    return static_cast<size_t>(
        std::partition_point(all.begin(), all.end(), [&](const Turn& t) { return !(at < t.from); }) - all.begin());
  }

  std::vector<std::vector<Turn>> turns_;  // by thread
  std::vector<Strand> strands_;
  std::vector<uint32_t> last_;  // by number: index + 1 of the strand that has it now
  std::vector<slice::Course> courses_;
};

}  // namespace cdr::races

#endif
