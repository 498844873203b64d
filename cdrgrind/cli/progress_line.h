// SPDX-License-Identifier: GPL-2.0-or-later
// "cdrgrind: repetitions 45 %, 12 s left" on standard error while a long command runs, if that is a terminal. The line
// is gone when the work is done.
#ifndef CDRGRIND_CLI_PROGRESS_LINE_H
#define CDRGRIND_CLI_PROGRESS_LINE_H

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "cdrgrind/analysis/common/progress.h"

namespace cdr::cli {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Empty without a terminal. Valid as long as this.
  analysis::Progress progress();
  void clear();

 private:
  void show(std::string_view part, uint64_t done, uint64_t all);

  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
  std::string part_;  // the last one, and when it began
  std::chrono::steady_clock::time_point begin_;
};

// "12 s", of a part that took `elapsed` for so much of it; empty as long as that says little.
std::string time_left(std::chrono::milliseconds elapsed, uint64_t done, uint64_t all);

}  // namespace cdr::cli

#endif
