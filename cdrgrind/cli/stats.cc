// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind stats`: what is in a trace, and what it takes on disk.
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "cdrgrind/cli/command.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/report/trace_stats.h"

namespace cdr::cli {

namespace {

int run_stats(const SharedOptions& options) {
  const trace::TraceFile file = open_trace(options.trace);
  const analysis::TraceTotals totals = analysis::count_trace(file);
  report::Output out(STDOUT_FILENO);
  if (options.json)
    report::write_stats_json(file, totals, out);
  else
    report::write_stats(file, totals, command_line_of(file), style_of_stdout(options.color), out);
  out.flush();
  return kFine;
}

}  // namespace

Action add_stats(CLI::App& app) {
  auto options = std::make_shared<SharedOptions>();
  add_shared_options(app, kTraceArgument | kFormatOption | kColorOption, *options);
  return [options] { return run_stats(*options); };
}

}  // namespace cdr::cli
