// SPDX-License-Identifier: GPL-2.0-or-later
// The piece of memory of each dependence's first occurrence: which block of the heap, and who allocated it, or which
// frame on the stack, and where in it. The result table says where a dependence was first seen (Witness); what lived
// there at that time is found by going through the trace once more: the first access of the target's instruction and
// thread to that byte after one of the source's kind and thread. System calls' accesses are not looked for.
#ifndef CDRGRIND_ANALYSIS_DEPENDENCE_FIRST_OBJECTS_H
#define CDRGRIND_ANALYSIS_DEPENDENCE_FIRST_OBJECTS_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/events/frame_places.h"
#include "cdrgrind/depend/result_table.h"

namespace cdr::trace {
class TraceFile;
}

namespace cdr::analysis {

struct FirstObject {
  enum class Kind : uint8_t {
    kNotFound,
    kElsewhere,  // neither on the heap nor in a known frame: a variable with a fixed place, or a mapping
    kHeap,
    kFrame,
  };
  Kind kind = Kind::kNotFound;
  uint64_t addr = 0;  // of the witness
  // Heap: the size of the block, where in it; the program's calls that allocated it, innermost first, and
  // how many of these have no call of a library's before them.
  uint64_t size = 0, offset = 0;
  std::vector<CodeAddr> allocated;
  size_t direct = 0;
  FramePlace frame;
  // Elsewhere: the instruction, and the pthread_t of its thread, beside which its thread-local variables lie.
  CodeAddr by;
  uint64_t pthread = 0;
};

// Of the rows with these numbers, in their order. `libraries`: by module, what is not the program's.
std::vector<FirstObject> first_objects(const trace::TraceFile& file, const depend::ResultTable& table,
                                       std::span<const uint32_t> rows, const std::vector<bool>& libraries,
                                       const Progress& progress);

}  // namespace cdr::analysis

#endif
