// SPDX-License-Identifier: GPL-2.0-or-later
// The variable or parameter that lies at a place in a function's frame.
#ifndef CDRGRIND_REPORT_COMMON_FRAME_NAMES_H
#define CDRGRIND_REPORT_COMMON_FRAME_NAMES_H

#include <optional>
#include <string>

#include "cdrgrind/analysis/events/frame_places.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

struct FrameName {
  std::string variable;       // "table"
  std::string name, pattern;  // "table[3].left", "table[…].left"
  std::string_view function;  // whose it is
  int64_t offset = 0;         // of the variable, from the canonical frame address
};

// Nothing if debug information tells of none there.
std::optional<FrameName> frame_name(const analysis::FramePlace& place, symbols::Symbols& symbols);

}  // namespace cdr::report

#endif
