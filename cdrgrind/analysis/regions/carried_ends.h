// SPDX-License-Identifier: GPL-2.0-or-later
// What loops carry in memory, by the ends that the dependences of the result table have (depend/result_table.h): the
// instruction of the access in the loop's function, or the call there below which it was made.
#ifndef CDRGRIND_ANALYSIS_REGIONS_CARRIED_ENDS_H
#define CDRGRIND_ANALYSIS_REGIONS_CARRIED_ENDS_H

#include <vector>

#include "cdrgrind/analysis/regions/carried.h"

namespace cdr::regions {

struct CarriedEnds {
  Kind kind = Kind::kRaw;
  CodeAddr source, target;
  LoopId loop;
  uint64_t least = 0, greatest = 0;  // distance, in iterations
  auto operator<=>(const CarriedEnds&) const = default;
};

// Sorted; of one kind, ends and loop there is one.
std::vector<CarriedEnds> carried_ends(const Regions& regions, const CodeLoops& loops);

}  // namespace cdr::regions

#endif
