// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/kept_registers.h"

#include "cdrgrind/analysis/regions/register_flow.h"

namespace cdr::advise {

using regions::Site;

KeptRegisters::KeptRegisters(const regions::Regions& regions, const BlockTable& blocks) : regions_(regions) {
  const auto is_own = [](const Site& s, const regions::CarriedRow& d) {
    return s.access == Site::kRegisters && s.context == d.context;
  };
  for (const regions::CarriedRow& d : regions.rows) {
    if (d.object.kind != regions::Object::Kind::kRegister || d.kind != regions::Kind::kRaw) continue;
    const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(d.object.id));
    const Site& target = regions.contexts.site(d.target);
    const bool is_kept_anyway = reg < regions::kFirstVector && (regions::kKeptByCalls >> reg & 1);
    if (reg >= regions::kFirstVector || is_kept_anyway || !is_own(target, d)) continue;
    Reads& reads = reads_[d.loop.value][{blocks.superblock(target.superblock).addr, reg}];
    reads.count += d.count;
    reads.by_others |= d.distances.greatest > 1 || !is_own(regions.contexts.site(d.source), d);
  }
}

// All iterations but an instance's first one do, if there are as many reads as these.
std::map<uint64_t, regions::RegisterSet> KeptRegisters::of(LoopId loop) const {
  std::map<uint64_t, regions::RegisterSet> kept;
  const auto of_loop = reads_.find(loop.value);
  if (of_loop == reads_.end()) return kept;
  const regions::LoopRun& run = regions_.runs[loop.value];
  for (const auto& [place, reads] : of_loop->second)
    if (!reads.by_others && reads.count == run.iterations - run.with_iterations)
      kept[place.first] |= regions::RegisterSet{1} << place.second;
  return kept;
}

}  // namespace cdr::advise
