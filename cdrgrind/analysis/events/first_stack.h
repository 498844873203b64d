// SPDX-License-Identifier: GPL-2.0-or-later
// The first thread's stack grows by itself: no event tells its memory.
#ifndef CDRGRIND_ANALYSIS_EVENTS_FIRST_STACK_H
#define CDRGRIND_ANALYSIS_EVENTS_FIRST_STACK_H

#include <cstdint>

namespace cdr::analysis {

// The most that it may have, as the system allows by default.
constexpr uint64_t kFirstStackBytes = 8 << 20;

}  // namespace cdr::analysis

#endif
