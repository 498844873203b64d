// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/race_selection.h"

#include <algorithm>

#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/races/race_verdicts.h"

namespace cdr::report {

RacesToJudge races_to_judge(const std::vector<RaceFinding>& findings, bool has_dataflow) {
  RacesToJudge to;
  bool whole = true;
  for (const RaceFinding& f : findings) {
    to.classes.push_back(f.places);
    to.streams.push_back(f.streams);
    whole &= !f.places.empty();
  }
  if (findings.empty()) return to;
  if (!has_dataflow)
    to.unjudged = "the trace was recorded without --cdr-dataflow=yes";
  else if (!whole)
    to.unjudged = "some race has no instance that could be judged";
  return to;
}

void select_races(const RaceSelection& selection, Suppressions& suppressions, RaceBaseline& baseline,
                  RaceReport& report) {
  report.suppressed = std::erase_if(report.findings, [&](const RaceFinding& f) { return suppressions.take(f); });
  if (selection.with_baseline) baseline.remove_known(report);
  if (selection.only_roots)
    std::erase_if(report.findings, [](const RaceFinding& f) { return f.status == races::Verdict::Status::kArtifact; });
  narrow_scope(report);
  number_findings(report);
}

}  // namespace cdr::report
