// SPDX-License-Identifier: GPL-2.0-or-later
// Where the accesses of a run come from: one interface, two producers. One reads the trace event by event; the other
// takes the compact form without unfolding it. Both give the same answers.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_ACCESS_SOURCE_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_ACCESS_SOURCE_H

#include <cstdint>
#include <functional>
#include <memory>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/races/core/address_ranges.h"
#include "cdrgrind/analysis/races/policy/runtime_code.h"
#include "cdrgrind/analysis/races/policy/spin_loops.h"
#include "cdrgrind/analysis/races/source/collector.h"
#include "cdrgrind/analysis/races/source/first_pass.h"
#include "cdrgrind/trace/index/seeker.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::races {

class AccessSource {
 public:
  // Called before an event with its index.
  using BeforeEvent = std::function<void(const Event&, uint64_t)>;

  virtual ~AccessSource() = default;

  // The first look, at the events before `end`; at fewer if the watch ends it (FirstPass::events). It may be taken
  // again.
  virtual void look(uint64_t end, const analysis::Watch& watch) = 0;
  virtual const FirstPass& first_pass() const = 0;

  // The second look, after the first. `before` may be empty; from the compact form it is not called for blocks and what
  // follows from them. Returns the index of the event before which it ended.
  virtual uint64_t follow(uint64_t end, analysis::WatchedPart& part, const BeforeEvent& before, Collector& to) = 0;
  // Whether the collector is given accesses in the order of events, so that streams are numbered by it.
  virtual bool is_in_order() const = 0;
  // From now on all that touches anything in there is given access by access, in order; a source that is not in order
  // leaves out what does not.
  virtual void look_closely_at(AddressRanges there) = 0;
  // The calls that were open on the stack of the thread at the event (a block names its function's call first), as the
  // collector's stacks have them, but with their bases. Nothing from a source that is in order: there these have them,
  // while it follows.
  virtual std::vector<analysis::CallFrame> frames_at(ThreadId thread, uint64_t event) = 0;
};

// All must outlive it. With a seeker, of a file that has epochs, what is repeated and touches nothing shared is passed
// over.
std::unique_ptr<AccessSource> source_of_events(const trace::TraceFile& file, const RuntimeCode& runtime,
                                               SpinLoops& spins, const WorksharingLoops* loops = nullptr,
                                               trace::Seeker* seeker = nullptr);
// The file has epochs.
std::unique_ptr<AccessSource> compact_source(trace::Seeker& seeker, const RuntimeCode& runtime, CodeFacts& facts,
                                             SpinLoops& spins);

}  // namespace cdr::races

#endif
