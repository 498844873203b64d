// SPDX-License-Identifier: GPL-2.0-or-later
// The data-flow summaries of a trace, for those who ask: opening a file does not read them.
#ifndef CDRGRIND_TRACE_READ_DATAFLOW_READER_H
#define CDRGRIND_TRACE_READ_DATAFLOW_READER_H

#include "cdrgrind/base/dataflow.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::trace {

// Empty if the trace has none. Throws TraceError if they are damaged.
DataflowTable read_dataflow(const TraceFile& file);

}  // namespace cdr::trace

#endif
