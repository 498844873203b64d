// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/object_accesses.h"

#include <algorithm>

namespace cdr::advise {

using regions::Kind;
using regions::SiteIndex;

namespace {

// add(site, whether it stores), of both.
template <class F>
void add_ends(const regions::CarriedRow& d, F add) {
  add(d.source, d.kind != Kind::kWar);
  add(d.target, d.kind != Kind::kRaw);
}

}  // namespace

AccessFinder::AccessFinder(const Advisor& with) : with_(with) {
  for (const regions::Flow& f : with.regions.flows) {
    loads_of_.push_back({f.store, f.load});
    stores_of_.push_back({f.load, f.store});
  }
  std::sort(loads_of_.begin(), loads_of_.end());
  std::sort(stores_of_.begin(), stores_of_.end());
  for (const regions::CarriedRow& d : with.regions.rows) {
    if (d.kind == Kind::kRaw) carried_by_[{d.source, d.target}].push_back(d.loop);
    if (d.object.kind != regions::Object::Kind::kFrame) continue;
    add_ends(d, [&](SiteIndex s, bool store) {
      if (!store) return;
      const auto [b, is_new] = in_frame_.insert(s);
      *b = is_new ? Bytes{d.lowest, d.highest} : Bytes{std::min(b->lowest, d.lowest), std::max(b->highest, d.highest)};
    });
  }
}

// Whether the store goes to another place of the frame, always the same: what both leave a function may have chosen
// from by their addresses.
bool AccessFinder::lies_elsewhere(LoopId loop, const Carrier& c, SiteIndex store) const {
  const Bytes* const bytes = in_frame_.find(store);
  if (c.object.kind != regions::Object::Kind::kFrame || !bytes) return false;
  if (bytes->lowest <= c.highest && c.lowest <= bytes->highest) return false;
  const regions::Loop& l = with_.loops[loop];
  const auto insn_at = [&](uint64_t a) -> const regions::MachineInsn& {
    return with_.values.insns().at({l.header.module, a});
  };
  const uint64_t addr = with_.regions.contexts.ip_of(store);
  const regions::Operand& to = insn_at(addr).operands[0];
  if (!l.has(addr) || to.kind != regions::Operand::Kind::kMemory || to.index != regions::kNoRegister) return false;
  if (to.reg == regions::kRegisterRsp) return true;
  return to.reg == regions::kRegisterRbp && std::none_of(l.body.begin(), l.body.end(), [&](uint64_t a) {
           return !insn_at(a).known || (insn_at(a).writes >> regions::kRegisterRbp & 1);
         });
}

bool AccessFinder::is_read_in(LoopId loop, uint64_t store) const {
  const auto& flows = with_.regions.flows;
  return std::any_of(flows.begin(), flows.end(), [&](const regions::Flow& f) {
    return with_.regions.contexts.ip_of(f.store) == store && is_in(loop, f.load, 0) && flows_in(loop, f.store, f.load);
  });
}

namespace {

using Pairs = std::vector<std::pair<SiteIndex, SiteIndex>>;

std::vector<SiteIndex> others_of(const Pairs& pairs, SiteIndex site) {
  std::vector<SiteIndex> others;
  for (auto p = std::lower_bound(pairs.begin(), pairs.end(), std::pair(site, SiteIndex{0}));
       p != pairs.end() && p->first == site; ++p)
    others.push_back(p->second);
  return others;
}

}  // namespace

std::vector<SiteIndex> AccessFinder::stores_read_by(SiteIndex load) const { return others_of(stores_of_, load); }
std::vector<SiteIndex> AccessFinder::loads_of(SiteIndex store) const { return others_of(loads_of_, store); }

std::vector<uint64_t> AccessFinder::stores_read_at(uint64_t load) const {
  if (stored_at_.empty()) {
    for (const auto& [l, s] : stores_of_)
      stored_at_.push_back({with_.regions.contexts.ip_of(l), with_.regions.contexts.ip_of(s)});
    std::sort(stored_at_.begin(), stored_at_.end());
    stored_at_.erase(std::unique(stored_at_.begin(), stored_at_.end()), stored_at_.end());
  }
  std::vector<uint64_t> stores;
  for (auto s = std::lower_bound(stored_at_.begin(), stored_at_.end(), std::pair(load, uint64_t{0}));
       s != stored_at_.end() && s->first == load; ++s)
    stores.push_back(s->second);
  return stores;
}

namespace {

size_t place_in(const regions::Loop& l, uint64_t addr) {
  return static_cast<size_t>(std::lower_bound(l.body.begin(), l.body.end(), addr) - l.body.begin());
}

}  // namespace

const std::vector<bool>& AccessFinder::LoopWays::reached_from(size_t from) {
  std::vector<bool>& reached = reached_[from];
  if (!reached.empty()) return reached;
  reached.resize(next_.size());
  for (std::vector<size_t> open{from}; !open.empty();) {
    const size_t at = open.back();
    open.pop_back();
    for (const size_t next : next_[at]) {
      if (reached[next]) continue;
      reached[next] = true;
      open.push_back(next);
    }
  }
  return reached;
}

void AccessFinder::LoopWays::be_of(LoopId loop, const regions::Loop& l) {
  if (loop == loop_) return;
  loop_ = loop;
  reached_.clear();
  next_.assign(l.body.size(), {});
  for (size_t i = 0; i < l.body.size(); ++i)
    for (const uint64_t next : l.next[i])
      if (next != l.header.addr) next_[i].push_back(place_in(l, next));
}

bool AccessFinder::is_reached(LoopId loop, uint64_t from, uint64_t to) const {
  const regions::Loop& l = with_.loops[loop];
  ways_.be_of(loop, l);
  return ways_.reached_from(place_in(l, from))[place_in(l, to)];
}

// Whether the load may have read within one instance of the loop what the store left: not if only a loop around it
// carries that, and in one iteration the store comes last.
bool AccessFinder::flows_in(LoopId loop, SiteIndex store, SiteIndex load) const {
  const auto carried = carried_by_.find({store, load});
  const auto& contexts = with_.regions.contexts;
  if (carried == carried_by_.end() || contexts.site(store).context != contexts.site(load).context) return true;
  const uint64_t from = contexts.ip_of(store), to = contexts.ip_of(load);
  const regions::Loop& l = with_.loops[loop];
  if (!l.has(from) || !l.has(to)) return true;
  const auto& by = carried->second;
  return std::any_of(by.begin(), by.end(), [&](LoopId c) { return with_.loops.is_within(c, loop); }) ||
         is_reached(loop, from, to);
}

bool AccessFinder::is_in(LoopId loop, SiteIndex s, regions::ContextIndex activation) const {
  if (loop != calls_in_.loop || activation != calls_in_.activation) calls_in_ = {loop, activation, {}};
  const auto& contexts = with_.regions.contexts;
  const regions::ContextIndex c = contexts.site(s).context;
  return is_at(loop, c, contexts.ip_of(s), activation) || is_called_in(c);
}

// Whether an instruction of the context is in the loop itself.
bool AccessFinder::is_at(LoopId loop, regions::ContextIndex c, uint64_t ip, regions::ContextIndex activation) const {
  const regions::Loop& l = with_.loops[loop];
  return (activation ? c == activation : with_.regions.contexts[c].function.addr == l.function) && l.has(ip);
}

// By the loop and activation that were asked about last.
bool AccessFinder::is_called_in(regions::ContextIndex context) const {
  const auto& contexts = with_.regions.contexts;
  std::vector<regions::ContextIndex> asked;
  uint8_t answer = kNo;
  for (regions::ContextIndex c = context; c; c = contexts[c].parent) {
    uint8_t& known = calls_in_.known[c];
    if (known == kNotKnown) {
      asked.push_back(c);
      if (!is_at(calls_in_.loop, contexts[c].parent, contexts[c].site, calls_in_.activation)) continue;
      known = kYes;
    }
    answer = known;
    break;
  }
  for (const regions::ContextIndex c : asked) calls_in_.known[c] = answer;
  return answer == kYes;
}

ObjectAccesses AccessFinder::of(LoopId loop, const Carrier& c) const {
  ObjectAccesses found;
  std::set<regions::ContextIndex> activations;
  for (const uint32_t r : c.rows) activations.insert(with_.regions.rows[r].context);
  for (const regions::ContextIndex a : activations) add_those_of(loop, c, a, found);
  return found;
}

ObjectAccesses AccessFinder::of_rows(const Carrier& c) const {
  ObjectAccesses found;
  const auto add = [&](SiteIndex s, bool store) { (store ? found.stores : found.loads).insert(s); };
  for (const uint32_t r : c.rows) add_ends(with_.regions.rows[r], add);
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
    if (d.context == activation) add_ends(d, add);
  }
  while (!open.empty()) {
    const auto [s, store] = open.back();
    open.pop_back();
    const auto& others = store ? loads_of_ : stores_of_;
    for (auto o = std::lower_bound(others.begin(), others.end(), Pair(s, 0)); o != others.end() && o->first == s; ++o)
      if (is_in(loop, o->second, activation) && flows_in(loop, store ? s : o->second, store ? o->second : s) &&
          (store || !lies_elsewhere(loop, c, o->second)))
        add(o->second, !store);
    const regions::Site& site = with_.regions.contexts.site(s);
    if (!site.is_access()) continue;
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
