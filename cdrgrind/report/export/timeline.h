// SPDX-License-Identifier: GPL-2.0-or-later
// A run as a timeline for Perfetto and other viewers of Chrome's trace event format: a lane for each thread, its turns,
// in them the operations of synchronisation, arrows from who let go of an object to who got it next. A microsecond is
// an event of the trace: the time is the true order, not that of a clock.
#ifndef CDRGRIND_REPORT_EXPORT_TIMELINE_H
#define CDRGRIND_REPORT_EXPORT_TIMELINE_H

#include <cstdint>

#include "cdrgrind/report/sync/sync_report.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::report {

struct TimelineRange {
  uint64_t first = 0, end = 0;  // events
  uint64_t most = 0;            // turns and operations; what comes behind is left out
};

// Returns how many turns and operations in the range were left out. `names` knows the objects of the chart.
uint64_t write_timeline(const trace::TraceFile& file, const sync::SyncChart& chart, const SyncNames& names,
                        const TimelineRange& range, cdr::Output& to);

}  // namespace cdr::report

#endif
