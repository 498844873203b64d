// SPDX-License-Identifier: GPL-2.0-or-later
// Where in the source a loop stands: in the innermost function, inlined or not, that all its instructions have in
// common.
#ifndef CDRGRIND_REPORT_COMMON_LOOP_PLACE_H
#define CDRGRIND_REPORT_COMMON_LOOP_PLACE_H

#include <cstdint>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {

class LoopPlace {
 public:
  LoopPlace(const regions::Loop& loop, const ModuleTable& modules, symbols::Symbols& symbols);

  const SourcePlace& place() const { return place_; }  // the line where it begins
  uint32_t last_line() const { return last_line_; }
  // Of an instruction of the loop, in the function where the loop stands; 0: not known.
  uint32_t line_of(uint64_t addr);

 private:
  void set_lines(const regions::Loop& loop);
  uint32_t line_of_head(const regions::Loop& loop);

  symbols::Symbols& symbols_;
  ModuleId module_;
  size_t level_ = 0;  // of inlining, outermost 0
  SourcePlace place_;
  uint32_t last_line_ = 0;
};

}  // namespace cdr::report

#endif
