// SPDX-License-Identifier: GPL-2.0-or-later
// From instances to classes of races: which of them only follow from others. A class is an artifact if all instances
// that were judged are; artifacts that explain each other are a tangle. What was not decided is a root.
#ifndef CDRGRIND_ANALYSIS_RACES_EVIDENCE_VERDICTS_H
#define CDRGRIND_ANALYSIS_RACES_EVIDENCE_VERDICTS_H

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cdrgrind/analysis/slice/event_control.h"

namespace cdr::races {

struct Verdict {
  enum class Status : uint8_t { kRoot, kArtifact, kTangle } status = Status::kRoot;
  std::optional<size_t> of;      // class: the nearest; of a tangle: one outside of it
  std::optional<size_t> head;    // of a tangle: its earliest class
  uint64_t judged = 0;           // instances
  bool undecided = false;        // it took more steps than are allowed
  bool no_flow = false;          // or nothing is known of the flow of some block
  std::vector<size_t> possibly;  // of a root: classes from which it may follow
  std::vector<slice::FlowStep> reason;
};

// Judges an instance against all instances.
using EventControlTest = std::function<slice::Judgement(const slice::RacePair&, const std::vector<slice::RacePair>&)>;

// `classes`: their instances by time, none empty; classes by the time of their earliest.
// What remains of a class after `steps` is not looked at: some ten seconds.
constexpr uint64_t kStepsOfClass = 10'000'000;
std::vector<Verdict> verdicts_of(const std::vector<std::vector<slice::RacePair>>& classes,
                                 const EventControlTest& judge, uint64_t steps = kStepsOfClass);

}  // namespace cdr::races

#endif
