// SPDX-License-Identifier: GPL-2.0-or-later
// Critical sections by the program's lines: which line gets a lock, how often and for how long, how often the lock was
// not to be had, and how long it would be waited for with a processor for each thread (analysis/sync/rerun.h).
#ifndef CDRGRIND_REPORT_SYNC_SYNC_SECTIONS_H
#define CDRGRIND_REPORT_SYNC_SYNC_SECTIONS_H

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/sync/rerun.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {

class SyncNames;
struct SyncReport;

struct SectionLine {
  SourcePlace at;
  uint64_t times = 0;
  uint64_t shared = 0;     // of these: to read
  uint64_t contended = 0;  // had to wait, in the run
  uint64_t insns = 0, longest = 0;
  uint64_t waits = 0, waited = 0;  // would wait: how often, for how many instructions
  struct Behind {
    uint64_t times = 0, insns = 0;
  };
  std::map<SourcePlace, Behind> behind;  // by the line of whoever had the lock then
};

struct LockSections {
  sync::SyncKey lock;  // the first, of several that are alike
  uint64_t objects = 0;
  std::vector<SectionLine> lines;  // those that would wait longest first, then those that hold longest

  uint64_t sum(uint64_t SectionLine::*of) const {
    uint64_t all = 0;
    for (const SectionLine& l : lines) all += l.*of;
    return all;
  }
};

struct SectionReport {
  bool known = false;               // how long threads would wait
  uint64_t length = 0;              // of the run, with a processor for each thread
  std::vector<LockSections> locks;  // sorted like their lines
};

// Those that `wanted` says. `together`: locks that are alike (SyncNames::pattern) are one.
SectionReport sections_by_line(const sync::History& history, const sync::Rerun& rerun, const SyncNames& names,
                               const std::function<bool(const sync::Section&)>& wanted, bool together);

void put_sections(const SyncReport& report, const SyncNames& names, Output& out);
void put_sections_json(const SyncReport& report, const SyncNames& names, JsonWriter& to);

}  // namespace cdr::report

#endif
