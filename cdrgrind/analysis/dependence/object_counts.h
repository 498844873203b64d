// SPDX-License-Identifier: GPL-2.0-or-later
// How often the dependences of a row were about which object. A table of counts does not tell, so the dependences are
// computed again, by one engine that has all of the memory, which tells of every target access that counts; what
// lives there at that time (LiveObjects) is its object.
#ifndef CDRGRIND_ANALYSIS_DEPENDENCE_OBJECT_COUNTS_H
#define CDRGRIND_ANALYSIS_DEPENDENCE_OBJECT_COUNTS_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/dependence/rows.h"
#include "cdrgrind/analysis/events/live_objects.h"
#include "cdrgrind/depend/engine.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::analysis {

// Of one row; together they are the row's count.
struct ObjectCounts {
  static constexpr size_t kMostObjects = 8;

  struct Object {
    uint32_t number = 0;
    uint64_t count = 0;
    bool operator==(const Object&) const = default;
  };
  std::vector<Object> objects;  // the first ones, in the order in which they first occur
  uint64_t others = 0;          // of all later ones

  void add(uint32_t object);
  bool operator==(const ObjectCounts&) const = default;
};

struct CountedObjects {
  std::vector<ObjectCounts> rows;
  // False: the events make other dependences than the table has, and the counts say nothing of it.
  bool same = false;
};

// `rows` are made of `table`, which `options` made of the trace; `libraries`: by module, what is not the program's.
// Where `part` is ended, nothing of it is of use.
CountedObjects count_objects(const trace::TraceFile& file, const depend::Options& options,
                             const depend::ResultTable& table, std::span<const DependenceRow> rows,
                             const std::vector<bool>& libraries, ObjectNumbers& numbers, WatchedPart& part);

}  // namespace cdr::analysis

#endif
