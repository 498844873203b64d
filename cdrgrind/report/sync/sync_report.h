// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind sync`: the message sequence chart and what became of each object, as text, as Mermaid and as JSON.
#ifndef CDRGRIND_REPORT_SYNC_SYNC_REPORT_H
#define CDRGRIND_REPORT_SYNC_SYNC_REPORT_H

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/sync/chart.h"
#include "cdrgrind/analysis/sync/objects.h"
#include "cdrgrind/report/common/binaries.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/report/common/style.h"

namespace cdr::report {

// Names of objects and lines of events; all of them are found at once. Everything given must outlive it.
class SyncNames {
 public:
  SyncNames(const trace::TraceFile& file, symbols::Symbols& symbols) : file_(file), symbols_(symbols) {}

  // "queue.lock", "block of 40 bytes at list.c:12 + 8", "0x4c3a020"
  void find_objects(const sync::SyncTotals& totals);
  const std::string& object(const sync::SyncKey& key) const;
  // Objects called so; by address if it is a number. A name without index or member stands for all its parts.
  std::set<sync::SyncKey> objects_called(const std::string& word) const;

  void find_places(const sync::SyncTotals& totals, const sync::SyncChart& chart);
  SourcePlace place(uint64_t event) const;

 private:
  SourcePlace place_of(const std::vector<CodeAddr>& sites) const;

  const trace::TraceFile& file_;
  symbols::Symbols& symbols_;
  std::map<sync::SyncKey, std::string> objects_;
  std::map<uint64_t, SourcePlace> places_;
};

struct SyncReport {
  std::string program;
  BinaryNotes binaries;
  std::vector<std::pair<std::string, std::string>> header;
  sync::SyncTotals totals;
  sync::SyncChart chart;
  bool everything = true;  // the chart is not limited to a range or to some objects
  Style style;
  std::string next;  // the command that shows what was left out
};

void write_sync(const SyncReport& report, const SyncNames& names, Output& out);
void write_sync_mermaid(const SyncReport& report, const SyncNames& names, Output& out);
// Schema cdrgrind.sync/1.
void write_sync_json(const SyncReport& report, const SyncNames& names, Output& out);

std::string_view name_of(sync::SyncKind k);  // "mutex"

// What a row says: "mutex-lock m, from thread 2".
std::string label_of(const sync::ChartRow& row, const SyncNames& names);

}  // namespace cdr::report

#endif
