// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/loop_replay.h"

#include "cdrgrind/analysis/regions/replay.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/dataflow_reader.h"

namespace cdr::cli {

namespace {

regions::Regions replay(const trace::TraceFile& file, LoopReplay& with, uint64_t threads) {
  regions::Replay replay(file.blocks(), with.facts.library(), with.loops, with.registers, with.flows, with.facts,
                         with.facts, {threads});
  ProgressLine line;
  const analysis::Watch watch{line.progress(), {}};
  analysis::WatchedPart part(watch, "loops", file.event_count(), analysis::kEventsBetween);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    part.goes_on(cursor.index());
    replay.see(e);
  }
  return replay.finish();
}

}  // namespace

LoopReplay::LoopReplay(const trace::TraceFile& file, const std::vector<std::string>& program, uint64_t threads,
                       symbols::Symbols& symbols)
    : scope(file.modules(), program),
      facts(file.modules(), scope, symbols),
      flows(trace::read_dataflow(file)),
      jumps(file),
      loops(file.blocks(), jumps, facts),
      insns(facts),
      registers(file.blocks(), flows, insns),
      regions(replay(file, *this, threads)) {}

}  // namespace cdr::cli
