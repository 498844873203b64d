// SPDX-License-Identifier: GPL-2.0-or-later
// The races of a trace for whatever command speaks of them: found, named and judged (cli/races.cc).
#ifndef CDRGRIND_CLI_RACE_SOURCE_H
#define CDRGRIND_CLI_RACE_SOURCE_H

#include <string>
#include <vector>

#include "cdrgrind/analysis/races/core/options.h"
#include "cdrgrind/report/races/race_report.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::cli {

struct RaceQuestion {
  races::RaceOptions options;
  std::vector<std::string> program = {};  // modules that are the program's, too
  bool artifacts_wanted = true;           // told from roots
  std::string interrupt = {};             // for tests: as CommandWatch takes it
};

// Nothing is left out of the findings. The trace must have all addresses.
report::RaceReport judged_races(const trace::TraceFile& file, const RaceQuestion& question, symbols::Symbols& symbols);

}  // namespace cdr::cli

#endif
