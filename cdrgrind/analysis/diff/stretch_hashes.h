// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef CDRGRIND_ANALYSIS_DIFF_STRETCH_HASHES_H
#define CDRGRIND_ANALYSIS_DIFF_STRETCH_HASHES_H

#include <vector>

#include "cdrgrind/analysis/diff/block_marks.h"
#include "cdrgrind/trace/index/stretch_index.h"

namespace cdr::diff {

// The hash of one execution of a stretch, made when it is first asked for.
class StretchHashes {
 public:
  StretchHashes(const trace::StretchIndex& stretches, const BlockMarks& marks) : stretches_(stretches), marks_(marks) {}

  PathHash of(uint32_t stretch) const {
    if (stretch >= known_.size()) known_.resize(stretch + 1);
    PathHash& h = known_[stretch];
    if (h.blocks == 0)
      for (const BlockId id : stretches_.blocks(stretch)) h.add(marks_.hash(id), 1);
    return h;
  }

 private:
  const trace::StretchIndex& stretches_;
  const BlockMarks& marks_;
  mutable std::vector<PathHash> known_;  // by stretch; without blocks: not made yet
};

}  // namespace cdr::diff

#endif
