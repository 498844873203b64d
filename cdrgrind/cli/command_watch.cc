// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/command_watch.h"

#include <fmt/format.h>

#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/report/common/output.h"

namespace cdr::cli {

CommandWatch::CommandWatch(const std::string& at) {
  const size_t colon = at.find(':');
  part_ = at.substr(0, colon);
  if (colon != std::string::npos) number_ = number_of(at.substr(colon + 1)).value_or(0);
  const analysis::Progress show = line_.progress();
  if (show || number_)
    watch_.progress = [this, show](std::string_view part, uint64_t done, uint64_t all) {
      if (show) show(part, done, all);
      if (number_ && part == part_ && --number_ == 0) std::raise(SIGINT);
    };
  watch_.stopped = [this] { return interrupt_.take(); };
}

void add_interrupt(CommandLine& line, std::string& to) { line.add("--interrupt", to, "").hidden(); }

std::string only_first(uint64_t some, uint64_t all, std::string_view what) {
  using report::with_separators;
  return fmt::format("only the first {} of {} {} were looked at", with_separators(some), with_separators(all), what);
}

Status interrupted_status(const std::vector<std::string>& missing) {
  for (const std::string& what : missing) warn("interrupted: " + what);
  return missing.empty() ? kFine : kInterrupted;
}

}  // namespace cdr::cli
