// SPDX-License-Identifier: GPL-2.0-or-later
// Which objects each instruction walks over: what lived at each address when it was accessed. A compact trace's
// address streams do not tell when an address was that of which block of the heap, or of which frame, so the events are
// read once, in order.
#ifndef CDRGRIND_ANALYSIS_PATTERNS_PATTERN_OBJECTS_H
#define CDRGRIND_ANALYSIS_PATTERNS_PATTERN_OBJECTS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/events/live_objects.h"
#include "cdrgrind/analysis/patterns/patterns.h"

namespace cdr::patterns {

struct ObjectCount {
  uint32_t object = 0;
  uint64_t accesses = 0;
};

// Of one instruction's loads or stores, in whole blocks.
struct WalkedObjects {
  std::vector<ObjectCount> objects;  // the first kMostObjects, in the order of their first access
  uint64_t others = 0;               // accesses to more

  static constexpr size_t kMostObjects = 256;
};

// For each of `wanted`; what has the same name is to have the same number. `libraries`: by module, what is not the
// program's. Where `part` is ended, later accesses are
// not counted.
std::vector<WalkedObjects> find_objects(const trace::TraceFile& file, const std::vector<const AccessPattern*>& wanted,
                                        const std::vector<bool>& libraries, analysis::ObjectNumbers& numbers,
                                        analysis::WatchedPart& part);

}  // namespace cdr::patterns

#endif
