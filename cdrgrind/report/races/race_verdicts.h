// SPDX-License-Identifier: GPL-2.0-or-later
// Puts what event control found into the findings: roots first, then tangles, then artifacts, each with an id; behind
// all these the same of others than the program.
#ifndef CDRGRIND_REPORT_RACES_RACE_VERDICTS_H
#define CDRGRIND_REPORT_RACES_RACE_VERDICTS_H

#include <vector>

#include "cdrgrind/analysis/races/evidence/locked_races.h"
#include "cdrgrind/report/races/race_findings.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// `verdicts`: of report.findings, in that order.
void apply_verdicts(const std::vector<races::Verdict>& verdicts, symbols::Symbols& symbols, RaceReport& report);

// Artifacts by their roots: what to ask which of them stay (staying.h). All races on the root's variable are put under
// the lock, and on those of the tangle that it is in.
struct RootsAndArtifacts {
  std::vector<races::LockedRaces> locks;
  std::vector<std::vector<size_t>> findings;  // of each lock's `others`
};
RootsAndArtifacts roots_and_artifacts(const std::vector<RaceFinding>& findings);

// After findings were taken away: an artifact that stays, and whose root is gone, is a finding of its own, and the root
// of what follows from it.
void promote_staying(std::vector<RaceFinding>& findings);

// Counts the findings that have no code of the program on either stack, unless one that has follows from them, and
// takes them away if they are not wanted. number_findings() follows.
void narrow_scope(RaceReport& report);

// Gives ids anew when findings were taken away, and counts.
void number_findings(RaceReport& report);

}  // namespace cdr::report

#endif
