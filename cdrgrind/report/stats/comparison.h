// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind stats --compare`: a trace beside the paper's representations and general compressors, as text or as one
// JSON document (schema cdrgrind.compare/1).
#ifndef CDRGRIND_REPORT_STATS_COMPARISON_H
#define CDRGRIND_REPORT_STATS_COMPARISON_H

#include <string>

#include "cdrgrind/analysis/compare/comparison.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/style.h"

namespace cdr::report {

void write_comparison(const trace::TraceFile& file, const compare::Comparison& c, const std::string& command,
                      const Style& style, Output& out);
void write_comparison_json(const trace::TraceFile& file, const compare::Comparison& c, Output& out);

}  // namespace cdr::report

#endif
