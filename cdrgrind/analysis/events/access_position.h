// SPDX-License-Identifier: GPL-2.0-or-later
// Where an access stands in a trace.
#ifndef CDRGRIND_ANALYSIS_EVENTS_ACCESS_POSITION_H
#define CDRGRIND_ANALYSIS_EVENTS_ACCESS_POSITION_H

#include <compare>
#include <cstdint>

namespace cdr::analysis {

// The number of the event, and that of the access: in the superblock, or among those of a system call. kWholeEvent: the
// event is the access itself, as a free is.
struct AccessPosition {
  static constexpr uint32_t kWholeEvent = ~uint32_t{0};
  uint64_t event = 0;
  uint32_t access = 0;
  auto operator<=>(const AccessPosition&) const = default;
};

}  // namespace cdr::analysis

#endif
