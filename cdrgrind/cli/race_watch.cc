// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/race_watch.h"

#include <fmt/format.h>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/report/common/output.h"

namespace cdr::cli {

RaceWatch::RaceWatch(const std::string& at) {
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

void tell_search_end(const races::SearchEnd& end, uint64_t events, report::RaceReport& report) {
  using report::with_separators;
  if (end.event)
    report.missing.push_back(fmt::format("only the first {} of {} events were looked at", with_separators(*end.event),
                                         with_separators(events)));
  if (end.pairs) report.missing.emplace_back("not all threads were compared with each other");
  if (end.examples) report.missing.emplace_back("call stacks and locks of some races, and which are schedulable");
}

}  // namespace cdr::cli
