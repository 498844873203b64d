// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/loop_replay.h"

#include "cdrgrind/analysis/regions/replay.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/dataflow_reader.h"

namespace cdr::cli {

namespace {

// What later iterations depend on may come last: of a part of the run nothing is said.
regions::Regions replay(const trace::TraceFile& file, LoopReplay& with, uint64_t threads,
                        const analysis::Watch& watch) {
  regions::Replay replay(file.blocks(), with.facts.library(), with.loops, with.registers, with.flows, with.facts,
                         with.facts, {threads});
  analysis::WatchedPart part(watch, "loops", file.event_count(), analysis::kEventsBetween);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    if (!part.goes_on(cursor.index())) throw ReplayInterrupted(only_first(*part.end(), file.event_count()));
    replay.see(e);
  }
  return replay.finish();
}

}  // namespace

LoopReplay::LoopReplay(const trace::TraceFile& file, const std::vector<std::string>& program, uint64_t threads,
                       symbols::Symbols& symbols, const analysis::Watch& watch)
    : scope(file.modules(), program),
      facts(file.modules(), scope, symbols),
      flows(trace::read_dataflow(file)),
      jumps(file),
      loops(file.blocks(), jumps, facts),
      insns(facts),
      registers(file.blocks(), flows, insns),
      regions(replay(file, *this, threads, watch)) {}

}  // namespace cdr::cli
