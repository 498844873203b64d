// SPDX-License-Identifier: GPL-2.0-or-later
// A run's timeline for the page, schema cdrgrind.timeline/1 (docs/report.md): lanes, turns, boxes and hand-overs one by
// one, levels of detail above them, and where in the run which lines were executed.
#ifndef CDRGRIND_REPORT_HTML_TIMELINE_JSON_H
#define CDRGRIND_REPORT_HTML_TIMELINE_JSON_H

#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/timeline/timeline.h"
#include "cdrgrind/report/common/program_scope.h"
#include "cdrgrind/report/common/symbol_names.h"
#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::report {

// A line of the source, and how many instructions were executed for it, by number of the bin.
struct LineHeat {
  analysis::LineRef at;
  std::string_view function;
  uint64_t instructions = 0;
  std::vector<std::pair<uint32_t, uint64_t>> bins;
};

// Of the modules in `scope`, or of all; sorted by line. Names point into what `names` holds.
std::vector<LineHeat> line_heat(const timeline::Timeline& timeline, const BlockTable& blocks, const ProgramScope& scope,
                                bool all, SymbolNames& names);

struct TimelineReport {
  std::string_view program;
  const timeline::Timeline& timeline;
  const sync::SyncChart& chart;
  const SyncNames& names;  // of the chart's objects and places
  const std::vector<LineHeat>& heat;
};

void write_timeline_json(const TimelineReport& report, Output& out);

}  // namespace cdr::report

#endif
