// SPDX-License-Identifier: GPL-2.0-or-later
// Every event of a trace, and every access of an event.
#ifndef CDRGRIND_ANALYSIS_COMPARE_WALK_H
#define CDRGRIND_ANALYSIS_COMPARE_WALK_H

#include <string_view>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/replay.h"

namespace cdr::compare {

// Calls f(event) in true order. `part` is what the progress says.
template <class F>
void walk(const trace::TraceFile& file, const analysis::Progress& progress, std::string_view part, F f) {
  constexpr uint64_t kBetween = 1 << 16;
  trace::Cursor cursor(file);
  uint64_t left = 0, done = 0;
  for (Event e; cursor.next(e); ++done, --left) {
    if (left == 0) {
      if (progress) progress(part, done, file.event_count());
      left = kBetween;
    }
    f(e);
  }
}

inline bool is_block(const Event& e) { return e.kind == EventKind::kBlock || e.kind == EventKind::kPartial; }

// Calls f(access, address, index in the superblock) for the accesses of a block that happened.
template <class F>
void for_each_access(const Event& e, const BlockTable& blocks, F f) {
  uint32_t index = 0;
  for (const Access& a : trace::extent_of(e, blocks).accesses) {
    if (happened(a, e.words)) f(a, address_of(a, e.words), index);
    ++index;
  }
}

}  // namespace cdr::compare

#endif
