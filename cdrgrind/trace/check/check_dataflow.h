// SPDX-License-Identifier: GPL-2.0-or-later
// Invariants of the data-flow summaries (base/dataflow.h) that the reader does not need for its own safety.
#ifndef CDRGRIND_TRACE_CHECK_CHECK_DATAFLOW_H
#define CDRGRIND_TRACE_CHECK_CHECK_DATAFLOW_H

#include "cdrgrind/base/dataflow.h"
#include "cdrgrind/trace/check/check_report.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::trace {

void check_dataflow(const BlockTable& blocks, const DataflowTable& flows, CheckReport& report);
// Of the whole file: all superblocks of a complete trace have one, or none has.
void check_dataflow(const TraceFile& file, CheckReport& report);

}  // namespace cdr::trace

#endif
