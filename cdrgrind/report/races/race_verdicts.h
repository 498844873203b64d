// SPDX-License-Identifier: GPL-2.0-or-later
// Puts what event control found into the findings: roots first, then tangles, then artifacts, each with an id; behind
// all these the same of others than the program.
#ifndef CDRGRIND_REPORT_RACES_RACE_VERDICTS_H
#define CDRGRIND_REPORT_RACES_RACE_VERDICTS_H

#include <vector>

#include "cdrgrind/report/races/race_findings.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// `verdicts`: of report.findings, in that order.
void apply_verdicts(const std::vector<races::Verdict>& verdicts, symbols::Symbols& symbols, RaceReport& report);

// Counts the findings that have no code of the program on either stack, unless one that has follows from them, and
// takes them away if they are not wanted. number_findings() follows.
void narrow_scope(RaceReport& report);

// Gives ids anew when findings were taken away, and counts.
void number_findings(RaceReport& report);

}  // namespace cdr::report

#endif
