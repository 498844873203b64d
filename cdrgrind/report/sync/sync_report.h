// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind sync`: the message sequence chart and what became of each object, as text, as Mermaid and as JSON.
#ifndef CDRGRIND_REPORT_SYNC_SYNC_REPORT_H
#define CDRGRIND_REPORT_SYNC_SYNC_REPORT_H

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/sync/chart.h"
#include "cdrgrind/analysis/sync/objects.h"
#include "cdrgrind/analysis/sync/steps.h"
#include "cdrgrind/analysis/sync/teams.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/common/report_head.h"
#include "cdrgrind/report/common/report_scope.h"
#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {

// Names of objects and lines of events; all of them are found at once. Everything given must outlive it.
class SyncNames {
 public:
  SyncNames(const trace::TraceFile& file, const ProgramScope& scope, symbols::Symbols& symbols)
      : file_(file), scope_(scope), symbols_(symbols) {}

  // "queue.lock", "block of 40 bytes at list.c:12 + 8", "0x4c3a020"
  void find_objects(const sync::SyncTotals& totals);
  const std::string& object(const sync::SyncKey& key) const;
  // Objects that are alike have the same: "queues[…].lock", "blocks of 40 bytes at list.c:12 + 8"
  const std::string& pattern(const sync::SyncKey& key) const;
  // Those in the data of others than the program, or in blocks that these allocated for themselves.
  const std::set<sync::SyncKey>& of_others() const { return of_others_; }
  // Objects called so; by address if it is a number. A name without index or member stands for all its parts.
  std::set<sync::SyncKey> objects_called(const std::string& word) const;

  void find_places(const sync::SyncTotals& totals, const sync::SyncChart& chart,
                   const std::vector<sync::RegionTotals>& teams);
  SourcePlace place(uint64_t event) const;
  // Where these calls, the innermost first, are in the program's code if they are there at all.
  SourcePlace place_of(const std::vector<CodeAddr>& sites) const;

 private:
  struct Named {
    std::string name, pattern;
  };
  void find_block(const sync::SyncKey& key, const sync::BlockFound& block, const std::vector<CodeAddr>& sites);

  const trace::TraceFile& file_;
  const ProgramScope& scope_;
  symbols::Symbols& symbols_;
  std::map<sync::SyncKey, Named> objects_;
  std::set<sync::SyncKey> of_others_;
  std::map<uint64_t, SourcePlace> places_;
};

// Objects that are alike, taken together.
struct SyncGroup {
  std::string name;
  uint64_t objects = 0;
  sync::SyncObject sum;
};

struct SyncReport : ReportHead {
  sync::SyncTotals totals;
  sync::SyncChart chart;
  std::vector<sync::RegionTotals> teams;
  ScopeNote scope;                            // objects that were left out
  uint64_t most_rows = 0;                     // in text; 0: all
  std::function<std::string(uint64_t)> next;  // the command that shows what is left out from an event on
};

void write_sync(const SyncReport& report, const SyncNames& names, Output& out);
void write_sync_mermaid(const SyncReport& report, const SyncNames& names, Output& out);
// Schema cdrgrind.sync/1.
void write_sync_json(const SyncReport& report, const SyncNames& names, Output& out);

// Parallel regions: nothing if there are none.
void put_teams(const SyncReport& report, const SyncNames& names, Output& out);
void put_teams_json(const SyncReport& report, const SyncNames& names, JsonWriter& to);

std::string_view name_of(sync::SyncKind k);  // "mutex"

// Those that were waited for most first.
std::vector<SyncGroup> grouped(const sync::SyncTotals& totals, const SyncNames& names);

// Rows that repeat, at most kLongestRepeat at a time, stand once.
struct RepeatedRows {
  size_t first = 0, rows = 1;
  uint64_t times = 1;
  bool operator==(const RepeatedRows&) const = default;
};
constexpr size_t kLongestRepeat = 16;
// `rows`: what each says; equal ones are the same.
std::vector<RepeatedRows> repeated(const std::vector<std::string>& rows);

// What a row says: "mutex-lock m, from thread 2".
std::string label_of(const sync::ChartRow& row, const SyncNames& names);

}  // namespace cdr::report

#endif
