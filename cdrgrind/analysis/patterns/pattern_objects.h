// SPDX-License-Identifier: GPL-2.0-or-later
// Which objects each instruction walks over: what lived at each address when it was accessed. A compact trace's
// address streams do not tell when an address was that of which block of the heap, or of which frame, so the events are
// read once, in order.
#ifndef CDRGRIND_ANALYSIS_PATTERNS_PATTERN_OBJECTS_H
#define CDRGRIND_ANALYSIS_PATTERNS_PATTERN_OBJECTS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/events/frame_places.h"
#include "cdrgrind/analysis/events/live_blocks.h"
#include "cdrgrind/analysis/patterns/patterns.h"

namespace cdr::patterns {

// Objects by number, the same for all places that have the same name. Asked for each access that is not to where the
// one before was: answers are remembered.
class ObjectNumbers {
 public:
  virtual ~ObjectNumbers() = default;
  // In a live block, which is `allocation` by `calls`.
  virtual uint32_t in_block(uint32_t allocation, const analysis::AllocatingCalls& calls, uint64_t size,
                            uint64_t offset) = 0;
  virtual uint32_t in_frame(const analysis::FramePlace& place) = 0;
  // `pthread`: of the thread that accesses it, 0 if not known; `by`: the instruction.
  virtual uint32_t elsewhere(uint64_t addr, uint64_t pthread, CodeAddr by) = 0;
};

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

// For each of `wanted`. `libraries`: by module, what is not the program's. Where `part` is ended, later accesses are
// not counted.
std::vector<WalkedObjects> find_objects(const trace::TraceFile& file, const std::vector<const AccessPattern*>& wanted,
                                        const std::vector<bool>& libraries, ObjectNumbers& numbers,
                                        analysis::WatchedPart& part);

}  // namespace cdr::patterns

#endif
