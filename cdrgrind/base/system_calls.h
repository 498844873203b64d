// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers of system calls that readers of a trace know, of x86-64.
#ifndef CDRGRIND_BASE_SYSTEM_CALLS_H
#define CDRGRIND_BASE_SYSTEM_CALLS_H

#include <cstdint>

namespace cdr {

inline constexpr uint64_t kCallSchedYield = 24;
inline constexpr uint64_t kCallNanosleep = 35;
inline constexpr uint64_t kCallGettimeofday = 96;
inline constexpr uint64_t kCallGettid = 186;
inline constexpr uint64_t kCallTime = 201;
inline constexpr uint64_t kCallFutex = 202;
inline constexpr uint64_t kCallClockGettime = 228;
inline constexpr uint64_t kCallClockNanosleep = 230;

}  // namespace cdr

#endif
