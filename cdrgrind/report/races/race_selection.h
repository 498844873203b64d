// SPDX-License-Identifier: GPL-2.0-or-later
// Which of the findings are judged, and which are shown: what `cdrgrind races` decides between finding and printing.
#ifndef CDRGRIND_REPORT_RACES_RACE_SELECTION_H
#define CDRGRIND_REPORT_RACES_RACE_SELECTION_H

#include <string>
#include <vector>

#include "cdrgrind/analysis/races/evidence/instance_ends.h"
#include "cdrgrind/analysis/races/evidence/verdicts.h"
#include "cdrgrind/report/races/race_baseline.h"
#include "cdrgrind/report/races/suppressions.h"

namespace cdr::report {

// What event control needs to judge all findings, in their order.
struct RacesToJudge {
  races::RaceClasses classes;
  std::vector<std::vector<races::StreamIds>> streams;
  std::string unjudged;  // why it cannot judge; empty if it can, or if there is nothing to judge
};
RacesToJudge races_to_judge(const std::vector<RaceFinding>& findings, bool has_dataflow, bool wanted = true);

struct RaceSelection {
  bool only_roots = false;
  bool with_baseline = false;
};

// Takes away, in this order: what is suppressed, what the baseline has (of what follows from these, what stays
// is a finding of its own), what follows from others if it is not wanted, what is elsewhere than asked for
// (RaceReport::scope), what the scope leaves out (RaceReport::all_modules). Counts each, and numbers what is left.
void select_races(const RaceSelection& selection, Suppressions& suppressions, RaceBaseline& baseline,
                  RaceReport& report);

}  // namespace cdr::report

#endif
