// SPDX-License-Identifier: GPL-2.0-or-later
// Event control (Netzer and Miller 1991; Goel, Roychoudhury and Mitra 2003, section 4.2): which of the races of a run
// only follow from others. All order below is the observed one.
//
// The *slice* of an access y is everything that y's address, or a condition on which y depends, was made from: data
// flow through registers and memory, to the byte and across threads; the addresses of the loads that it passes; the
// conditions and addresses of the stores that it passes; the conditions under which registers were written. Not what
// merely came before. A condition counts while its *region* is open: from the branch until its immediate post-dominator
// is reached in the same activation. The regions that are open at a call hold for the whole callee.
//
// A race R *decides* y if one of its accesses lies in y's slice; it *leads to* y if it decides y, or one of its
// accesses precedes y in y's own thread (a parallel runtime's strand, and the one that this goes on in). (c, d) is an
// artifact of R if some accesses a and b of R, which race with each other, lead to c and to d, and one of them decides
// one of these.
//
// Every access that is an end of any instance of a race gives a label: race, thread, segment (race_ends.h). One pass
// over the run carries the labels forward (label_flow.h): those that come to y are the races in its slice. So accesses
// are told apart by race, thread and segment. Memory grows with what holds labels, not with the run; there is no limit
// but that of the sets of labels: where they are too many, what comes later is undecided.
//
// Not followed: the stack pointer; files, pipes and other processes; the choice of the thread that runs; whoever was
// the first to call a function, and had the linkage table filled, through which others call it; what libc decides and
// keeps where it manages threads (managed_threads.h). A thread depends on the conditions that are open where the
// program creates it, and has its routine and argument from there. A register that a callee saves and restores (push,
// pop, leave, the recorder's wrappers) is followed across the call.
#ifndef CDRGRIND_ANALYSIS_SLICE_EVENT_CONTROL_H
#define CDRGRIND_ANALYSIS_SLICE_EVENT_CONTROL_H

#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/slice/code_bytes.h"
#include "cdrgrind/analysis/slice/flow_step.h"
#include "cdrgrind/analysis/slice/managed_threads.h"
#include "cdrgrind/analysis/slice/race_ends.h"
#include "cdrgrind/base/dataflow.h"
#include "cdrgrind/trace/index/seeker.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::slice {

struct ArtifactOf {
  uint32_t race = 0;
  bool weak = false;       // some flow is known only weakly: it possibly follows, and is no artifact
  AccessPosition end;      // of the race's accesses that lead to the candidate the later
  AccessPosition decided;  // the candidate's access
  LabelId by = 0;          // what decides it
};

struct Judgement {
  bool undecided = false;      // the sets of labels were too many before
  bool no_flow = false;        // or nothing is known of the flow of some block
  std::vector<ArtifactOf> of;  // those that are not weak first; the nearest (its later access the latest) before others
};

struct EventControlOptions {
  trace::Seeker* seeker = nullptr;  // of a compact trace: what threads repeat is passed over. Null: it is not
  size_t sets = size_t{1} << 22;    // of labels that there may be, counted as nodes of their trees (label_sets.h)
  const analysis::Watch* watch = nullptr;
  CLibrary library = {};  // none: nothing manages threads
};

// Reads the trace when it is made. Not thread-safe.
class EventControl {
 public:
  // `candidates` are all that will be asked about. All references must outlive it. `flows` of the same file; without
  // them every judgement is undecided. `code` completes functions with what was never executed; where it has nothing,
  // conditions are weak.
  EventControl(const trace::TraceFile& file, const DataflowTable& flows, CodeBytes& code, RaceEnds& ends,
               const std::vector<RacePair>& candidates, const EventControlOptions& options = {});
  ~EventControl();
  EventControl(const EventControl&) = delete;
  EventControl& operator=(const EventControl&) = delete;

  // The pass over the run was ended early: what came later is undecided. Or the search for reasons was.
  bool ended() const;

  // Of which races the candidate is an artifact, its own, `race`, not among them.
  Judgement judge(const RacePair& candidate, uint32_t race);

  // How they follow, step by step from the access decided back to the race. Reads the trace again for every other label
  // that decides, up to a number; of what remains both ends are told.
  std::vector<std::vector<FlowStep>> reasons(const std::vector<ArtifactOf>& of);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cdr::slice

#endif
