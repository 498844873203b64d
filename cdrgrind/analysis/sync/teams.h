// SPDX-License-Identifier: GPL-2.0-or-later
// What became of parallel regions, their barriers, the loops that they share out, and what only one of their threads
// does at a time (docs/sync.md). Everything is counted in instructions of the program: what the runtime executes, and
// so how long a thread spins, depends on the schedule and counts nothing.
#ifndef CDRGRIND_ANALYSIS_SYNC_TEAMS_H
#define CDRGRIND_ANALYSIS_SYNC_TEAMS_H

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::trace {
class TraceFile;
}

namespace cdr::sync {

// Of one thread of the team.
struct MemberTotals {
  uint64_t insns = 0;   // in the region, tasks included
  uint64_t waited = 0;  // by how much others had more to do before barriers and the end
  uint64_t tasks = 0;   // that it executed
};
struct ShareTotals {
  uint64_t parts = 0;       // chunks or sections
  uint64_t iterations = 0;  // of loops
  uint64_t insns = 0;
};

// A worksharing construct whose parts the runtime has given out: a loop (static ones that the compiler's code shares
// out are none), or sections.
struct WorkTotals {
  Work work;
  uint64_t first_event = 0;
  uint64_t runs = 0;                       // by all threads together
  std::map<uint64_t, ShareTotals> shares;  // by member
};
// What excludes others: critical, locks, atomic by call. Of `ordered` nothing.
struct ExclusionTotals {
  ExclusiveKind kind = ExclusiveKind::kCritical;
  uint64_t first_event = 0;
  uint64_t sections = 0, insns = 0;
};

// All runs of a region.
struct RegionTotals {
  uint64_t function = 0;
  uint64_t first_event = 0;  // that begins it
  bool league = false;
  uint64_t runs = 0;
  uint64_t barriers = 0;                           // phases that end with one, in all runs, the end not counted
  std::map<uint64_t, MemberTotals> members;        // by the thread's number in the team
  std::vector<WorkTotals> works;                   // by first event
  std::map<uint64_t, ExclusionTotals> exclusions;  // by lock

  uint64_t insns() const {
    uint64_t n = 0;
    for (const auto& [member, m] : members) n += m.insns;
    return n;
  }
};

// Of what was done before event `end`, by first event; none in a trace without operations of a parallel runtime.
std::vector<RegionTotals> count_teams(const trace::TraceFile& file,
                                      uint64_t end = std::numeric_limits<uint64_t>::max());

}  // namespace cdr::sync

#endif
