// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/carried_source.h"

#include <map>
#include <tuple>

#include "cdrgrind/analysis/regions/carried_ends.h"
#include "cdrgrind/cli/loop_replay.h"
#include "cdrgrind/cli/progress_line.h"
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

}  // namespace

report::CarriedMarks carried_marks(const trace::TraceFile& file, const depend::ResultTable& table,
                                   const std::vector<std::string>& program, symbols::Symbols& symbols) {
  constexpr uint64_t kThreads = 2;  // speed-ups are not asked for
  ProgressLine line;
  const LoopReplay replayed(file, program, kThreads, symbols, line.progress());
  line.clear();
  const auto rows = rows_by_ends(table);
  std::map<regions::LoopId, report::CarriedBy> loops;
  report::CarriedMarks marks;
  for (const regions::CarriedEnds& e : regions::carried_ends(replayed.regions, replayed.loops)) {
    const auto found = rows.find({static_cast<uint8_t>(e.kind), e.source, e.target});
    if (found == rows.end()) continue;
    const auto [loop, is_new] = loops.try_emplace(e.loop);
    if (is_new) {
      const report::LoopPlace at(replayed.loops[e.loop], file.modules(), symbols);
      loop->second = {at.place().file, at.place().line, 0, 0};
    }
    for (const uint32_t row : found->second)
      marks.add(row, {loop->second.file, loop->second.line, e.least, e.greatest});
  }
  return marks;
}

}  // namespace cdr::cli
