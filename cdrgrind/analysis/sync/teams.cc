// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/teams.h"

#include "cdrgrind/analysis/sync/team_counter.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::sync {

std::vector<RegionTotals> count_teams(const trace::TraceFile& file, uint64_t end) {
  if (!has_operation(file, is_team_op)) return {};
  TeamCounter counter;
  for_each_sync_step(
      file, [&](const SyncStep& s) { counter.step(s); }, end);
  return counter.take();
}

}  // namespace cdr::sync
