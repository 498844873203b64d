// SPDX-License-Identifier: GPL-2.0-or-later
// Each dependence's first occurrence: where in the run it was, and the piece of memory: which block of the heap, and
// who allocated it, or which frame on the stack, and where in it. The result table says what was first seen, and at
// which step (Witness); what lived there at that time is found by going through the trace once more. Tables of older
// recorders do not tell the step: then the piece of memory, but not the place in the run, is that of the first access
// of the target's instruction and thread to that byte after one of the source's kind and thread.
#ifndef CDRGRIND_ANALYSIS_DEPENDENCE_FIRST_OBJECTS_H
#define CDRGRIND_ANALYSIS_DEPENDENCE_FIRST_OBJECTS_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/events/frame_places.h"
#include "cdrgrind/depend/result_table.h"

namespace cdr::trace {
class TraceFile;
}

namespace cdr::analysis {

// Of the target's access.
struct FirstPlace {
  ThreadId thread;
  uint64_t event = 0;         // from 0, in the true order of all threads
  uint64_t block = 0;         // of the thread, from 0; of a system call the one that comes next
  uint64_t instructions = 0;  // that were executed before, by all threads
  CodeAddr by;
  uint32_t width = 0;  // bytes, rounded to the granularity
};

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
  // If the table knows the step.
  std::optional<FirstPlace> place;
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
