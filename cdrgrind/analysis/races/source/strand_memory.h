// SPDX-License-Identifier: GPL-2.0-or-later
// What strands do to memory: the frames of an explicit task, and its data, are lives of their own, which end with it;
// so are the frames of strands that may run beside others at the same place.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_STRAND_MEMORY_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_STRAND_MEMORY_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/strands/strand.h"

namespace cdr::races {

class StrandMemory {
 public:
  explicit StrandMemory(Generations& generations) : generations_(generations) {}

  void begins(ThreadId on, const strands::Strand& s, uint64_t index) {
    if (s.own_frames) generations_.begin_frames(on, index, s.frame);
  }
  // The runtime may have put its data on the stack; else it may use them for another task, which the program fills
  // before it says that it is one. Returns what is the runtime's again; 0: nothing.
  GenerationId ends(ThreadId on, const strands::Strand& s, uint64_t index) {
    constexpr uint64_t kNear = 65536;
    if (!s.own_frames) return 0;
    const bool data_above = s.data.begin >= s.frame && s.data.end < s.frame + kNear;
    generations_.begin_frames(on, index, data_above ? s.data.end : s.frame);
    if (data_above || s.data.empty()) return 0;
    generations_.begin_data(on, index, s.data);
    return generations_.at(s.data.begin).id;
  }
  void data(ThreadId by, AddrRange range, uint64_t index) { generations_.begin_data(by, index, range); }

 private:
  Generations& generations_;
};

// Who touched the frames and the data of strands first while they were these.
class StrandOwners {
 public:
  // `g`: begun by a strand. Of whom it is, if that is somebody else than `by`; none: `by`'s own.
  ThreadId other(GenerationId g, ThreadId by) {
    const size_t number = Generations::number_of_strands(g);
    if (number >= owners_.size()) owners_.resize(number + 1);
    ThreadId& owner = owners_[number];
    if (!owner) owner = by;
    return owner == by ? ThreadId() : owner;
  }

 private:
  std::vector<ThreadId> owners_;  // by number; none: untouched
};

}  // namespace cdr::races

#endif
