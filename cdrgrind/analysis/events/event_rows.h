// SPDX-License-Identifier: GPL-2.0-or-later
// Events besides blocks, calls and returns of a compact trace, each with its place in the true order and what its
// thread had executed before. Paths are not unfolded: instructions come from their prefix sums, and an epoch whose
// paths were predicted and that has no such event is not even read: what it executed is what its recorder has counted.
#ifndef CDRGRIND_ANALYSIS_EVENTS_EVENT_ROWS_H
#define CDRGRIND_ANALYSIS_EVENTS_EVENT_ROWS_H

#include <cstdint>
#include <functional>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/trace/index/epoch_index.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::analysis {

class EventRows {
 public:
  // `insns`: of the thread before the event, without the preload's own. Spans in the event are valid during the call.
  using Visit = std::function<void(const Event& e, uint64_t index, uint64_t insns)>;

  explicit EventRows(const trace::TraceFile& file);

  // Those of the next epoch that are wanted, thread by thread. O(log) for each. Throws TraceError. `wanted`: kinds that
  // have members (encode/event_fields.h), and the end of a thread.
  void read_epoch(bool (*wanted)(EventKind), const Visit& visit);
  bool at_end() const { return next_ == file_.epochs().size(); }

 private:
  bool has(bool (*wanted)(EventKind)) const;
  bool count_predicted();
  void read_string(trace::EpochIndex& epoch, const trace::EpochWeights& shims, uint32_t string,
                   bool (*wanted)(EventKind), const Visit& visit);
  uint64_t& insns(ThreadId t);

  const trace::TraceFile& file_;
  trace::StretchIndex stretches_;
  std::vector<trace::BlockWeight> shims_;
  std::vector<uint64_t> insns_;  // by thread, in earlier epochs
  size_t next_ = 0;
};

}  // namespace cdr::analysis

#endif
