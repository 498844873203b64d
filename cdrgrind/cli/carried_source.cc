// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/carried_source.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "cdrgrind/analysis/regions/carried_ends.h"
#include "cdrgrind/cli/loop_replay.h"
#include "cdrgrind/report/advise/shared_place.h"
#include "cdrgrind/report/common/loop_place.h"

namespace cdr::cli {

namespace {

using Ends = std::tuple<uint8_t, CodeAddr, CodeAddr>;  // kind, source, target

std::map<Ends, std::vector<uint32_t>> rows_by_ends(const depend::ResultTable& table) {
  std::map<Ends, std::vector<uint32_t>> rows;
  for (uint32_t i = 0; i < table.rows().size(); ++i) {
    const depend::Key& k = table.rows()[i].key;
    rows[{static_cast<uint8_t>(k.kind), k.source.at, k.target.at}].push_back(i);
  }
  return rows;
}

// Or goes from chunk to chunk of one that is.
bool is_shared(const LoopReplay& replayed, regions::LoopId loop) {
  return replayed.shared.contains(replayed.loops[loop].header.addr);
}

// Of loops that were executed: where they begin.
std::map<regions::LoopId, analysis::LineRef> places_of(const LoopReplay& replayed, const ModuleTable& modules,
                                                       symbols::Symbols& symbols) {
  std::map<regions::LoopId, analysis::LineRef> places;
  for (uint32_t l = 1; l <= replayed.loops.size(); ++l) {
    if (replayed.regions.runs[l].instances == 0) continue;
    const regions::Loop& loop = replayed.loops[regions::LoopId(l)];
    const auto shared = is_shared(replayed, regions::LoopId(l)) ? report::shared_place(loop, symbols) : std::nullopt;
    const report::SourcePlace at = shared ? shared->place : report::LoopPlace(loop, modules, symbols).place();
    places[regions::LoopId(l)] = {at.file, at.line};
  }
  return places;
}

// Ends with the line where a loop begins, and in no loop that begins there.
void mark_beside(const depend::ResultTable& table, const LoopReplay& replayed,
                 const std::map<regions::LoopId, analysis::LineRef>& places, symbols::Symbols& symbols,
                 report::CarriedMarks& marks) {
  std::map<analysis::LineRef, std::vector<regions::LoopId>> loops;
  for (const auto& [id, place] : places)
    if (place.line != 0) loops[place].push_back(id);
  const auto is_beside = [&](const depend::Endpoint& end) {
    if (end.code != depend::EndpointCode::kOwn) return false;
    const auto line = symbols.line_of(end.at.module.value, end.at.addr);
    const auto there = loops.find({line.file, line.line});
    if (there == loops.end()) return false;
    return std::none_of(there->second.begin(), there->second.end(), [&](regions::LoopId id) {
      const regions::Loop& l = replayed.loops[id];
      return l.header.module == end.at.module && l.has(end.at.addr);
    });
  };
  for (uint32_t i = 0; i < table.rows().size(); ++i) {
    if (is_beside(table.rows()[i].key.source)) marks.add_beside(i, report::Side::kSource);
    if (is_beside(table.rows()[i].key.target)) marks.add_beside(i, report::Side::kTarget);
  }
}

void mark_parallel(const LoopReplay& replayed, const std::map<regions::LoopId, analysis::LineRef>& places,
                   const BlockTable& blocks, symbols::Symbols& symbols, report::ParallelLines& to) {
  using Mark = report::ParallelLines::Mark;
  for (uint32_t i = 1; i < replayed.by_teams.size(); ++i) {
    if (!replayed.by_teams[i]) continue;
    const Superblock& sb = blocks.superblock_of(BlockId(i));
    if (!sb.module || replayed.facts.library()[sb.module.value]) continue;
    for (uint32_t n = 0; n < blocks.exit_of(BlockId(i)).insns_executed(); ++n)
      if (const auto line = symbols.line_of(sb.module.value, sb.insn_addr(static_cast<uint16_t>(n))); line.line)
        to.add({line.file, line.line}, Mark::kExecuted);
  }
  for (const auto& [id, place] : places)
    if (place.line && is_shared(replayed, id)) to.add(place, Mark::kSharedLoop);
}

}  // namespace

report::CarriedMarks carried_marks(const trace::TraceFile& file, const depend::ResultTable& table,
                                   const LoopQuestion& question, symbols::Symbols& symbols,
                                   const analysis::Watch& watch) {
  const LoopReplay replayed(file, question, symbols, watch);
  const auto rows = rows_by_ends(table);
  const auto places = places_of(replayed, file.modules(), symbols);
  report::CarriedMarks marks;
  mark_beside(table, replayed, places, symbols, marks);
  mark_parallel(replayed, places, file.blocks(), symbols, marks.parallel);
  for (const regions::CarriedEnds& e : regions::carried_ends(replayed.regions, replayed.loops)) {
    const auto found = rows.find({static_cast<uint8_t>(e.kind), e.source, e.target});
    if (found == rows.end()) continue;
    const analysis::LineRef& loop = places.at(e.loop);
    for (const uint32_t row : found->second)
      marks.add(row, {loop.file, loop.line, e.least, e.greatest, is_shared(replayed, e.loop)});
  }
  return marks;
}

}  // namespace cdr::cli
