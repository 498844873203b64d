// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind stats --control`: each form is made by a process of its own, so that what it takes can be measured.
#ifndef CDRGRIND_CLI_CONTROL_STATS_H
#define CDRGRIND_CLI_CONTROL_STATS_H

#include "cdrgrind/report/common/style.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::cli {

// The exit status.
int run_control_stats(const trace::TraceFile& file, bool json, const report::Style& style);

}  // namespace cdr::cli

#endif
