// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/carried_ends.h"

#include <algorithm>
#include <tuple>

namespace cdr::regions {

namespace {

CarriedEnds ends_of(const CarriedRow& row, const Contexts& contexts, const CodeLoops& loops) {
  const ModuleId module = loops[row.loop].header.module;
  const uint32_t depth = contexts[row.context].depth;
  const auto end = [&](SiteIndex s) { return CodeAddr{module, contexts.seen_from(s, depth).ip}; };
  return {row.kind, end(row.source), end(row.target), row.loop, row.distances.least, row.distances.greatest};
}

auto identity(const CarriedEnds& e) { return std::tie(e.kind, e.source, e.target, e.loop); }

}  // namespace

std::vector<CarriedEnds> carried_ends(const Regions& regions, const CodeLoops& loops) {
  std::vector<CarriedEnds> all;
  for (const CarriedRow& row : regions.rows)
    if (row.object.kind != Object::Kind::kRegister) all.push_back(ends_of(row, regions.contexts, loops));
  std::sort(all.begin(), all.end());
  std::vector<CarriedEnds> ends;
  for (const CarriedEnds& e : all) {
    if (ends.empty() || identity(ends.back()) != identity(e)) ends.push_back(e);
    ends.back().least = std::min(ends.back().least, e.least);
    ends.back().greatest = std::max(ends.back().greatest, e.greatest);
  }
  return ends;
}

}  // namespace cdr::regions
