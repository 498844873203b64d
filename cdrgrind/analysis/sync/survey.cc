// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/survey.h"

#include "cdrgrind/analysis/sync/history_maker.h"

namespace cdr::sync {

SyncSurvey survey_sync(const trace::TraceFile& file, const EventRange& range, const analysis::Watch& watch) {
  SyncSurvey survey;
  ObjectCounter objects(range);
  HistoryMaker history;
  analysis::WatchedPart part(watch, "operations", file.event_count());
  const auto see = [&](const SyncStep& s) {
    objects.step(s);
    history.step(s);
  };
  for_each_sync_step(file, see, part);
  survey.end = part.end();
  survey.totals = objects.take();
  survey.history = history.take();
  return survey;
}

}  // namespace cdr::sync
