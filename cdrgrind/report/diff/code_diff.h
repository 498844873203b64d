// SPDX-License-Identifier: GPL-2.0-or-later
// What was executed, which dependences there were and what loops carried, compared: rows of the old run are those of
// the new one if their lines are (SourceMatch).
#ifndef CDRGRIND_REPORT_DIFF_CODE_DIFF_H
#define CDRGRIND_REPORT_DIFF_CODE_DIFF_H

#include <set>

#include "cdrgrind/report/diff/diff_report.h"
#include "cdrgrind/report/diff/executed_code.h"
#include "cdrgrind/report/diff/source_match.h"

namespace cdr::report {

// All files of its functions and lines.
std::set<std::string_view> files_of(const ExecutedCode& code);

// Fills in only_old, only_new and counts. Lines of functions that are there in one run only are not listed, and no
// lines at all where the programs were built otherwise: which lines have code is the compiler's choice then, as are
// counts.
void compare_code(const ExecutedCode& before, const ExecutedCode& after, SourceMatch& match, DiffReport& to);

// Fills in came and went.
void compare_dependences(const std::vector<DependenceDifference>& before,
                         const std::vector<DependenceDifference>& after, SourceMatch& match, DiffReport& to);

// Fills in carried_came, carried_went and verdicts: of loops that are there in both, and had iterations in both.
void compare_advice(const std::vector<AdviceLoop>& before, const std::vector<AdviceLoop>& after, SourceMatch& match,
                    DiffReport& to);

}  // namespace cdr::report

#endif
