// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/loop_replay.h"

#include <algorithm>

#include "cdrgrind/analysis/advise/team_loops.h"
#include "cdrgrind/analysis/races/source/worksharing_loops.h"
#include "cdrgrind/analysis/regions/parted_replay.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/dependence_source.h"
#include "cdrgrind/report/races/race_facts.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/dataflow_reader.h"

namespace cdr::cli {

namespace {

// What later iterations depend on may come last: of a part of the run nothing is said.
[[noreturn]] void interrupt(const analysis::WatchedPart& part, const trace::TraceFile& file) {
  throw ReplayInterrupted(only_first(*part.end(), file.event_count()));
}

// What its teams execute is followed event by event.
regions::Regions replay_teams(const trace::TraceFile& file, LoopReplay& with, const regions::ReplayInput& input,
                              const analysis::Watch& watch) {
  advise::TeamLoops teams(file.blocks());
  regions::Replay replay(file.blocks(), input.library, input.loops, input.registers, input.flows, input.facts,
                         input.facts, {input.threads, &teams, {1, 0}});
  trace::Cursor cursor(file);
  analysis::WatchedPart part(watch, "loops", file.event_count(), analysis::kEventsBetween);
  for (Event e; cursor.next(e);) {
    if (!part.goes_on(cursor.index())) interrupt(part, file);
    replay.see(e);
    teams.event(e, cursor.index());
  }
  replay.finish();
  with.in_teams = teams.take();
  with.by_teams = teams.executed();
  regions::Replay* const all = &replay;
  return regions::PartedRegions().take({&all, 1}, input.facts);
}

regions::Regions replay(const trace::TraceFile& file, LoopReplay& with, const LoopQuestion& question,
                        const analysis::Watch& watch) {
  const regions::ReplayInput input{with.facts.library(), with.jumps,  with.loops,      with.registers,
                                   with.flows,           with.locked, question.threads};
  if (with.jumps.has_operation(is_team_op)) return replay_teams(file, with, input, watch);
  analysis::WatchedPart part(watch, "loops", file.event_count(), 1);
  uint64_t asked = 0;
  const auto read = [&](uint64_t events) {
    for (; asked <= events; asked += analysis::kEventsBetween)
      if (!part.goes_on(asked)) interrupt(part, file);
  };
  read(0);
  const unsigned jobs = question.jobs == 0 ? processors() : question.jobs;
  return regions::replay_by_parts(file, input, std::min(jobs, regions::LineShare::kMostParts), read);
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

LoopReplay::LoopReplay(const trace::TraceFile& file, const LoopQuestion& question, symbols::Symbols& symbols,
                       const analysis::Watch& watch)
    : scope(file.modules(), question.program),
      facts(file.modules(), scope, symbols),
      locked(facts, facts, facts),
      flows(trace::read_dataflow(file)),
      jumps(file),
      loops(file.blocks(), jumps, locked),
      insns(locked),
      registers(file.blocks(), flows, insns),
      shared(shared_loops(file, jumps, symbols, watch)),
      regions(replay(file, *this, question, watch)) {}

}  // namespace cdr::cli
