// SPDX-License-Identifier: GPL-2.0-or-later
// The loops under `omp for' (`omp do') in a source, of those that the compiler shares out by itself: schedules that are
// static. From the pragma's line to the end of the statement. Of several pragmas before a loop (#else, a macro with
// strings) any counts, but none if only some share out in chunks.
#ifndef CDRGRIND_REPORT_RACES_LOOP_STATEMENTS_H
#define CDRGRIND_REPORT_RACES_LOOP_STATEMENTS_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/report/common/fortran_source.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

struct LoopLines {
  uint32_t first = 0, loop = 0, head = 0, last = 0;  // lines, from 1 on: the pragma's, of `for', of `)', where all ends
  bool nests = false;                                // loops stand in its body
  bool in_chunks = false;                            // of a number that is not 1
  bool is_collapsed = false;                         // several loops are one
};

std::vector<LoopLines> worksharing_loops_of(std::string_view text);
std::vector<LoopLines> worksharing_loops_of(const FortranSource& source);

// Both arguments must outlive it. Not thread-safe.
class LoopStatements {
 public:
  LoopStatements(const ModuleTable& modules, symbols::Symbols& symbols) : modules_(modules), symbols_(symbols) {}
  races::LoopStatement at(CodeAddr at);

 private:
  struct File {
    std::vector<LoopLines> loops;
    uint32_t first_number = 0;
  };
  const File& file(std::string_view name);

  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
  std::map<std::string, File, std::less<>> files_;
  uint32_t numbers_ = 0;
};

}  // namespace cdr::report

#endif
