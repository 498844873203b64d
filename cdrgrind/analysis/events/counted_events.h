// SPDX-License-Identifier: GPL-2.0-or-later
// Events besides blocks, calls and returns, each with its place in the true order and what its thread had executed
// before. Paths of a compact trace are not unfolded: instructions come from their prefix sums, and an epoch whose paths
// were predicted and that has no such event is not even read: what it executed is what its recorder has counted.
#ifndef CDRGRIND_ANALYSIS_EVENTS_COUNTED_EVENTS_H
#define CDRGRIND_ANALYSIS_EVENTS_COUNTED_EVENTS_H

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/trace/index/epoch_index.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::analysis {

class CountedEvents {
 public:
  // `insns`: of the thread before the event, in whole blocks and without the preload's own. Spans in the event are
  // valid during the call.
  using Visit = std::function<void(const Event& e, uint64_t index, uint64_t insns)>;

  explicit CountedEvents(const trace::TraceFile& file);

  // Those of the next part of the trace that are wanted: of an epoch, thread by thread, O(log) for each; or of a frame
  // of a plain trace. Throws TraceError. `wanted`: kinds that have members (encode/event_fields.h), and the end of a
  // thread.
  void read_part(bool (*wanted)(EventKind), const Visit& visit);
  bool at_end() const { return next_ == file_.event_frames().size(); }

 private:
  void read_frame(bool (*wanted)(EventKind), const Visit& visit);
  void read_epoch(bool (*wanted)(EventKind), const Visit& visit);
  bool count_predicted(bool (*wanted)(EventKind));
  void read_string(trace::EpochIndex& epoch, const trace::EpochWeights& shims, uint32_t string,
                   bool (*wanted)(EventKind), const Visit& visit);
  // Of one execution; 0 of the preload's blocks.
  uint64_t own_insns(BlockId id) const;
  uint64_t& insns(ThreadId t);

  const trace::TraceFile& file_;
  std::optional<trace::Cursor> plain_;  // nothing of a compact trace
  trace::StretchIndex stretches_;
  std::vector<trace::BlockWeight> shims_;
  std::vector<uint64_t> insns_;  // by thread, in earlier parts
  size_t next_ = 0;
};

}  // namespace cdr::analysis

#endif
