// SPDX-License-Identifier: GPL-2.0-or-later
// The message sequence chart of a run (Goel, Roychoudhury and Mitra 2003, section 2.1), row by row in true order: one
// row for an operation that went through at once, two for one that others came between: where it is entered, and where
// it is left. Operations that give have one row, where they are entered.
//
// Of a program with a parallel runtime rows can have strands, too (strand_lanes.h): whose they are, and who gave what
// they get.
#ifndef CDRGRIND_ANALYSIS_SYNC_CHART_H
#define CDRGRIND_ANALYSIS_SYNC_CHART_H

#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "cdrgrind/analysis/sync/objects.h"
#include "cdrgrind/analysis/sync/strand_lane.h"

namespace cdr::sync {

struct ChartRange {
  uint64_t first = 1, last = std::numeric_limits<uint64_t>::max();  // numbers of synchronisation events
  EventRange events;                                                // only these
  uint64_t end = std::numeric_limits<uint64_t>::max();              // nothing from this event on is read
  bool all_objects = true;
  std::set<SyncKey> objects;  // else: these
  std::set<SyncKey> hidden;   // never
  uint64_t most_rows = std::numeric_limits<uint64_t>::max();
  bool strands = false;  // if the program has any
  bool details = true;   // of these: the runtime's threads, the parts of a task's creation
};

enum class ChartWhat : uint8_t { kStart, kEnd, kEnter, kLeave, kWhole };

struct ChartRow {
  ChartWhat what = ChartWhat::kWhole;
  uint64_t index = 0, number = 0;
  uint64_t insns = 0;
  ThreadId thread;
  Sync sync;  // what the leave says, if that is known
  bool failed = false;
  bool waits = false;  // what it wants was not to be had when it was entered
  std::vector<ThreadId> held_by;
  std::vector<SyncGot> got;
  std::vector<SyncKey> let_go;
  StrandStep strand;                 // of a chart with strands
  std::vector<uint32_t> held_lanes;  // held_by, as lanes

  // The event whose place is that of the row, if it has one.
  bool is_at() const { return strand.lane ? strand.is_at : !is_life(); }
  uint64_t place() const { return strand.lane ? strand.place : index; }
  bool is_detail() const {
    return strand.lane == 0 || (!is_life() && (sync.op == SyncOp::kTaskData || sync.op == SyncOp::kTaskDepend));
  }
  bool is_life() const { return what == ChartWhat::kStart || what == ChartWhat::kEnd; }
};

struct SyncChart {
  std::vector<ThreadId> threads;  // that have a row, ascending
  std::set<ThreadId> alive;       // before the first row
  std::vector<ChartRow> rows;
  bool strands = false;
  std::vector<StrandLane> lanes;      // by number - 1: of a chart with strands, those of the whole run
  std::vector<uint32_t> shown_lanes;  // that have a row, ascending
  std::set<uint32_t> alive_lanes;     // before the first row
  uint64_t events = 0;                // enters and leaves of the whole run
  uint64_t left_out = 0;              // rows in the range behind the last one shown
  uint64_t next = 0;                  // number of the first of them

  // To be told again when rows were left out.
  void show_lanes();
};

SyncChart chart_of(const trace::TraceFile& file, const ChartRange& range);

}  // namespace cdr::sync

#endif
