// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind diff`: what two runs do otherwise; as text, and as JSON (schema cdrgrind.diff/1). docs/diff.md says what is
// compared. Places of the old run are in its own sources, unless something else is said.
#ifndef CDRGRIND_REPORT_DIFF_DIFF_REPORT_H
#define CDRGRIND_REPORT_DIFF_DIFF_REPORT_H

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/dependence/rows.h"
#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/report/common/style.h"
#include "cdrgrind/report/races/race_report.h"

namespace cdr::report {

// What two runs can differ in, as --fail-on names it.
enum class DiffPart : uint8_t { kPaths, kCounts, kDependences, kCarried, kRaces, kSizes };
std::string_view name_of(DiffPart p);

// A function or a line that was executed in one run only, or not as often.
struct ExecutedDifference {
  bool line = false;  // else a function: its calls
  SourcePlace before, after;
  uint64_t old_times = 0, new_times = 0;
};

// A thread's step at which its path leaves that of the other run, or the last one before.
struct PathStep {
  uint64_t block = 0;  // among the thread's, from 0
  SourcePlace at;
  bool enters = false;             // a function; `at` is its beginning
  std::optional<bool> jumps = {};  // where both runs came to a branch: whether this one takes it
  std::vector<SourcePlace> stack;  // the calls that are open, innermost first, without `at`
};

struct PathDivergence {
  uint32_t thread = 0;
  uint64_t equal = 0;  // steps before it
  std::optional<PathStep> old_last, new_last, old_next, new_next;
  bool schedule = false;  // threads had taken turns in another order before it
};

struct DependenceDifference : analysis::DependenceRow {
  // Of libraries' code at both ends, where it was seen first.
  bool outside = false;
  bool schedule = false;  // outside, and there are several threads
};

struct CarriedItem {
  SourcePlace loop;
  std::string object;
  std::string_view carried_as;  // class
  bool blocks = false;          // of a kind that keeps iterations apart
};

struct VerdictChange {
  SourcePlace before, after;
  std::string_view old_verdict, new_verdict;
  bool worse = false;
};

// A number of both runs.
struct SizeRow {
  std::string_view name;
  uint64_t before = 0, after = 0;
};

struct DiffReport {
  struct Run {
    std::string trace, program, command;
    BinaryNotes binaries;
    std::vector<std::string> compilers;
    symbols::Symbols* symbols = nullptr;
  };
  Run before, after;
  bool same_binary = false, same_build = false;
  bool all_modules = false;
  std::vector<std::string> lost_sources;
  std::set<DiffPart> compared;
  std::vector<std::pair<DiffPart, std::string>> not_compared;  // and why

  std::vector<ExecutedDifference> only_old, only_new, counts;
  std::vector<PathDivergence> divergences;
  std::vector<DependenceDifference> came, went;
  std::vector<CarriedItem> carried_came, carried_went;
  std::vector<VerdictChange> verdicts;
  std::vector<RaceFinding> new_races, gone_races;
  std::vector<SizeRow> sizes;

  size_t most = 10;  // rows of each table in text
  Style style;

  // Sizes never count; what only the schedule may have changed does not either.
  bool differs(DiffPart p) const;
};

void write_diff(const DiffReport& report, Output& out);
void write_diff_json(const DiffReport& report, Output& out);

}  // namespace cdr::report

#endif
