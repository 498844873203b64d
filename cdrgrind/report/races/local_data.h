// SPDX-License-Identifier: GPL-2.0-or-later
// Names of local variables in races of strands: a variable in the frame of a function that has not returned, or what
// the compiler has put together for the function that it made of a region (gcc's .omp_data_s).
#ifndef CDRGRIND_REPORT_RACES_LOCAL_DATA_H
#define CDRGRIND_REPORT_RACES_LOCAL_DATA_H

#include <cstdint>
#include <string>

#include "cdrgrind/analysis/races/core/race.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

struct LocalData {
  std::string name;      // "sum"; empty: not known
  std::string function;  // whose it is, in the source
  uint32_t decl_line = 0;
};

// What the access touched.
LocalData local_data_of(const races::RaceAccess& a, symbols::Symbols& symbols);

}  // namespace cdr::report

#endif
