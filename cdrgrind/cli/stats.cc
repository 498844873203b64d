// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind stats`: what is in a trace, and what it takes on disk, or would take in other forms.
#include <unistd.h>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/control_stats.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/report/stats/comparison.h"
#include "cdrgrind/report/stats/trace_stats.h"

namespace cdr::cli {

namespace {

struct StatsOptions {
  SharedOptions shared;
  bool compare = false;
  bool control = false;
};

void write_totals(const trace::TraceFile& file, const SharedOptions& options, report::Output& out) {
  const report::ProgramScope scope(file.modules(), options.scope.program);
  const analysis::TraceTotals totals = analysis::count_trace(file, scope.libraries());
  if (options.json)
    report::write_stats_json(file, totals, out);
  else
    report::write_stats(file, totals, command_line_of(file), style_of_stdout(options.color), out);
}

void write_comparison(const trace::TraceFile& file, const SharedOptions& options, report::Output& out) {
  ProgressLine line;
  const compare::Comparison comparison = compare::comparison_of(file, line.progress());
  line.clear();
  if (options.json)
    report::write_comparison_json(file, comparison, out);
  else
    report::write_comparison(file, comparison, command_line_of(file), style_of_stdout(options.color), out);
}

int run_stats(const StatsOptions& options) {
  const trace::TraceFile file = open_trace(options.shared.trace);
  if (options.control) return run_control_stats(file, options.shared.json, style_of_stdout(options.shared.color));
  report::Output out(STDOUT_FILENO);
  (options.compare ? write_comparison : write_totals)(file, options.shared, out);
  out.flush();
  return kFine;
}

}  // namespace

Action add_stats(CommandLine& line) {
  auto options = std::make_shared<StatsOptions>();
  add_shared_options(line, kTraceArgument | kFormatOption | kColorOption | kProgramOption, options->shared);
  line.add_flag("--compare", options->compare, "sizes beside other representations, gzip, xz and zstd; takes a while");
  line.add_flag("--control", options->control, "what the control flow takes in other forms; takes a while")
      .excludes("--compare");
  return [options] { return run_stats(*options); };
}

}  // namespace cdr::cli
