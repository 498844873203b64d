// SPDX-License-Identifier: GPL-2.0-or-later
// What other tools want to be told of the run beside its races.
#ifndef CDRGRIND_CLI_RACE_RUNS_H
#define CDRGRIND_CLI_RACE_RUNS_H

#include <string>

#include "cdrgrind/report/races/race_report.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::cli {

// `root`: empty, or the folder below which sources have relative addresses.
report::RaceSarifRun sarif_run_of(const trace::TraceFile& file, const report::RaceReport& report,
                                  const std::string& root, bool artifacts);

report::RaceXmlRun xml_run_of(const trace::TraceFile& file, const report::RaceReport& report, symbols::Symbols& symbols,
                              bool artifacts);

}  // namespace cdr::cli

#endif
