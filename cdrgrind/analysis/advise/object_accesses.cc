// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/object_accesses.h"

namespace cdr::advise {

using regions::Kind;
using regions::SiteIndex;

AccessFinder::AccessFinder(const Advisor& with) : with_(with) {
  for (const regions::Flow& f : with.regions.flows) {
    loads_of_.emplace(f.store, f.load);
    stores_of_.emplace(f.load, f.store);
  }
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
      if (is_in(loop, o->second, activation)) add(o->second, !store);
    const regions::Site& site = with_.regions.contexts.site(s);
    if (site.access >= regions::Site::kWhole) continue;
    const auto accesses = with_.blocks.superblock(site.superblock).accesses;
    for (uint16_t a = 0; a < accesses.size(); ++a)
      if (a != site.access && with_.values.same_place(site.superblock, a, site.access))
        add(s - site.access + a, accesses[a].store());
  }
}

}  // namespace cdr::advise
