// SPDX-License-Identifier: GPL-2.0-or-later
// What libraries access for the program, by the program's calls. Accesses of instructions that only reach into their
// frames do not count, as nowhere in patterns.
#ifndef CDRGRIND_ANALYSIS_PATTERNS_CHARGED_ACCESSES_H
#define CDRGRIND_ANALYSIS_PATTERNS_CHARGED_ACCESSES_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/events/program_part.h"
#include "cdrgrind/analysis/patterns/patterns.h"

namespace cdr::patterns {

struct ChargedAccesses {
  // By the program's call, and the library's code.
  std::map<std::pair<CodeAddr, SuperblockId>, uint64_t> charged;
  uint64_t left_out = 0;  // of others, for nobody
};

// `all`: those of find_patterns(). `part`: fresh. Where `watched` is ended, later accesses count nowhere.
ChargedAccesses charge_accesses(const trace::TraceFile& file, const std::vector<AccessPattern>& all,
                                analysis::ProgramPart& part, analysis::WatchedPart& watched);

}  // namespace cdr::patterns

#endif
