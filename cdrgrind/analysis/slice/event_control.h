// SPDX-License-Identifier: GPL-2.0-or-later
// Event control (Netzer and Miller 1991; Goel, Roychoudhury and Mitra 2003, section 4.2): which of the races of a run
// only follow from others. All order below is the observed one.
//
// The *slice* of an access y is everything that y's address, or a condition on which y depends, was made from: data
// flow through registers and memory, to the byte and across threads; the addresses of the loads that it passes; the
// conditions and addresses of the stores that it passes. Not what merely came before. Conditions are those of
// control_dependence.h, in y's function and at the calls above it.
//
// A race R = (a, b) *decides* y if a or b lies in y's slice; it *leads to* y if it decides y, or a or b precedes y in
// y's own thread. (c, d) is an artifact of R if R leads to c and to d, and decides at least one of them.
//
// Not followed: the stack pointer; files, pipes and other processes; the choice of the thread that runs. A register
// that a callee saves and restores (push, pop, the recorder's wrappers) is followed across the call.
#ifndef CDRGRIND_ANALYSIS_SLICE_EVENT_CONTROL_H
#define CDRGRIND_ANALYSIS_SLICE_EVENT_CONTROL_H

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cdrgrind/analysis/events/access_position.h"
#include "cdrgrind/analysis/slice/code_bytes.h"
#include "cdrgrind/base/dataflow.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::slice {

using analysis::AccessPosition;

// Half-open, by number.
struct EventRange {
  uint64_t begin = 0, end = 0;
};

struct RacePair {
  AccessPosition first, second;  // in the order observed
};

// One step of a reason: what came from where, later first. A report names the instructions' lines.
struct FlowStep {
  enum class Kind : uint8_t {
    kAddress,    // the address of the access `at` was made from what follows
    kCondition,  // whether it happened was decided at the exit at `ip`
    kLoad,       // the value that `at` loaded
    kStore,      // the value that `at` stored, read by the step before
    kBefore,     // `at` came before, in the same thread
  };
  Kind kind = Kind::kLoad;
  ThreadId thread;
  AccessPosition at;  // of kCondition: the event of the block that left, or did not, by the exit
  uint64_t ip = 0;    // instruction; 0 where the kernel stored, and of kBefore
  ModuleId module;
};

struct ArtifactOf {
  size_t race = 0;               // index into the races asked about
  bool weak = false;             // some flow is known only weakly: it possibly follows, and is no artifact
  std::vector<FlowStep> reason;  // from the access decided back to the race
};

struct Judgement {
  bool undecided = false;      // the limit was met: what was found by then is in `of`
  bool no_flow = false;        // or nothing is known of the flow of some block
  uint64_t steps = 0;          // that it took
  std::vector<ArtifactOf> of;  // those that are not weak first; the nearest (its later access the latest) before others
};

class SliceBudget;

struct EventControlOptions {
  uint64_t steps = 1'000'000;  // of the slices of one call's candidates; about a second
};

// Reads the trace when it is made; all events that will be asked about go into memory, some 100 bytes each. Not
// thread-safe.
class EventControl {
 public:
  // `events` holds every event that will be asked about: what came before cannot decide. All references must outlive
  // it. `flows` of the same file; without them every judgement is undecided. `code` completes functions with what was
  // never executed; where it has nothing, conditions are weak.
  EventControl(const trace::TraceFile& file, const DataflowTable& flows, CodeBytes& code, EventRange events,
               const EventControlOptions& options = {});
  // Up to `last_event`.
  EventControl(const trace::TraceFile& file, const DataflowTable& flows, CodeBytes& code, uint64_t last_event,
               const EventControlOptions& options = {})
      : EventControl(file, flows, code, EventRange{0, last_event + 1}, options) {}
  ~EventControl();
  EventControl(const EventControl&) = delete;
  EventControl& operator=(const EventControl&) = delete;

  // Of which of `races` each candidate is an artifact. A race of a candidate's own accesses is passed over. The limit
  // is for all candidates together: those that remain when it is met are undecided.
  std::vector<Judgement> judge(std::span<const RacePair> candidates, std::span<const RacePair> races);
  Judgement judge(const RacePair& candidate, std::span<const RacePair> races) {
    return judge(std::span(&candidate, 1), races)[0];
  }

 private:
  AccessPosition place(const AccessPosition& p) const;
  void judge(const RacePair& candidate, std::span<const RacePair> races, SliceBudget& budget, Judgement& j);

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cdr::slice

#endif
