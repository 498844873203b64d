// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/classes.h"

#include <algorithm>
#include <set>

#include "cdrgrind/analysis/regions/register_flow.h"

namespace cdr::advise {

using regions::CarriedRow;
using regions::Kind;
using regions::Object;
using regions::Site;
using regions::SiteIndex;

Classifier::Classifier(const Advisor& with)
    : with_(with),
      accesses_(with),
      calls_(with.regions.contexts),
      called_reads_(with),
      choices_(with.regions.contexts, with.names) {
  const auto& contexts = with.regions.contexts;
  for (SiteIndex s = 1; s < contexts.site_count(); ++s)
    if (const Site& site = contexts.site(s); site.is_access()) {
      uint8_t& most = changing_[{site.superblock.value, site.access}];
      most = std::max(most, site.changing);
    }
  for (uint32_t id = 1; id <= with.blocks.superblock_count(); ++id) {
    const Superblock& sb = with.blocks.superblock(SuperblockId(id));
    begins_.emplace(sb.addr, SuperblockId(id));
    if (!sb.exits.empty() && !sb.insns.empty() && is_call(sb.exits.back().kind)) {
      const uint64_t call = sb.insn_addr(static_cast<uint32_t>(sb.insns.size() - 1));
      callers_.emplace(call, id);
      call_before_[call + sb.insns.back().length] = call;
    }
    for (uint16_t e = 0; e < sb.exits.size(); ++e) exits_[exit_addr(sb, sb.exits[e])].push_back({SuperblockId(id), e});
  }
  for (const regions::Escape& e : with.regions.escapes) escapes_[{e.loop.value, e.store}] = &e;
  for (const regions::EntryRead& e : with.regions.entry_reads)
    entry_reads_[{with.loops[e.loop].function, e.object}].push_back(&e);
}

void Classifier::classify(LoopId loop, Carrier& c) {
  if (c.object.kind == Object::Kind::kLibrary) return classify_library(c);
  if (c.object.kind == Object::Kind::kRegister) return classify_register(loop, c);
  classify_memory(loop, c);
}

bool Classifier::writes(LoopId loop, uint8_t reg) const {
  const regions::Loop& l = with_.loops[loop];
  const bool is_result = reg == regions::kRegisterRax || reg == regions::kFirstVector;
  return std::any_of(l.body.begin(), l.body.end(), [&](uint64_t addr) {
    const regions::MachineInsn& m = insn_at(l, addr);
    return !m.known || (m.writes >> reg & 1) || (is_result && m.calls);
  });
}

bool Classifier::is_invariant(LoopId loop, SuperblockId sb, const Leaf& l) const {
  switch (l.kind) {
    case Leaf::Kind::kNumber:
      return true;
    case Leaf::Kind::kEntry:
      return !writes(loop, static_cast<uint8_t>(l.ref));
    case Leaf::Kind::kLoad: {
      const auto [from, access] = with_.values.origin(sb, l.ref);
      const auto c = changing_.find({from.value, access});
      return c != changing_.end() && c->second < with_.loops[loop].depth && reads_one_place(loop, from, access);
    }
    default:
      return false;
  }
}

// Whether a load's address is the same in every iteration.
bool Classifier::reads_one_place(LoopId loop, SuperblockId sb, uint16_t access) const {
  const auto& addresses = with_.values.of(sb).address_of;
  const auto at = addresses.find(access);
  if (at == addresses.end()) return false;
  for (const Value& v : at->second)
    for (const Leaf& l : v.leaves)
      if (!is_invariant(loop, sb, l)) return false;
  return true;
}

// Whether the leaf is made of what is in the place of an access, besides others.
bool Classifier::is_made_of(SuperblockId sb, const Leaf& l, uint16_t access) const {
  const auto is_it = [&](uint16_t a) { return with_.values.same_place(with_.values.origin(sb, a), {sb, access}); };
  return (l.kind == Leaf::Kind::kLoad && is_it(l.ref)) || std::any_of(l.loads.begin(), l.loads.end(), is_it);
}

// Whether the access's address has a part of which f, of the superblock and the leaf, is true.
bool Classifier::is_loaded_through(AccessId access, const std::function<bool(SuperblockId, const Leaf&)>& f) const {
  const auto& addresses = with_.values.of(access.first).address_of;
  const auto at = addresses.find(access.second);
  if (at == addresses.end()) return false;
  return std::any_of(at->second.begin(), at->second.end(), [&](const Value& v) {
    return std::any_of(v.leaves.begin(), v.leaves.end(), [&](const Leaf& l) { return f(access.first, l); });
  });
}

// Whether the superblock compares the two parts of a choice, so that it is the less or the greater of them.
bool Classifier::is_choice_of_compared(SuperblockId sb, const Value& v) const {
  if (v.leaves.size() != 2 || v.leaves[0].text.empty() || v.leaves[1].text.empty()) return false;
  const auto& comparisons = with_.values.of(sb).comparisons;
  return std::any_of(comparisons.begin(), comparisons.end(), [&](const Comparison& x) {
    const std::string left = x.left.text(), right = x.right.text();
    return (left == v.leaves[0].text && right == v.leaves[1].text) ||
           (left == v.leaves[1].text && right == v.leaves[0].text);
  });
}

// `old`: index of the leaf that is the old value.
Classifier::Update Classifier::update_in(LoopId loop, const Site& store, const Value& v, size_t old) const {
  Update u;
  if (v.leaves.size() < 2 || v.leaves[old].negative || v.leaves[old].subtracted) return u;
  if (v.operation == Operation::kMoveIf && !is_choice_of_compared(store.superblock, v)) return u;
  u.old = with_.values.origin(store.superblock, v.leaves[old].ref);
  u.operation = v.operation;
  u.floating = v.floating;
  u.invariant = u.by_number = true;
  for (size_t i = 0; i < v.leaves.size(); ++i) {
    if (i == old) continue;
    if (is_made_of(store.superblock, v.leaves[i], store.access)) return u;
    u.invariant &= is_invariant(loop, store.superblock, v.leaves[i]);
    u.by_number &= v.leaves[i].kind == Leaf::Kind::kNumber;
  }
  u.known = true;
  return u;
}

Classifier::Update Classifier::update_of(LoopId loop, SiteIndex store) const {
  const Site& s = site(store);
  if (!s.is_access()) return {};
  const BlockValues& values = with_.values.of(s.superblock);
  const auto v = values.stored.find(s.access);
  if (v == values.stored.end()) return {};
  for (size_t i = 0; i < v->second.leaves.size(); ++i) {
    const Leaf& l = v->second.leaves[i];
    if (l.kind == Leaf::Kind::kLoad &&
        with_.values.same_place(with_.values.origin(s.superblock, l.ref), {s.superblock, s.access}))
      return update_in(loop, s, v->second, i);
  }
  return update_by_call(s, v->second);
}

// By a function that returns the greater or the less of the old value and another one.
Classifier::Update Classifier::update_by_call(const Site& store, const Value& v) const {
  if (!v.is_copy()) return {};
  SuperblockId first = store.superblock;
  while (const SuperblockId before = with_.values.of(first).before) first = before;
  const auto call = call_before_.find(with_.blocks.superblock(first).addr);
  if (call == call_before_.end()) return {};
  const regions::Choice choice = choices_.at(call->second);
  const auto [first_caller, end] = callers_.equal_range(call->second);
  if (choice.operation == Operation::kOther || first_caller == end) return {};
  const Leaf& leaf = v.leaves[0];
  Update u;
  u.operation = choice.operation;
  if (choice.by_reference) {
    const auto loaded = loaded_by_result(store, leaf);
    u.known = loaded && std::all_of(first_caller, end, [&](const auto& c) { return hands_place(c.second, store); });
    if (u.known) u.old = *loaded;
  } else if (leaf.kind == Leaf::Kind::kEntry && leaf.ref == regions::kFirstVector) {
    u.floating = u.known = true;
    for (auto c = first_caller; c != end && u.known; ++c) {
      const auto loaded = handed_over(c->second, store);
      u.known = loaded.has_value();
      if (u.known) u.handed.push_back(*loaded);
    }
  }
  return u;
}

// The load of what is in the store's place, if that is one of the two arguments of the call, and of the other no part.
std::optional<AccessId> Classifier::handed_over(SuperblockId caller, const Site& store) const {
  const auto& registers = with_.values.of(caller).registers;
  const auto is_old = [&](const Leaf& l) {
    const auto is_it = [&](uint16_t a) {
      return with_.values.same_place(with_.values.origin(caller, a), {store.superblock, store.access});
    };
    return (l.kind == Leaf::Kind::kLoad && is_it(l.ref)) || std::any_of(l.loads.begin(), l.loads.end(), is_it);
  };
  std::optional<AccessId> found;
  for (const uint8_t r : {regions::kFirstVector, static_cast<uint8_t>(regions::kFirstVector + 1)}) {
    const Value& v = registers[r];
    if (std::none_of(v.leaves.begin(), v.leaves.end(), is_old)) continue;
    if (found || !v.is_copy() || v.leaves[0].kind != Leaf::Kind::kLoad) return std::nullopt;
    found = with_.values.origin(caller, v.leaves[0].ref);
  }
  return found && found->first == caller ? found : std::nullopt;
}

// The access, if it loads from where the result of a call says.
std::optional<AccessId> Classifier::loaded_by_result(const Site& store, const Leaf& loaded) const {
  if (loaded.kind != Leaf::Kind::kLoad) return std::nullopt;
  const AccessId found = with_.values.origin(store.superblock, loaded.ref);
  const BlockValues& values = with_.values.of(found.first);
  const auto address = values.address_of.find(found.second);
  if (values.before || address == values.address_of.end() || address->second.size() != 1) return std::nullopt;
  const Value& from = address->second[0];
  const bool is_result =
      from.is_copy() && from.leaves[0].kind == Leaf::Kind::kEntry && from.leaves[0].ref == regions::kRegisterRax;
  return is_result ? std::optional(found) : std::nullopt;
}

// Whether one of the two arguments of the call is the store's place.
bool Classifier::hands_place(SuperblockId caller, const Site& store) const {
  const auto& places = with_.values.of(store.superblock).address;
  const auto place = places.find(store.access);
  if (place == places.end() || place->second.empty()) return false;
  const auto& registers = with_.values.of(caller).registers;
  const auto is_handed = [&](uint8_t r) { return place_text(registers[r]) == place->second; };
  return is_handed(regions::kRegisterRdi) != is_handed(regions::kRegisterRsi);
}

// In every iteration, once: no way around the loop leaves it out, and no inner loop repeats it.
bool Classifier::is_once_an_iteration(LoopId loop, uint64_t addr) const {
  const regions::Loop& l = with_.loops[loop];
  if (!l.has(addr) || with_.loops.innermost(loop, addr) != loop) return false;
  if (addr == l.header.addr) return true;
  std::set<uint64_t> seen{l.header.addr};
  for (std::vector<uint64_t> open{l.header.addr}; !open.empty();) {
    const uint64_t at = open.back();
    open.pop_back();
    for (const uint64_t next : l.successors(at)) {
      if (next == l.header.addr) return false;
      if (next != addr && seen.insert(next).second) open.push_back(next);
    }
  }
  return true;
}

// The same of a function: no way through it leaves the instruction out, and none comes to it again.
bool Classifier::is_once_a_call(CodeAddr function, uint64_t addr) const {
  const auto [known, is_new] = once_a_call_.try_emplace({function.addr, addr}, false);
  return is_new ? known->second = find_once_a_call(function, addr) : known->second;
}

bool Classifier::find_once_a_call(CodeAddr function, uint64_t addr) const {
  const slice::InsnGraph graph = with_.loops.graph_of(function);
  const auto node_of = [&](uint64_t a) {
    const auto n = std::find(graph.addrs.begin() + 1, graph.addrs.end(), a);
    return n == graph.addrs.end() ? 0u : static_cast<uint32_t>(n - graph.addrs.begin());
  };
  const uint32_t wanted = node_of(addr), entry = node_of(function.addr);
  if (graph.weak || wanted == 0 || entry == 0) return false;
  // Whether a way leads from a node to another one, that does not come through `addr` before.
  const auto leads_to = [&](uint32_t from, uint32_t to) {
    std::vector<bool> seen(graph.graph.size());
    for (std::vector<uint32_t> open{from}; !open.empty();) {
      const uint32_t at = open.back();
      open.pop_back();
      for (const uint32_t next : graph.graph.successors(at)) {
        if (next == to) return true;
        if (next == wanted || next == 0 || seen[next]) continue;
        seen[next] = true;
        open.push_back(next);
      }
    }
    return false;
  };
  return (entry == wanted || !leads_to(entry, 0)) && !leads_to(wanted, wanted);
}

// Of an access of the loop, or of what is called in it, for each activation of the loop that the rows are about: of
// frames each activation has its own.
bool Classifier::is_once_an_iteration(LoopId loop, const Carrier& c, SiteIndex s) const {
  const auto& contexts = with_.regions.contexts;
  uint64_t at = contexts.ip_of(s);
  const bool is_shared = c.object.kind != Object::Kind::kFrame && c.object.kind != Object::Kind::kCallee;
  bool is_once = true, any = false;
  for (regions::ContextIndex x = site(s).context; x; at = contexts[x].site, x = contexts[x].parent) {
    const bool has_rows = std::any_of(c.rows.begin(), c.rows.end(), [&](uint32_t r) { return row(r).context == x; });
    if (has_rows && with_.loops[loop].has(at)) {
      if (!is_once || !is_once_an_iteration(loop, at)) return false;
      if (!is_shared) return true;
      any = true;
    }
    is_once = is_once && is_once_a_call(contexts[x].function, at);
  }
  return any;
}

// Whether the site is in the activations that the loop is in, and not in what they call.
bool Classifier::is_own(const Carrier& c, SiteIndex s) const {
  return std::any_of(c.rows.begin(), c.rows.end(), [&](uint32_t r) { return row(r).context == site(s).context; });
}

bool Classifier::is_induction(LoopId loop, const Carrier& c, const ObjectAccesses& accesses) const {
  if (!c.one_place) return false;
  for (const uint32_t r : c.rows)
    if (row(r).kind == Kind::kRaw && row(r).distances.greatest > 1) return false;
  return std::all_of(accesses.stores.begin(), accesses.stores.end(), [&](SiteIndex s) {
    const Update u = update_of(loop, s);
    return u.known && u.operation == Operation::kAdd && !u.floating && (is_own(c, s) ? u.invariant : u.by_number) &&
           is_once_an_iteration(loop, c, s);
  });
}

const Liveness& Classifier::liveness_at(LoopId loop, SiteIndex s) const {
  const CodeAddr function = with_.regions.contexts[site(s).context].function;
  const regions::Loop& l = with_.loops[loop];
  const bool in_loop = function.addr == l.function && l.has(with_.regions.contexts.ip_of(s));
  auto& known = liveness_[in_loop ? std::pair(l.function, loop.value) : std::pair(function.addr, 0u)];
  if (!known)
    known = in_loop
                ? std::make_unique<Liveness>(l, calls_, with_.values.insns())
                : std::make_unique<Liveness>(function, with_.loops.graph_of(function), calls_, with_.values.insns());
  return *known;
}

// Whether the old value that an update loads goes elsewhere, too: into an address, a decision, another store, or a
// register that is read later.
bool Classifier::has_other_uses(LoopId loop, SiteIndex store, const Update& u) const {
  const bool by_value = !u.handed.empty();
  if (!std::all_of(u.handed.begin(), u.handed.end(), [&](const AccessId& a) { return goes_only_into_call(a); }))
    return true;
  const Site& s = site(store);
  const auto is_first = [&](SuperblockId sb) { return by_value ? !with_.values.of(sb).before : sb == u.old.first; };
  std::vector<SuperblockId> way{s.superblock};  // from the store back to the load, or the call
  while (!is_first(way.back())) way.push_back(with_.values.of(way.back()).before);
  const Liveness& live = liveness_at(loop, store);
  // Registers that have the old value, or the new one, when the superblock begins.
  RegisterSet held = by_value ? RegisterSet{1} << regions::kFirstVector : 0;
  for (; !way.empty(); way.pop_back()) {
    const bool loads = way.back() == u.old.first, ends = way.size() == 1;
    if (!with_.flows.has(way.back()) || with_.flows[way.back()].empty()) return true;
    const Dataflow& flow = with_.flows[way.back()];
    const auto uses = [&](uint16_t set) {
      const auto inputs = flow.set(set).inputs;
      return std::any_of(inputs.begin(), inputs.end(), [&](const FlowInput& i) {
        if (i.is_load()) return loads && i.first == u.old.second;
        const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(i.first / 8));
        return reg < 32 && (held >> reg & 1);
      });
    };
    if (std::any_of(flow.slots.begin(), flow.slots.end(), uses)) return true;
    for (uint16_t a = 0; a < flow.accesses.size(); ++a)
      if (uses(flow.accesses[a].guard) || (!(ends && a == s.access) && uses(flow.accesses[a].value))) return true;
    const Superblock& sb = with_.blocks.superblock(way.back());
    RegisterSet holds = held;
    for (size_t e = 0; e < sb.exits.size(); ++e) {
      if (uses(flow.exits[e].condition)) return true;
      holds = held;
      for (const StateWrite& w : flow.writes.first(flow.exits[e].writes))
        if (const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(w.piece.offset / 8)); reg < 32)
          holds = (holds & ~(RegisterSet{1} << reg)) | RegisterSet{uses(w.set)} << reg;
      const uint32_t insns = sb.exits[e].insns_executed();
      const bool goes_on = !ends && e + 1 == sb.exits.size();
      if (insns > 0 && !goes_on && (holds & live.behind(sb.insn_addr(insns - 1)))) return true;
    }
    held = holds;
  }
  return false;
}

// Whether the superblock, which ends in a call, does nothing else with what it has loaded but to hand it on.
bool Classifier::goes_only_into_call(const AccessId& loaded) const {
  if (!with_.flows.has(loaded.first) || with_.flows[loaded.first].empty()) return false;
  const Dataflow& flow = with_.flows[loaded.first];
  const auto uses = [&](uint16_t set) {
    const auto inputs = flow.set(set).inputs;
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const FlowInput& i) { return i.is_load() && i.first == loaded.second; });
  };
  if (std::any_of(flow.slots.begin(), flow.slots.end(), uses)) return false;
  for (const AccessFlow& a : flow.accesses)
    if (uses(a.guard) || uses(a.value)) return false;
  for (const ExitFlow& e : flow.exits)
    if (uses(e.condition)) return false;
  const auto writes = flow.writes.first(flow.exits.back().writes);
  return std::none_of(writes.begin(), writes.end(), [&](const StateWrite& w) {
    const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(w.piece.offset / 8));
    return uses(w.set) && reg < 32 && (regions::kKeptByCalls >> reg & 1);
  });
}

// Whether all stores are updates by one operation.
bool Classifier::are_updates(LoopId loop, const ObjectAccesses& accesses, Reduction& r) const {
  for (const SiteIndex s : accesses.stores) {
    const Update u = update_of(loop, s);
    if (!u.known || (r.operation != Operation::kOther && u.operation != r.operation)) return false;
    if (has_other_uses(loop, s, u)) return false;
    r.operation = u.operation;
    r.floating |= u.floating;
    if (u.handed.empty()) r.old_values.insert(place_of(s, u.old));
    for (const AccessId& a : u.handed) r.old_values.insert(place_of(s, a));
  }
  return true;
}

// All that the loop does with the object are updates by one operation.
bool Classifier::is_reduction(LoopId loop, Carrier& c, const ObjectAccesses& accesses) const {
  Reduction r;
  if (!are_updates(loop, accesses, r)) return false;
  for (const SiteIndex s : accesses.loads)
    if (!site(s).is_access() ||
        (!r.old_values.count(place_of(s, {site(s).superblock, site(s).access})) && !is_read_to_choose(s, r.old_values)))
      return false;
  c.operation = r.operation;
  c.floating |= r.floating;
  return true;
}

// By the function that tells where the greater or the less is, of those of which one of the old values is.
bool Classifier::is_read_to_choose(SiteIndex load, const std::set<AccessPlace>& old_values) const {
  const auto& contexts = with_.regions.contexts;
  const regions::Context& c = contexts[site(load).context];
  if (!c.parent || !choices_.at(c.site).by_reference) return false;
  return std::any_of(old_values.begin(), old_values.end(), [&](const AccessPlace& old) {
    const auto call = call_before_.find(with_.blocks.superblock(old.second.first).addr);
    return old.first == c.parent && call != call_before_.end() && call->second == c.site;
  });
}

// Whether all is one place, loads are compared and stores are copies, as where a comparison of old with x decides a
// store of x.
bool Classifier::are_of_extremum(const Carrier& c, const ObjectAccesses& accesses, Extremum& e) const {
  if (!c.one_place) return false;
  const auto store_is = [&](SiteIndex s) {
    const Site& to = site(s);
    if (!to.is_access()) return false;
    const auto& values = with_.values.of(to.superblock).stored;
    const auto v = values.find(to.access);
    if (v == values.end() || !v->second.is_copy()) return false;
    if (const auto loaded = stored_back({to.superblock, to.access})) {
      e.kept.emplace(s, *loaded);
      return true;
    }
    e.stores.push_back(s);
    return e.stored.push_back(v->second.text()), true;
  };
  const auto load_is = [&](SiteIndex s) {
    const Site& from = site(s);
    if (!from.is_access()) return false;
    const bool is_kept = std::any_of(e.kept.begin(), e.kept.end(),
                                     [&](const auto& k) { return k.second == AccessId(from.superblock, from.access); });
    const BlockValues& values = with_.values.of(from.superblock);
    for (const auto& [access, value] : values.stored)
      for (const Leaf& l : value.leaves)
        if (l.kind == Leaf::Kind::kLoad && l.ref == from.access && !is_kept) return false;
    for (const Comparison& x : values.comparisons) {
      const auto is_old = [&](const Value& v) {
        return v.is_copy() && v.leaves[0].kind == Leaf::Kind::kLoad && v.leaves[0].ref == from.access;
      };
      if (!is_old(x.left) && !is_old(x.right)) continue;
      e.compared.push_back(is_old(x.left) ? x.right.text() : x.left.text());
      e.comparisons.push_back({from.superblock, is_old(x.left)});
      return true;
    }
    return is_kept;
  };
  return std::all_of(accesses.stores.begin(), accesses.stores.end(), store_is) &&
         std::all_of(accesses.loads.begin(), accesses.loads.end(), load_is);
}

// The load, if a store leaves in its place what was loaded from there.
std::optional<AccessId> Classifier::stored_back(const AccessId& store) const {
  const Value& v = with_.values.of(store.first).stored.at(store.second);
  if (!v.is_copy() || v.leaves[0].kind != Leaf::Kind::kLoad) return std::nullopt;
  const AccessId loaded = with_.values.origin(store.first, v.leaves[0].ref);
  return with_.values.same_place(loaded, store) ? std::optional(loaded) : std::nullopt;
}

// A comparison of old with x decides a store of x; or whether x is stored, or the old value once more.
bool Classifier::is_extremum(LoopId loop, Carrier& c, const ObjectAccesses& accesses) const {
  Extremum e;
  if (!are_of_extremum(c, accesses, e)) return false;
  for (const auto& [store, loaded] : e.kept) {
    Update u;
    u.old = loaded;
    if (has_other_uses(loop, store, u)) return false;
  }
  auto& compared = e.compared;
  compared.insert(compared.end(), e.stored.begin(), e.stored.end());
  if (e.stored.empty() || e.comparisons.empty() || compared[0].empty() ||
      std::any_of(compared.begin(), compared.end(), [&](const std::string& t) { return t != compared[0]; }))
    return false;
  c.operation = extremum_of(e);
  return c.operation != Operation::kOther;
}

// What is left if one superblock compares and decides whether another stores: the greater, or the less. kOther: it
// cannot be told, or the comparison decides other stores, too, and then each iteration needs the old value.
Operation Classifier::extremum_of(const Extremum& e) const {
  const auto [compares, old_is_left] = e.comparisons[0];
  const SuperblockId stores = site(e.stores.back()).superblock;
  const Superblock& sb = with_.blocks.superblock(compares);
  for (const Exit& exit : sb.exits) {
    if (exit.guard != ExitGuard::kCondition || exit.insns == 0) continue;
    const regions::MachineInsn& branch = with_.values.insns().at({sb.module, sb.insn_addr(exit.insns - 1u)});
    if (branch.jumps_if == 0 || branch.operands[0].kind != regions::Operand::Kind::kImmediate) continue;
    const uint64_t behind = sb.insn_addr(exit.insns - 1u) + sb.insns[exit.insns - 1u].length;
    const auto target = static_cast<uint64_t>(branch.operands[0].number);
    const bool taken = is_come_to_from(stores, target);
    const uint64_t other = taken ? behind : target;
    const bool decides_this = e.kept.empty() ? stores_between(stores, other) == 1 && goes_straight_to(stores, other)
                                             : meet_at_store(e, taken ? target : behind, other);
    if (!decides_this) return Operation::kOther;
    const bool left_is_less = (branch.jumps_if < 0) == taken;
    return left_is_less == old_is_left ? Operation::kMax : Operation::kMin;
  }
  return Operation::kOther;
}

// Whether the superblock, or one that it goes on with, begins there.
bool Classifier::is_come_to_from(SuperblockId id, uint64_t addr) const {
  for (; id; id = with_.values.of(id).before)
    if (with_.blocks.superblock(id).addr == addr) return true;
  return false;
}

// Whether what the comparison decides is only which value one store instruction leaves: one way comes to it with the
// new value, the other one with the old.
bool Classifier::meet_at_store(const Extremum& e, uint64_t new_way, uint64_t old_way) const {
  constexpr uint64_t kEnd = 0;  // of a superblock
  const uint64_t store = with_.regions.contexts.ip_of(e.kept.begin()->first);
  const auto does_nothing = [&](SuperblockId id, uint64_t before) {
    const Superblock& sb = with_.blocks.superblock(id);
    const bool stores = before != sb.addr && stores_between(id, before) != 0;
    return !stores && std::none_of(sb.exits.begin(), sb.exits.end(), [&](const Exit& exit) {
      return exit.guard == ExitGuard::kCondition && (before == kEnd || exit_addr(sb, exit) < before);
    });
  };
  const auto comes_straight = [&](uint64_t from) {
    return [&, from](SiteIndex s) {
      SuperblockId id = site(s).superblock;
      if (with_.regions.contexts.ip_of(s) != store || !does_nothing(id, store)) return false;
      while (const SuperblockId before = with_.values.of(id).before) {
        if (with_.blocks.superblock(id).addr == from) break;
        if (!does_nothing(before, kEnd)) return false;
        id = before;
      }
      return with_.blocks.superblock(id).addr == from;
    };
  };
  const auto kept_straight = comes_straight(old_way);
  return std::all_of(e.kept.begin(), e.kept.end(), [&](const auto& k) { return kept_straight(k.first); }) &&
         std::all_of(e.stores.begin(), e.stores.end(), comes_straight(new_way));
}

// Whether it comes to the address before it decides anything.
bool Classifier::goes_straight_to(SuperblockId id, uint64_t addr) const {
  const Superblock& sb = with_.blocks.superblock(id);
  const auto at = [&] {
    for (uint32_t i = 1; i < sb.insns.size(); ++i)
      if (sb.insn_addr(i) == addr) return i;
    return static_cast<uint32_t>(sb.insns.size());
  }();
  for (const Exit& exit : sb.exits)
    if (exit.guard == ExitGuard::kCondition && exit.insns <= at) return false;
  return at < sb.insns.size() || sb.exits.back().target == addr;
}

// Stores of the superblock up to an address behind it, or all.
size_t Classifier::stores_between(SuperblockId id, uint64_t end) const {
  const Superblock& sb = with_.blocks.superblock(id);
  return static_cast<size_t>(std::count_if(sb.accesses.begin(), sb.accesses.end(), [&](const Access& a) {
    return a.store() && (end <= sb.addr || sb.insn_addr(a.insn) < end);
  }));
}

// What is stored was loaded through the old value.
bool Classifier::is_traversal(const Carrier& c, const ObjectAccesses& accesses) const {
  if (!c.one_place) return false;
  return std::all_of(accesses.stores.begin(), accesses.stores.end(), [&](SiteIndex store) {
    const Site& s = site(store);
    if (!s.is_access()) return false;
    const BlockValues& values = with_.values.of(s.superblock);
    const auto v = values.stored.find(s.access);
    if (v == values.stored.end() || !v->second.is_copy() || v->second.leaves[0].kind != Leaf::Kind::kLoad) return false;
    const AccessId loaded = with_.values.origin(s.superblock, v->second.leaves[0].ref);
    return is_loaded_through(loaded, [&](SuperblockId sb, const Leaf& l) {
      return l.kind == Leaf::Kind::kLoad &&
             with_.values.same_place(with_.values.origin(sb, l.ref), {s.superblock, s.access});
    });
  });
}

void Classifier::classify_memory(LoopId loop, Carrier& c) const {
  const bool raw = std::any_of(c.rows.begin(), c.rows.end(), [&](uint32_t r) { return row(r).kind == Kind::kRaw; });
  if (!raw) return classify_private(loop, c);
  c.carried_as = Class::kRecurrence;
  // What the rows name is little, and mostly enough to tell.
  if (!may_be_other(loop, c, accesses_.of_rows(c))) return;
  const ObjectAccesses accesses = accesses_.of(loop, c);
  if (is_induction(loop, c, accesses))
    c.carried_as = Class::kInduction;
  else if (is_reduction(loop, c, accesses))
    c.carried_as = Class::kReduction;
  else if (is_extremum(loop, c, accesses))
    c.carried_as = Class::kReduction;
  else if (is_traversal(c, accesses))
    c.carried_as = Class::kTraversal;
}

// Whether some of the accesses do not rule out all that is better than a recurrence.
bool Classifier::may_be_other(LoopId loop, const Carrier& c, const ObjectAccesses& some) const {
  if (is_induction(loop, c, some) || is_traversal(c, some)) return true;
  Reduction reduction;
  Extremum extremum;
  return are_updates(loop, some, reduction) || are_of_extremum(c, some, extremum);
}

// Whether some iteration reads what was there before the loop.
bool Classifier::reads_entry(LoopId loop, const Carrier& c) const {
  const auto reads = entry_reads_.find({with_.loops[loop].function, c.object});
  if (reads == entry_reads_.end()) return false;
  const bool by_place = c.object.kind != Object::Kind::kStatic && c.object.kind != Object::Kind::kHeap;
  return std::any_of(reads->second.begin(), reads->second.end(), [&](const regions::EntryRead* e) {
    if (e->loop != loop && !with_.loops.is_within(loop, e->loop)) return false;
    if (by_place && (e->lowest > c.highest || c.lowest > e->highest)) return false;
    return accesses_.is_in(loop, e->load, 0);
  });
}

// Nothing flows from one iteration to another: a copy for each would do, if nobody wants to know what is left in it.
void Classifier::classify_private(LoopId loop, Carrier& c) const {
  bool before = false, by_last = false, by_others = false, again = false;
  for (const uint32_t r : c.rows) {
    const CarriedRow& d = row(r);
    before |= d.read_before > 0;
    again |= d.kind == Kind::kWaw;
    for (const SiteIndex s : {d.source, d.target}) {
      const auto e = escapes_.find({loop.value, s});
      if (e == escapes_.end()) continue;
      by_last |= e->second->by_last;
      by_others |= e->second->by_others;
    }
  }
  before = before || reads_entry(loop, c);
  const bool leaves = by_last || by_others;
  c.conditional = by_others;
  // What is written once only is no scratch: it is for somebody, if not in this run.
  if (before && (leaves || (!again && !c.one_place)))
    c.carried_as = Class::kAnti;
  else if (before)
    c.carried_as = Class::kFirstprivate;
  else if (!leaves)
    c.carried_as = Class::kPrivate;
  else
    c.carried_as = c.conditional && !c.one_place ? Class::kAnti : Class::kLastprivate;
}

// By the worst of the functions.
void Classifier::classify_library(Carrier& c) const {
  const auto& contexts = with_.regions.contexts;
  const auto class_of = [](LibraryState s) {
    return s == LibraryState::kAllocator ? Class::kPrivate
           : s == LibraryState::kOutput  ? Class::kOutput
           : s == LibraryState::kBuffer  ? Class::kAnti
                                         : Class::kRecurrence;
  };
  c.carried_as = Class::kInduction;
  for (const uint32_t r : c.rows)
    for (const SiteIndex s : {row(r).source, row(r).target}) {
      const regions::Context& context = contexts[site(s).context];
      // The program looks at a result.
      if (context.library) c.carried_as = std::max(c.carried_as, class_of(with_.names.state_of(context.function)));
    }
  if (c.carried_as == Class::kInduction) c.carried_as = Class::kRecurrence;
}

bool Classifier::has_loaded_index(LoopId loop, SuperblockId sb, uint16_t access) const {
  const Access& a = with_.blocks.superblock(sb).accesses[access];
  if (a.slot == 0 || !with_.flows.has(sb) || with_.flows[sb].empty()) return false;
  const FlowSet address = with_.flows[sb].set(with_.flows[sb].slots[a.slot - 1u]);
  return std::any_of(address.inputs.begin(), address.inputs.end(), [&](const FlowInput& i) {
    return i.is_load() && with_.values.of(sb).address_of.count(i.first) && !reads_one_place(loop, sb, i.first);
  });
}

}  // namespace cdr::advise
