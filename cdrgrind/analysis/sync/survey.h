// SPDX-License-Identifier: GPL-2.0-or-later
// All that one reading of a trace's synchronisation tells.
#ifndef CDRGRIND_ANALYSIS_SYNC_SURVEY_H
#define CDRGRIND_ANALYSIS_SYNC_SURVEY_H

#include <cstdint>
#include <optional>

#include "cdrgrind/analysis/sync/history.h"
#include "cdrgrind/analysis/sync/objects.h"

namespace cdr::sync {

struct SyncSurvey {
  SyncTotals totals;
  History history;
  std::optional<uint64_t> end;  // it was ended before this event
};

// `range`: what is counted in the totals; the history is that of the whole run.
SyncSurvey survey_sync(const trace::TraceFile& file, const EventRange& range, const analysis::Watch& watch);

}  // namespace cdr::sync

#endif
