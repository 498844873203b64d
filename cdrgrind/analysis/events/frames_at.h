// SPDX-License-Identifier: GPL-2.0-or-later
// The calls that were open on a thread's stack before any event of a compact trace, as CallStacks has them when it has
// read all events before that one.
#ifndef CDRGRIND_ANALYSIS_EVENTS_FRAMES_AT_H
#define CDRGRIND_ANALYSIS_EVENTS_FRAMES_AT_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/events/call_stacks.h"
#include "cdrgrind/trace/index/seeker.h"

namespace cdr::analysis {

// Of the stack that it was on, outermost first, with site, function and base. Empty if the thread was not there, or did
// nothing more.
std::vector<CallFrame> frames_at(trace::Seeker& seeker, ThreadId thread, uint64_t index);

}  // namespace cdr::analysis

#endif
