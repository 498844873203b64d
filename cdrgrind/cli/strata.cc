// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/strata.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cdrgrind/analysis/compare/strata_size.h"
#include "cdrgrind/analysis/paths/block_reader.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/output_file.h"
#include "cdrgrind/report/paths/scatter_plot.h"
#include "cdrgrind/report/paths/strata_report.h"

namespace cdr::cli {

namespace {

void write_plot(const std::string& path, const paths::CyclePoints& points, const report::ScatterLabels& labels) {
  if (path.empty()) return;
  report::Output out;
  write_scatter_plot(points, labels, out);
  const std::string text = out.text();
  OutputFile file(path, {});
  file.write({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  file.put_in_place();
}

}  // namespace

int run_strata(const StrataCommand& command, const trace::TraceFile& file, const report::Style& style) {
  paths::BasicBlocks blocks(file.blocks());
  compare::MeasuredStrata measured({.layers = command.layers, .table_bytes = command.memory_mb << 20}, blocks);
  CommandWatch watch(command.interrupt);
  analysis::WatchedPart watched(watch.watch(), "paths", file.event_count(), kEventsBetween);
  paths::read_basic_blocks(file, ThreadId(command.thread), blocks, nullptr, measured, watched);
  watch.clear();
  std::vector<std::string> missing;
  if (watched.ended()) missing.push_back(only_first(*watched.end(), file.event_count()));
  const compare::StrataSizes sizes = measured.finish();
  const paths::Strata& strata = measured.strata();
  const report::StrataReport report{strata,
                                    measured.instructions(),
                                    measured.threads(),
                                    sizes.blocks,
                                    sizes.levels,
                                    sizes.top,
                                    program_of(file),
                                    {{"Program", program_path_of(file)}, {"Trace", file.name()}}};
  const std::string program = program_of(file).substr(program_of(file).rfind('/') + 1);
  write_plot(command.paths_svg, strata.points(0), {"Paths of " + program, "executions", "length in basic blocks"});
  write_plot(command.strata_svg, strata.points(1), {"Strata of " + program, "executions", "length in repeated paths"});
  report::Output out(STDOUT_FILENO);
  if (command.json)
    write_strata_json(report, out);
  else
    write_strata(report, style, out);
  out.flush();
  return interrupted_status(missing);
}

}  // namespace cdr::cli
