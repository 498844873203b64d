// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/race_selection.h"

#include <algorithm>

#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/races/race_verdicts.h"

namespace cdr::report {

RacesToJudge races_to_judge(const std::vector<RaceFinding>& findings, bool has_dataflow, bool wanted) {
  RacesToJudge to;
  bool whole = true;
  if (findings.empty()) return to;
  for (const RaceFinding& f : findings) {
    to.classes.push_back(f.places);
    to.streams.push_back(f.streams);
    whole &= !f.places.empty();
  }
  if (!wanted)
    to.unjudged = "--no-artifacts was given";
  else if (!has_dataflow)
    to.unjudged = "the trace was recorded without --cdr-dataflow=yes";
  else if (!whole)
    to.unjudged = "some race has no instance that could be judged";
  return to;
}

void select_races(const RaceSelection& selection, Suppressions& suppressions, RaceBaseline& baseline,
                  RaceReport& report) {
  report.suppressed = std::erase_if(report.findings, [&](const RaceFinding& f) { return suppressions.take(f); });
  if (selection.with_baseline) baseline.remove_known(report);
  promote_staying(report.findings);
  if (selection.only_roots)
    std::erase_if(report.findings, [](const RaceFinding& f) { return f.status == races::Verdict::Status::kArtifact; });
  const auto asked_for = [&](const RaceSide& s) { return report.scope.has(s.file, s.function); };
  report.elsewhere =
      std::erase_if(report.findings, [&](const RaceFinding& f) { return !asked_for(f.first) && !asked_for(f.second); });
  narrow_scope(report);
  number_findings(report);
}

}  // namespace cdr::report
