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
  std::optional<size_t> of;             // class: the nearest; of a tangle: one outside of it
  std::optional<size_t> head;           // of a tangle: its earliest class
  uint64_t judged = 0;                  // instances
  bool undecided = false;               // there were too many sets of labels
  bool no_flow = false;                 // or nothing is known of the flow of some block
  std::vector<size_t> possibly;         // of a root: classes from which it may follow
  slice::ArtifactOf cause;              // of an artifact: how it follows from `of`
  std::vector<slice::FlowStep> reason;  // filled in by who shows it
};

// Instances by time, none empty; classes by the time of their earliest.
using RaceClasses = std::vector<std::vector<slice::RacePair>>;

// Those that are judged: the earliest of the class and up to 64 spread over the rest.
std::vector<slice::RacePair> judged_instances(const std::vector<slice::RacePair>& of_class);

// Judges an instance of a class.
using EventControlTest = std::function<slice::Judgement(const slice::RacePair&, uint32_t of_class)>;
std::vector<Verdict> verdicts_of(const RaceClasses& classes, const EventControlTest& judge);

}  // namespace cdr::races

#endif
