// SPDX-License-Identifier: GPL-2.0-or-later
// Threads in text reports: who, and how often one handed over to another.
#ifndef CDRGRIND_REPORT_COMMON_THREAD_TEXTS_H
#define CDRGRIND_REPORT_COMMON_THREAD_TEXTS_H

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::report {

// "1, 2, 5"
std::string threads_text(const std::vector<ThreadId>& threads);

// "1 to 2: 1,024, 2 to 1: 7", of pairs from, to.
std::string hand_overs_text(const std::map<std::pair<ThreadId, ThreadId>, uint64_t>& pairs);

}  // namespace cdr::report

#endif
