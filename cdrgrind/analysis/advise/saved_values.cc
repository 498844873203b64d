// SPDX-License-Identifier: GPL-2.0-or-later
// Updates whose old value is put aside around a call, in a place of the frame or in a register that calls keep.
//
//     movsd xmm4,[rax]         old
//     movsd [rbp-56],xmm4      put aside
//     call cos
//     addsd xmm0,[rbp-56]
//     movsd [rax],xmm0
#include <algorithm>
#include <set>

#include "cdrgrind/analysis/advise/classes.h"

namespace cdr::advise {

using regions::Site;
using regions::SiteIndex;

// 0 if it was not executed there.
SiteIndex Classifier::site_of(regions::ContextIndex context, AccessId access) const {
  const SiteIndex first = with_.regions.contexts.known_sites_of(context, access.first);
  return first ? first + access.second : 0;
}

Classifier::Update Classifier::update_of_saved(LoopId loop, SiteIndex store, const Value& v) const {
  const Site& s = site(store);
  const regions::Loop& l = with_.loops[loop];
  if (with_.regions.contexts[s.context].function.addr != l.function || !l.has(with_.regions.contexts.ip_of(store)))
    return {};
  for (size_t i = 0; i < v.leaves.size(); ++i) {
    const Leaf& leaf = v.leaves[i];
    const bool is_register = leaf.kind == Leaf::Kind::kEntry && (regions::kKeptByCalls >> leaf.ref & 1);
    if (!is_register && leaf.kind != Leaf::Kind::kLoad) continue;
    auto saved = is_register ? saved_in_register(loop, s, static_cast<uint8_t>(leaf.ref))
                             : saved_in_frame(loop, s, with_.values.origin(s.superblock, leaf.ref));
    if (!saved) continue;
    Update u = update_in(loop, s, v, i);
    u.saved = std::move(*saved);
    u.by_function = true;
    if (is_register) u.held = static_cast<uint8_t>(leaf.ref);
    return u;
  }
  return {};
}

// The loads of what is in the store's place, if all that the access reads was put aside by such, and for it alone.
std::optional<std::vector<AccessId>> Classifier::saved_in_frame(LoopId loop, const Site& store, AccessId loaded) const {
  const SiteIndex load = site_of(store.context, loaded);
  if (!load) return std::nullopt;
  const auto puts = accesses_.stores_read_by(load);
  std::vector<AccessId> saved;
  for (const SiteIndex put : puts) {
    const Site& p = site(put);
    if (!p.is_access() || p.context != store.context || !is_put_aside_for(loop, put, load)) return std::nullopt;
    const auto& stored = with_.values.of(p.superblock).stored;
    const auto v = stored.find(p.access);
    if (v == stored.end() || !v->second.is_copy() || v->second.leaves[0].kind != Leaf::Kind::kLoad) return std::nullopt;
    Update u;
    u.by_function = true;
    u.old = with_.values.origin(p.superblock, v->second.leaves[0].ref);
    if (!is_same_place(loop, store, u.old) || has_other_uses(loop, put, u)) return std::nullopt;
    saved.push_back(u.old);
  }
  return saved.empty() ? std::nullopt : std::optional(saved);
}

// Whether one instruction alone reads what another one stores, both in the same innermost loop, and each way through an
// iteration to it comes by the store: it reads what its own iteration has put there.
bool Classifier::is_put_aside_for(LoopId loop, SiteIndex put, SiteIndex load) const {
  const auto& contexts = with_.regions.contexts;
  const uint64_t from = contexts.ip_of(put), to = contexts.ip_of(load);
  const LoopId innermost = with_.loops.innermost(loop, to);
  if (!with_.loops[loop].has(to) || !innermost || with_.loops.innermost(loop, from) != innermost) return false;
  const regions::Loop& l = with_.loops[innermost];
  if (l.irregular || l.weak || l.is_threaded()) return false;
  if (escapes_.contains({loop.value, put}) || escapes_.contains({innermost.value, put})) return false;
  const auto readers = accesses_.loads_of(put);
  if (!std::all_of(readers.begin(), readers.end(),
                   [&](SiteIndex r) { return site(r).context == site(load).context && contexts.ip_of(r) == to; }))
    return false;
  std::set<uint64_t> seen{l.header.addr};
  for (std::vector<uint64_t> open{l.header.addr}; !open.empty();) {
    const uint64_t at = open.back();
    open.pop_back();
    if (at == from) continue;
    if (at == to) return false;
    for (const uint64_t next : l.successors(at))
      if (seen.insert(next).second) open.push_back(next);
  }
  return true;
}

// The same of a register that holds what it held before the call that the store's superblock follows.
std::optional<std::vector<AccessId>> Classifier::saved_in_register(LoopId loop, const Site& store, uint8_t reg) const {
  const std::optional<uint64_t> call = call_before(store.superblock);
  if (!call || !with_.loops[loop].has(*call)) return std::nullopt;
  std::vector<AccessId> saved;
  const Liveness& live = liveness_of(with_.regions.contexts[store.context].function);
  const auto [first_caller, end] = callers_.equal_range(*call);
  for (auto c = first_caller; c != end; ++c) {
    const SuperblockId caller = c->second;
    if (!with_.regions.contexts.known_sites_of(store.context, caller)) continue;
    const Value& v = with_.values.of(caller).registers[reg];
    if (!v.is_copy() || v.leaves[0].kind != Leaf::Kind::kLoad) return std::nullopt;
    const AccessId old = with_.values.origin(caller, v.leaves[0].ref);
    std::vector<SuperblockId> way{caller};
    while (way.back() != old.first) way.push_back(with_.values.of(way.back()).before);
    const Site end_of_call{store.context, caller};
    if (!is_same_place(loop, store, old) || goes_elsewhere(live, end_of_call, way, 0, old, RegisterSet{1} << reg))
      return std::nullopt;
    saved.push_back(old);
  }
  return saved.empty() ? std::nullopt : std::optional(saved);
}

// Whether the store goes to where the access has loaded from in the same iteration of the loop that both are in: the
// address is the same expression, and nothing in between changes what it is made of.
bool Classifier::is_same_place(LoopId loop, const Site& store, AccessId old) const {
  const auto& from = with_.values.of(old.first).address;
  const auto& to = with_.values.of(store.superblock).address;
  const auto f = from.find(old.second), t = to.find(store.access);
  if (f == from.end() || t == to.end() || f->second.empty()) return false;
  if (without_versions(f->second) != without_versions(t->second)) return false;
  const auto access_of = [&](SuperblockId sb, uint16_t a) { return with_.blocks.superblock(sb).accesses[a]; };
  if (access_of(old.first, old.second).width != access_of(store.superblock, store.access).width) return false;
  RegisterSet entries = 0;
  std::vector<AccessId> loads;
  if (!add_address(old, entries, loads) || !add_address({store.superblock, store.access}, entries, loads)) return false;

  SuperblockId first = old.first;
  while (const SuperblockId before = with_.values.of(first).before) first = before;
  const Superblock& last = with_.blocks.superblock(store.superblock);
  const uint64_t begin = with_.blocks.superblock(first).addr;
  const uint64_t end = last.insn_addr(last.accesses[store.access].insn);
  const LoopId innermost = with_.loops.innermost(loop, end);
  if (!innermost || with_.loops.innermost(loop, begin) != innermost) return false;
  const regions::Loop& l = with_.loops[innermost];
  const auto is_between = [&](uint64_t addr) {
    return l.has(addr) && (addr == begin || accesses_.is_reached(innermost, begin, addr)) &&
           accesses_.is_reached(innermost, addr, end);
  };
  const auto changes = [&](uint64_t addr) {
    const regions::MachineInsn& m = insn_at(l, addr);
    const bool moves_stack = m.moves_stack && (entries >> regions::kRegisterRsp & 1);
    const RegisterSet lost = m.writes | (m.calls ? ~regions::kKeptByCalls : 0);
    return !m.known || moves_stack || (entries & lost);
  };
  if (std::any_of(l.body.begin(), l.body.end(), [&](uint64_t a) { return is_between(a) && changes(a); })) return false;
  return std::all_of(loads.begin(), loads.end(), [&](const AccessId& a) {
    const SiteIndex read = site_of(store.context, a);
    if (!read) return false;
    const auto stores = accesses_.stores_read_by(read);
    return std::none_of(stores.begin(), stores.end(), [&](SiteIndex s) {
      const bool is_own = site(s).context == store.context;
      return is_own ? is_between(with_.regions.contexts.ip_of(s)) : accesses_.is_in(innermost, s, store.context);
    });
  });
}

// What an access's address is made of: registers where its superblock, or the first of those that it goes on with,
// begins, and loads. False if there is more.
bool Classifier::add_address(AccessId access, RegisterSet& entries, std::vector<AccessId>& loads) const {
  const auto& addresses = with_.values.of(access.first).address_of;
  const auto at = addresses.find(access.second);
  if (at == addresses.end()) return false;
  const auto add_load = [&](uint16_t ref) {
    const AccessId load = with_.values.origin(access.first, ref);
    if (std::find(loads.begin(), loads.end(), load) != loads.end()) return true;
    loads.push_back(load);
    return add_address(load, entries, loads);
  };
  return std::all_of(at->second.begin(), at->second.end(), [&](const Value& v) {
    return v.follows_from([&](const Leaf& l) {
      entries |= l.entries;
      if (l.kind == Leaf::Kind::kUnknown && !l.whole) return false;
      return (l.kind != Leaf::Kind::kLoad || add_load(l.ref)) && std::all_of(l.loads.begin(), l.loads.end(), add_load);
    });
  });
}

}  // namespace cdr::advise
