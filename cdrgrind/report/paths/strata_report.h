// SPDX-License-Identifier: GPL-2.0-or-later
// Strata as the numbers of Gorton's tables 2 to 4 (2008), as text and as JSON (schema cdrgrind.paths/1), and
// his figures 2 and 3.
#ifndef CDRGRIND_REPORT_PATHS_STRATA_REPORT_H
#define CDRGRIND_REPORT_PATHS_STRATA_REPORT_H

#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/paths/strata.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/style.h"

namespace cdr::report {

// The paper's average length of an instruction.
constexpr double kInstructionBytes = 4.2;

struct StrataReport {
  const paths::Strata& strata;
  uint64_t instructions = 0;
  unsigned threads = 0;
  // Compressed: the basic blocks, the cycles of each level, what is left at the top of all threads.
  uint64_t block_bytes = 0;
  std::vector<uint64_t> level_bytes;
  uint64_t top_bytes = 0;
  std::string program;
  std::vector<std::pair<std::string, std::string>> header;  // of the text

  uint64_t bytes() const;
  double ratio() const;
};

std::string name_of_level(unsigned level);  // "paths", "strata 0"

void write_strata(const StrataReport& report, const Style& style, Output& out);
void write_strata_json(const StrataReport& report, Output& out);

}  // namespace cdr::report

#endif
