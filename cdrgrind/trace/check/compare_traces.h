// SPDX-License-Identifier: GPL-2.0-or-later
// Whether two files are the same trace, whatever their form: events, tables, RUN, metadata, other frames, totals.
#ifndef CDRGRIND_TRACE_CHECK_COMPARE_TRACES_H
#define CDRGRIND_TRACE_CHECK_COMPARE_TRACES_H

#include <functional>
#include <string>

#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::trace {

// The first thing that is not the same, in words; empty if all is. `progress` gets the number of events compared.
std::string first_difference(const TraceFile& a, const TraceFile& b,
                             const std::function<void(uint64_t)>& progress = {});

}  // namespace cdr::trace

#endif
