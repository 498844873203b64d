// SPDX-License-Identifier: GPL-2.0-or-later
// What `sharing` has to say of one object, whatever the number of its lines, elements and members: false sharing by the
// objects whose parts lie in the same lines, true sharing by object.
#ifndef CDRGRIND_REPORT_SHARING_SHARING_ENTRIES_H
#define CDRGRIND_REPORT_SHARING_SHARING_ENTRIES_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/sharing/shared_memory.h"

namespace cdr::report {

struct NamedPart {
  std::string name;    // "counters[0].hits", "block of 40 bytes at list.c:12 + 8"
  std::string object;  // the whole: "counters", "block of 40 bytes at list.c:12"
};

using ThreadPairs = std::map<std::pair<ThreadId, ThreadId>, uint64_t>;

struct FalseSharing {
  std::set<std::string> objects;
  std::string_view kind;  // "global", "heap", …; empty if there are several
  uint64_t may = 0;       // of all pairs of threads
  ThreadPairs may_pairs;
  uint64_t misses = 0, false_misses = 0, invalidating = 0, updating = 0;  // that happened
  std::vector<size_t> lines;  // numbers in SharedMemory::lines; the one that has most first
  std::string fix;            // empty: none is known, or only one thread stores
};

struct TrueSharing {
  std::string object;
  std::string_view kind;
  std::vector<size_t> variables;  // numbers in SharedMemory::variables, most first
  sharing::SharedVariable sum;    // of them
};

// `parts`: of the line that take part in its false sharing: those that may, if any; else those that do.
const std::vector<sharing::LinePart>& false_parts(const sharing::SharedLine& line);

// `names`: of false_parts(), by line. Most that may happen first, then most misses for nothing. Lines without either
// are left out.
std::vector<FalseSharing> false_sharing_entries(const sharing::SharedMemory& memory,
                                                const std::vector<std::vector<NamedPart>>& names, uint32_t line_size);

// `names` and `objects`: of variables. First those with what may happen, the most of it first; then what is only handed
// over in order.
std::vector<TrueSharing> true_sharing_entries(const sharing::SharedMemory& memory,
                                              const std::vector<std::string>& objects);

}  // namespace cdr::report

#endif
