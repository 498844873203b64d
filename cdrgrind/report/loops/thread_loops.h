// SPDX-License-Identifier: GPL-2.0-or-later
// The loop nests of a trace as text: thread by thread, in lines and calls of the source; threads that did the same
// stand together.
#ifndef CDRGRIND_REPORT_LOOPS_THREAD_LOOPS_H
#define CDRGRIND_REPORT_LOOPS_THREAD_LOOPS_H

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/report/loops/loop_nest.h"

namespace cdr::report {

// Of the nests, one for each group of threads that did the same; head, scope and seconds are those of the first.
// `units`: what symbols are, "lines".
void write_thread_loops(std::span<const LoopReport> reports, std::string_view units, const Style& style, Output& out);

// "thread 1", "threads 2-9, 11"
std::string spelled_threads(const std::vector<ThreadId>& threads);

}  // namespace cdr::report

#endif
