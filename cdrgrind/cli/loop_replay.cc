// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/loop_replay.h"

#include <optional>

#include "cdrgrind/analysis/advise/team_loops.h"
#include "cdrgrind/analysis/races/source/worksharing_loops.h"
#include "cdrgrind/analysis/regions/replay.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/report/races/race_facts.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/dataflow_reader.h"

namespace cdr::cli {

namespace {

// What later iterations depend on may come last: of a part of the run nothing is said.
regions::Regions replay(const trace::TraceFile& file, LoopReplay& with, uint64_t threads,
                        const analysis::Watch& watch) {
  std::optional<advise::TeamLoops> teams;
  if (with.jumps.has_operation(is_team_op)) teams.emplace(file.blocks());
  regions::Replay replay(file.blocks(), with.facts.library(), with.loops, with.registers, with.flows, with.facts,
                         with.facts, {threads, teams ? &*teams : nullptr});
  trace::Cursor cursor(file);
  Event e;
  if (teams) {
    analysis::WatchedPart part(watch, "loops", file.event_count(), analysis::kEventsBetween);
    while (cursor.next(e)) {
      if (!part.goes_on(cursor.index())) throw ReplayInterrupted(only_first(*part.end(), file.event_count()));
      replay.see(e);
      teams->event(e, cursor.index());
    }
  } else {
    analysis::WatchedPart part(watch, "loops", file.event_count(), 1);
    uint64_t asked = 0;
    const auto ask = [&](uint64_t seen) {
      for (; asked <= seen; asked += analysis::kEventsBetween)
        if (!part.goes_on(asked)) throw ReplayInterrupted(only_first(*part.end(), file.event_count()));
    };
    ask(0);
    trace::DecodedSteps steps;
    while (cursor.next_steps(steps, e)) {
      if (steps.empty())
        replay.see(e);
      else
        replay.see(steps.thread, steps.steps());
      ask(cursor.index());
    }
  }
  regions::Regions found = replay.finish();
  if (teams) {
    with.in_teams = teams->take();
    with.by_teams = teams->executed();
  }
  return found;
}

std::map<uint64_t, races::WorksharingPlace> shared_loops(const trace::TraceFile& file, const regions::JumpLog& jumps,
                                                         symbols::Symbols& symbols, const analysis::Watch& watch) {
  if (!jumps.has_operation(races::may_share_loops)) return {};
  report::RaceFacts facts(file.modules(), symbols);
  const races::RuntimeCode runtime(file.modules(), facts);
  bool ended = false;
  const analysis::Watch noted{watch.progress, [&] { return ended |= watch.stopped && watch.stopped(); }};
  auto places = races::WorksharingLoops(file, runtime, facts, noted).places();
  if (ended) throw ReplayInterrupted("which loops are shared out is not known");
  return places;
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
      shared(shared_loops(file, jumps, symbols, watch)),
      regions(replay(file, *this, threads, watch)) {}

}  // namespace cdr::cli
