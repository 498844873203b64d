// SPDX-License-Identifier: GPL-2.0-or-later
// Hot paths as text, as JSON (schema cdrgrind.paths/1) and as costs of source lines in callgrind's format.
#ifndef CDRGRIND_REPORT_PATHS_HOT_PATHS_H
#define CDRGRIND_REPORT_PATHS_HOT_PATHS_H

#include <string>
#include <vector>

#include "cdrgrind/analysis/paths/path_profile.h"
#include "cdrgrind/report/common/report_head.h"
#include "cdrgrind/report/common/report_scope.h"
#include "cdrgrind/report/common/symbol_names.h"

namespace cdr::report {

struct HotPathReport : ReportHead {
  const paths::PathProfile& profile;
  const paths::BasicBlocks& blocks;
  const ModuleTable& modules;
  const std::vector<paths::HotPath>& paths;  // that are shown
  std::string command;
  ScopeNote scope;
};

double percent_of(uint64_t part, uint64_t all);

void write_hot_paths(const HotPathReport& report, SymbolNames& names, Output& out);
void write_hot_paths_json(const HotPathReport& report, SymbolNames& names, Output& out);
// The instructions of the shown paths by file, function and line; inlined code at its own lines, in the function
// that it is inlined into.
void write_hot_paths_callgrind(const HotPathReport& report, SymbolNames& names, Output& out);

}  // namespace cdr::report

#endif
