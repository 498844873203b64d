// SPDX-License-Identifier: GPL-2.0-or-later
// A run as a picture: a lane for each thread, along the instructions of the whole process in true order. Each
// instruction is one unit of the axis, whoever executed it; so a lane is busy where its thread had its turn. What is
// too fine to be seen is there in bins (bins.h) as well as one by one.
//
// Valgrind runs one thread at a time, so how long threads wait here says little of a machine with many processors. For
// that each thread has a clock of its own: it goes on by one with each of its instructions, and where the thread gets
// something from another, it is set to the clock that the other had when it gave it, if that is later; in between the
// thread would have been idle. So the latest clock is the length of the run on as many processors as there are threads,
// if instructions take equally long everywhere and whatever is handed over goes to threads in the order of this run
// (Lamport 1978, with durations; the critical path of the program activity graph of Miller and Yang 1987).
#ifndef CDRGRIND_ANALYSIS_TIMELINE_TIMELINE_H
#define CDRGRIND_ANALYSIS_TIMELINE_TIMELINE_H

#include <cstdint>
#include <map>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/sync/chart.h"
#include "cdrgrind/analysis/timeline/bins.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::timeline {

struct Turn {
  ThreadId thread;
  uint64_t end = 0;  // it begins where the one before ends
};

enum class BoxKind : uint8_t {
  kWait,    // an operation that others came between: from where it was entered to where it was left
  kHold,    // a lock was held
  kTask,    // of a parallel runtime: an implicit or explicit task
  kRegion,  // a parallel region, on the thread that began it
};
constexpr size_t kBoxKinds = 4;

struct Box {
  BoxKind kind = BoxKind::kWait;
  ThreadId thread;
  uint64_t begin = 0, end = 0;
  sync::SyncKey object;
  SyncOp op = SyncOp::kNone;
  uint64_t event = 0;  // where it begins
};

struct HandOver {
  ThreadId from, to;
  uint64_t left = 0, got = 0;  // where it was let go, and got
  sync::SyncKey object;
};

struct Lane {
  uint64_t begin = 0, end = 0;     // of the thread's life
  uint64_t instructions = 0;       // that it executed
  uint64_t operations = 0;         // of synchronisation
  uint64_t clock = 0, idle = 0;    // on a processor of its own: when it ends, and how long it has nothing to do
  uint64_t boxes[kBoxKinds] = {};  // how long it was in boxes of each kind, overlapping ones each
  Bins runs, waits, holds, does;   // `does`: operations
  explicit Lane(size_t bins) : runs(bins), waits(bins), holds(bins), does(bins) {}
};

struct TimelineOptions {
  size_t bins = 4096;       // of each lane, at most
  size_t code_bins = 256;   // of blocks executed
  size_t most = 1'000'000;  // of turns; the chart bounds the others
};

struct Timeline {
  uint64_t instructions = 0;  // the length of the axis
  std::map<ThreadId, Lane> lanes;
  std::vector<Turn> turns;  // the first ones
  uint64_t turns_left_out = 0;
  std::vector<Box> boxes;  // by where they end
  std::vector<HandOver> hand_overs;
  std::map<sync::SyncKey, uint64_t> idle;  // how long threads on processors of their own wait for each object, summed
  std::vector<uint64_t> rows_at;           // where each row of the chart stands on the axis
  SparseBins blocks;                       // executions by number of block
  explicit Timeline(const TimelineOptions& options) : blocks(options.code_bins) {}
};

// One pass over the events. `chart`: what its rows say becomes boxes and hand-overs; rows must be by event.
Timeline timeline_of(const trace::TraceFile& file, const sync::SyncChart& chart, const TimelineOptions& options,
                     const analysis::Progress& progress);

}  // namespace cdr::timeline

#endif
