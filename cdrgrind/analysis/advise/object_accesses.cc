// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/object_accesses.h"

#include <algorithm>

namespace cdr::advise {

using regions::Kind;
using regions::SiteIndex;

AccessFinder::AccessFinder(const Advisor& with) : with_(with) {
  for (const regions::Flow& f : with.regions.flows) {
    loads_of_.emplace(f.store, f.load);
    stores_of_.emplace(f.load, f.store);
  }
  for (const regions::CarriedRow& d : with.regions.rows)
    if (d.kind == Kind::kRaw) carried_by_[{d.source, d.target}].push_back(d.loop);
}

// Whether one site comes behind the other in a superblock, or in one that goes on with the other's.
bool AccessFinder::comes_behind(SiteIndex s, SiteIndex other) const {
  const regions::Site& a = with_.regions.contexts.site(s);
  const regions::Site& b = with_.regions.contexts.site(other);
  if (a.context != b.context) return false;
  if (a.superblock == b.superblock) return a.access > b.access;
  for (SuperblockId sb = with_.values.of(a.superblock).before; sb; sb = with_.values.of(sb).before)
    if (sb == b.superblock) return true;
  return false;
}

// Whether the load may have read within one instance of the loop what the store left: not if only a loop around it
// carries that, and in one iteration the store comes last.
bool AccessFinder::flows_in(LoopId loop, SiteIndex store, SiteIndex load) const {
  const auto carried = carried_by_.find({store, load});
  if (carried == carried_by_.end() || !comes_behind(store, load)) return true;
  const uint64_t at = with_.regions.contexts.ip_of(store);
  const regions::Loop& l = with_.loops[loop];
  if (!l.has(at) || with_.loops.innermost(loop, at) != loop) return true;
  return std::any_of(carried->second.begin(), carried->second.end(),
                     [&](LoopId c) { return c == loop || with_.loops.is_within(c, loop); });
}

bool AccessFinder::is_in(LoopId loop, SiteIndex s, regions::ContextIndex activation) const {
  const auto& contexts = with_.regions.contexts;
  const regions::Loop& l = with_.loops[loop];
  uint64_t ip = contexts.ip_of(s);
  for (regions::ContextIndex c = contexts.site(s).context; c; ip = contexts[c].site, c = contexts[c].parent)
    if ((activation ? c == activation : contexts[c].function.addr == l.function) && l.has(ip)) return true;
  return false;
}

ObjectAccesses AccessFinder::of(LoopId loop, const Carrier& c) const {
  ObjectAccesses found;
  std::set<regions::ContextIndex> activations;
  for (const uint32_t r : c.rows) activations.insert(with_.regions.rows[r].context);
  for (const regions::ContextIndex a : activations) add_those_of(loop, c, a, found);
  return found;
}

void AccessFinder::add_those_of(LoopId loop, const Carrier& c, regions::ContextIndex activation,
                                ObjectAccesses& found) const {
  std::vector<std::pair<SiteIndex, bool>> open;  // true: a store
  std::set<std::pair<SiteIndex, bool>> seen;
  const auto add = [&](SiteIndex s, bool store) {
    if (!seen.insert({s, store}).second) return;
    (store ? found.stores : found.loads).insert(s);
    open.push_back({s, store});
  };
  for (const uint32_t r : c.rows) {
    const regions::CarriedRow& d = with_.regions.rows[r];
    if (d.context != activation) continue;
    add(d.source, d.kind != Kind::kWar);
    add(d.target, d.kind != Kind::kRaw);
  }
  while (!open.empty()) {
    const auto [s, store] = open.back();
    open.pop_back();
    const auto& others = store ? loads_of_ : stores_of_;
    for (auto [o, end] = others.equal_range(s); o != end; ++o)
      if (is_in(loop, o->second, activation) && flows_in(loop, store ? s : o->second, store ? o->second : s))
        add(o->second, !store);
    const regions::Site& site = with_.regions.contexts.site(s);
    if (site.access >= regions::Site::kWhole) continue;
    const auto accesses = with_.blocks.superblock(site.superblock).accesses;
    for (uint16_t a = 0; a < accesses.size(); ++a) {
      const SiteIndex other = s - site.access + a;
      if (a != site.access && with_.values.same_place({site.superblock, a}, {site.superblock, site.access}) &&
          is_in(loop, other, activation))
        add(other, accesses[a].store());
    }
  }
}

}  // namespace cdr::advise
