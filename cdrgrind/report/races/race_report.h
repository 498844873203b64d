// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind races` as text, as JSON and as compiler-like lines.
#ifndef CDRGRIND_REPORT_RACES_RACE_REPORT_H
#define CDRGRIND_REPORT_RACES_RACE_REPORT_H

#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/style.h"
#include "cdrgrind/report/races/race_findings.h"

namespace cdr::report {

struct RaceTextOptions {
  Style style;
  std::vector<std::pair<std::string, std::string>> header;  // "Command", "./prog 1"
  bool show_artifacts = false;
  bool full_stacks = false;  // else frames of libraries are folded (folded_stack.h)
  bool tell_way = false;     // by which the races were found
  bool is_bare = false;      // the program has no debug information, and presumed atomic accesses are atomic
  std::string next;          // the command to type, empty: none
};

void write_races(const RaceReport& report, const RaceTextOptions& options, Output& out);

// The whole document of schema cdrgrind.races/1.
void write_races_json(const RaceReport& report, Output& out);

// `file:line:column: warning: … [cdr-race]`, with a note for the other side.
void write_races_gcc(const RaceReport& report, Output& out);

// For readers of helgrind's XML output, protocol 4.
struct RaceXmlRun {
  uint32_t pid = 0, parent_pid = 0;
  std::string recorder;              // the command that recorded
  std::vector<std::string> options;  // of the recorder
  std::vector<std::string> command;  // the program first
  struct Thread {
    uint32_t thread = 0;
    std::vector<RaceFrame> created;  // empty for the first
  };
  std::vector<Thread> threads;
  bool artifacts = false;  // races that only follow from others, too
};
void write_races_xml(const RaceReport& report, const RaceXmlRun& run, Output& out);

// SARIF 2.1.0, for code scanning.
struct RaceSarifRun {
  std::string command_line;
  std::string root;  // sources below it have relative addresses
  bool artifacts = false;
};
void write_races_sarif(const RaceReport& report, const RaceSarifRun& run, Output& out);

std::string_view status_name(const RaceFinding& f);  // "root"

// Those of the finding, and what it possibly follows from.
std::vector<std::string> all_notes(const RaceFinding& f);

// "1 race", "3 races"
std::string counted(uint64_t n, std::string_view noun);

}  // namespace cdr::report

#endif
