// SPDX-License-Identifier: GPL-2.0-or-later
// Which events besides blocks, calls and returns an epoch has, without going through its paths: each terminal that a
// path has, but for that of calls, is written out at least once, in a column that has little else.
#ifndef CDRGRIND_TRACE_READ_EVENT_TERMINALS_H
#define CDRGRIND_TRACE_READ_EVENT_TERMINALS_H

#include <bitset>
#include <cstddef>

#include "cdrgrind/encode/path_terminals.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::trace {

// Terminals (encode/path_terminals.h) below those of stretches.
using EventTerminals = std::bitset<kFirstStretchTerminal>;

// Of file.epochs()[epoch], whose file.control(epoch) that is. Throws TraceError.
EventTerminals event_terminals(const TraceFile& file, size_t epoch, const Columns& control);

// Calls f(event) for each, with what its terminal says.
template <class F>
void for_each_event(const EventTerminals& terminals, F f) {
  for (uint32_t t = 0; t < terminals.size(); ++t)
    if (Event e; terminals[t] && has_row(t) && event_of_terminal(t, e)) f(e);
}

}  // namespace cdr::trace

#endif
