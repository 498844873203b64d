// SPDX-License-Identifier: GPL-2.0-or-later
// Names of variables that a parallel region or task shares: the compiler puts them together for the function that it
// makes of the region (gcc's .omp_data_s).
#ifndef CDRGRIND_REPORT_RACES_REGION_VARIABLES_H
#define CDRGRIND_REPORT_RACES_REGION_VARIABLES_H

#include <optional>
#include <string>
#include <string_view>

#include "cdrgrind/analysis/races/core/race.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

struct RegionVariable {
  std::string name;      // "sum"
  std::string function;  // whose it is, in the source
};

// What the access touched of it; nothing if it is not told.
std::optional<RegionVariable> region_variable(const races::RaceAccess& a, symbols::Symbols& symbols);

// What the region's function has at that offset of its data.
std::optional<RegionVariable> region_variable(uint64_t function, int64_t offset, symbols::Symbols& symbols);

// gcc names what it makes of a region of main `main._omp_fn.0`, a function within main.
std::string_view source_function(std::string_view name);

}  // namespace cdr::report

#endif
