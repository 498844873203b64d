// SPDX-License-Identifier: GPL-2.0-or-later
// A part of a trace, an epoch or an EVENTS frame: the paths of its threads as sequences of marks, of which any
// beginning can be hashed: of an epoch by descent in its grammar, or if it has none as predicted_part.h says, of a
// frame of the plain form from a list of its blocks.
#ifndef CDRGRIND_ANALYSIS_DIFF_PATH_PART_H
#define CDRGRIND_ANALYSIS_DIFF_PATH_PART_H

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/diff/block_marks.h"
#include "cdrgrind/trace/index/stretch_index.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::diff {

// Where hashes are kept, it is of so many marks of the thread in the whole trace, and of multiples of that.
constexpr uint64_t kCheckpointMarks = 1 << 14;

// How many marks a thread has before a part; none: not known.
using MarksBefore = std::function<uint64_t(ThreadId)>;

// Where a mark stands.
struct MarkPlace {
  PathHash before;  // the block
  BlockId block;
  uint32_t mark = 0;  // of the block's
};

class PathPart {
 public:
  virtual ~PathPart() = default;
  // Those that execute something in it, ascending.
  virtual std::vector<uint32_t> threads() const = 0;
  virtual PathHash total(ThreadId thread) const = 0;
  // Mark n of the thread in this part; n is less than its marks.
  virtual MarkPlace find(ThreadId thread, uint64_t n) const = 0;
  // Adds how often each block was executed, by all threads.
  virtual void count(std::vector<uint64_t>& by_block) const = 0;

  // Hashes of beginnings of the thread's path in this part that are kept, ascending; only if it was known how many
  // marks there are before.
  virtual std::vector<PathHash> checkpoints(ThreadId) const { return {}; }

  // Of the first `marks` marks.
  PathHash before(ThreadId thread, uint64_t marks, const BlockMarks& of) const;
};

// What a part's threads do, by what is kept in the trace: how many blocks and marks, but no hashes.
struct PartCounts {
  std::vector<std::pair<uint32_t, PathHash>> threads;
  std::vector<std::pair<BlockId, uint64_t>> executed;  // by all threads; a block may come several times
};
// None: nothing is kept, the part must be loaded. Throws TraceError.
std::optional<PartCounts> kept_counts(const trace::TraceFile& file, const trace::StretchIndex& stretches,
                                      const BlockMarks& marks, size_t number);

// Part `number` of file.event_frames(). `stretches`: of a compact trace. Everything must outlive the part. Throws
// TraceError.
std::unique_ptr<PathPart> load_path_part(const trace::TraceFile& file, const trace::StretchIndex& stretches,
                                         const BlockMarks& marks, size_t number, const MarksBefore& before = {});

}  // namespace cdr::diff

#endif
