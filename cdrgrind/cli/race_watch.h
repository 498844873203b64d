// SPDX-License-Identifier: GPL-2.0-or-later
// What `cdrgrind races` tells while it works, and when it is interrupted: Ctrl-C ends the part under way, later parts
// look at as much as the earlier ones did.
#ifndef CDRGRIND_CLI_RACE_WATCH_H
#define CDRGRIND_CLI_RACE_WATCH_H

#include <cstdint>
#include <string>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/races/races.h"
#include "cdrgrind/cli/interrupt.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/report/races/race_findings.h"

namespace cdr::cli {

class RaceWatch {
 public:
  // `at`: "PART:N", for tests: as if Ctrl-C came when that part asks for the N-th time. Else empty.
  explicit RaceWatch(const std::string& at);

  const analysis::Watch& watch() const { return watch_; }
  // Nothing of the line is left on the terminal.
  void clear() { line_.clear(); }

 private:
  ProgressLine line_;
  Interrupt interrupt_;
  analysis::Watch watch_;
  std::string part_;
  uint64_t number_ = 0;
};

// What the report lacks, in words.
void tell_search_end(const races::SearchEnd& end, uint64_t events, report::RaceReport& report);

}  // namespace cdr::cli

#endif
