// SPDX-License-Identifier: GPL-2.0-or-later
// What a long command tells while it works, and when it is interrupted: Ctrl-C ends the part under way, later parts
// look at as much as the earlier ones did, and the report says what it lacks.
#ifndef CDRGRIND_CLI_COMMAND_WATCH_H
#define CDRGRIND_CLI_COMMAND_WATCH_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/interrupt.h"
#include "cdrgrind/cli/progress_line.h"

namespace cdr::cli {

using analysis::kEventsBetween;

class CommandWatch {
 public:
  // `at`: "PART:N", for tests: as if Ctrl-C came when that part asks for the N-th time. Else empty.
  explicit CommandWatch(const std::string& at);

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

// The hidden option --interrupt=PART:N.
void add_interrupt(CommandLine& line, std::string& to);

// "only the first 12 of 4,000 events were looked at"
std::string only_first(uint64_t some, uint64_t all, std::string_view what = "events");

// Says on standard error what a report lacks because it was interrupted, and with which status the command ends then.
Status interrupted_status(const std::vector<std::string>& missing);

}  // namespace cdr::cli

#endif
