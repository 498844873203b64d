// SPDX-License-Identifier: GPL-2.0-or-later
// The part of `cdrgrind diff` that compares what was executed: which functions and lines, how often, and where the path
// of each thread first goes another way.
#ifndef CDRGRIND_CLI_DIFF_CONTROL_H
#define CDRGRIND_CLI_DIFF_CONTROL_H

#include <memory>

#include "cdrgrind/analysis/diff/thread_paths.h"
#include "cdrgrind/report/common/program_scope.h"
#include "cdrgrind/report/diff/code_diff.h"

namespace cdr::cli {

// One of the two runs. `file` must outlive it.
struct DiffSide {
  DiffSide(const trace::TraceFile& trace, const symbols::SymbolOptions& options,
           const std::vector<std::string>& program, bool all_modules);

  const trace::TraceFile& file;
  symbols::Symbols symbols;
  report::ProgramScope scope;
  report::SymbolNames names;
  report::OwnCode own;
};

struct ControlOptions {
  bool paths = true, counts = true;
  unsigned jobs = 1;
};

// Fills in same_binary, same_build and compilers.
void compare_builds(DiffSide& before, DiffSide& after, report::DiffReport& to);

// Fills in what is said of control, and lost_sources. Returns how lines are matched.
std::unique_ptr<report::SourceMatch> compare_control(DiffSide& before, DiffSide& after, const ControlOptions& options,
                                                     report::DiffReport& to);

}  // namespace cdr::cli

#endif
