// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind stats`: counts and sizes of a trace, as text or as one JSON document (schema cdrgrind.stats/1).
#ifndef CDRGRIND_REPORT_STATS_TRACE_STATS_H
#define CDRGRIND_REPORT_STATS_TRACE_STATS_H

#include <string>
#include <vector>

#include "cdrgrind/analysis/totals/trace_totals.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/style.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::report {

struct FrameTotals {
  FrameType type = FrameType::kNone;
  uint64_t frames = 0;
  uint64_t events = 0;
  uint64_t bytes = 0;      // on file, with the header
  uint64_t raw_bytes = 0;  // decompressed, without it
};

// One row per type that occurs, in the order of the types.
std::vector<FrameTotals> frames_by_type(const trace::TraceFile& file);

std::string_view name_of(trace::Status status);  // "complete", "exec", "killed", "writing", "cut"

void write_stats(const trace::TraceFile& file, const analysis::TraceTotals& totals, const std::string& command,
                 const Style& style, Output& out);
void write_stats_json(const trace::TraceFile& file, const analysis::TraceTotals& totals, Output& out);

}  // namespace cdr::report

#endif
