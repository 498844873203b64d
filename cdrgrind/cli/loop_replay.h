// SPDX-License-Identifier: GPL-2.0-or-later
// A trace gone through for what its loops carry: everything that the replay needs, and what it found. The trace must
// have all addresses.
#ifndef CDRGRIND_CLI_LOOP_REPLAY_H
#define CDRGRIND_CLI_LOOP_REPLAY_H

#include <map>
#include <string>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/races/source/worksharing_place.h"
#include "cdrgrind/analysis/regions/carried.h"
#include "cdrgrind/analysis/regions/jump_log.h"
#include "cdrgrind/analysis/regions/locked_facts.h"
#include "cdrgrind/analysis/regions/register_flow.h"
#include "cdrgrind/analysis/sync/team_counter.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/loop_question.h"
#include "cdrgrind/report/advise/advise_facts.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::cli {

// Says how far it was.
struct ReplayInterrupted : Failure {
  explicit ReplayInterrupted(const std::string& what)
      : Failure(kInterrupted, "interrupted: " + what), looked_at(what) {}
  std::string looked_at;
};

struct LoopReplay {
  // Throws ReplayInterrupted if `watch` says so.
  LoopReplay(const trace::TraceFile& file, const LoopQuestion& question, symbols::Symbols& symbols,
             const analysis::Watch& watch);

  const report::ProgramScope scope;
  report::AdviseFacts facts;
  regions::LockedFacts locked;
  const DataflowTable flows;
  const regions::JumpLog jumps;
  regions::CodeLoops loops;
  regions::InsnTable insns;
  regions::RegisterFlow registers;
  // Of programs of a parallel runtime: loops that are shared out, by header; and what teams executed of loops, by
  // number.
  const std::map<uint64_t, races::WorksharingPlace> shared;
  std::map<uint32_t, sync::TeamLoopTotals> in_teams;
  std::vector<bool> by_teams;  // by block: teams have executed it; empty: there are none
  regions::Regions regions;
};

}  // namespace cdr::cli

#endif
