// SPDX-License-Identifier: GPL-2.0-or-later
// Which races are known from an earlier report. A race is recognised by what does not change when lines are added
// elsewhere: the kind of memory, the variable without indices, both functions with their files, who reads and who
// writes. Where several have all this in common, those on the same lines are matched first.
#ifndef CDRGRIND_REPORT_RACES_RACE_BASELINE_H
#define CDRGRIND_REPORT_RACES_RACE_BASELINE_H

#include <map>
#include <string>
#include <string_view>

#include "cdrgrind/report/races/race_findings.h"

namespace cdr::report {

// What a race is recognised by, as text; with the lines if asked.
std::string race_identity(const RaceFinding& f, bool with_lines);

class RaceBaseline {
 public:
  // Adds the races of a report of the schema cdrgrind.races/1. Returns what is wrong with it; empty if nothing is.
  std::string read(const std::string& text, const std::string& name);
  // Takes those away that are known, and counts them.
  void remove_known(RaceReport& report);

 private:
  std::map<std::string, uint64_t> by_lines_, by_identity_;  // how many
};

}  // namespace cdr::report

#endif
