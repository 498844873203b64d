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
#include "cdrgrind/analysis/sync/operation_stacks.h"
#include "cdrgrind/analysis/sync/steps.h"
#include "cdrgrind/analysis/sync/teams.h"
#include "cdrgrind/report/common/heap_names.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/common/report_head.h"
#include "cdrgrind/report/common/report_scope.h"
#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/report/sync/sync_barriers.h"
#include "cdrgrind/report/sync/sync_sections.h"
#include "cdrgrind/report/sync/sync_strands.h"

namespace cdr::report {

// Names of objects and lines of events; all of them are found at once. Everything given must outlive it.
class SyncNames {
 public:
  SyncNames(const trace::TraceFile& file, const ProgramScope& scope, symbols::Symbols& symbols)
      : file_(file), scope_(scope), symbols_(symbols), heap_(file.modules(), symbols) {}

  // "queue.lock", "Global->start", "block of 40 bytes at list.c:12 + 8", "0x4c3a020"
  void find_objects(const sync::SyncTotals& totals);
  const std::string& object(const sync::SyncKey& key) const;
  // Objects that are alike have the same: "queues[…].lock", "blocks of 40 bytes at list.c:12 + 8"
  const std::string& pattern(const sync::SyncKey& key) const;
  // Those in the data of others than the program, or in blocks that these, or the libraries of threads and parallel
  // runtimes, allocated for themselves.
  const std::set<sync::SyncKey>& of_others() const { return of_others_; }
  // Objects called so; by address if it is a number. A name without index or member stands for all its parts.
  std::set<sync::SyncKey> objects_called(const std::string& word) const;

  // At these events; see events_of(). `libraries`: where the program has no part in it, a library's line is better than
  // none. False: it was interrupted.
  bool find_places(std::vector<uint64_t> events, bool libraries, const analysis::Watch& watch = {});
  SourcePlace place(uint64_t event) const;
  // The number of the calls that were open then; these, the innermost first.
  uint32_t stack(uint64_t event) const { return stacks_.number(event); }
  const std::vector<CodeAddr>& calls(uint32_t stack) const { return stacks_.stack(stack); }
  // Whether code of the program was on the stack, what starts every program not counted.
  bool in_program(uint64_t event) const;
  // Where these calls, the innermost first, are in the program's code if they are there at all.
  SourcePlace place_of(const std::vector<CodeAddr>& sites, bool libraries = true) const;

  // Conditions that barriers are made of.
  void set_barriers(std::set<sync::SyncKey> conditions) { barriers_ = std::move(conditions); }
  bool is_barrier(const sync::SyncKey& condition) const { return barriers_.contains(condition); }

 private:
  struct Named {
    std::string name, pattern;
  };
  void find_block(const sync::SyncKey& key, const sync::BlockFound& block, const std::vector<CodeAddr>& sites);
  std::vector<CodeAddr> own(const std::vector<CodeAddr>& sites) const;

  const trace::TraceFile& file_;
  const ProgramScope& scope_;
  symbols::Symbols& symbols_;
  HeapNames heap_;
  std::map<sync::SyncKey, Named> objects_;
  std::set<sync::SyncKey> of_others_, barriers_;
  sync::OperationStacks stacks_;
  std::vector<SourcePlace> places_;  // by number of the stack
  std::vector<bool> in_program_;
};

// The events whose places a report names.
std::vector<uint64_t> events_of(const sync::SyncTotals& totals, const sync::SyncChart& chart,
                                const std::vector<sync::RegionTotals>& teams);
// Those of critical sections, waits and signals.
std::vector<uint64_t> events_of(const sync::History& history);

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
  SectionReport sections;
  std::vector<BarrierTotals> barriers;
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
