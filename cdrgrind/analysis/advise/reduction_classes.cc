// SPDX-License-Identifier: GPL-2.0-or-later
// What stores make of the value that was in their place: reductions, a greatest, a least.
#include <algorithm>
#include <set>

#include "cdrgrind/analysis/advise/classes.h"
#include "cdrgrind/analysis/regions/register_flow.h"

namespace cdr::advise {

using regions::Site;
using regions::SiteIndex;

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
  u.of_truth = v.of_truth;
  u.invariant = u.by_number = true;
  bool has_text = true;
  for (size_t i = 0; i < v.leaves.size(); ++i) {
    if (i == old) continue;
    if (is_made_of(store.superblock, v.leaves[i], {store.superblock, store.access})) return u;
    u.invariant &= is_invariant(loop, store.superblock, v.leaves[i]);
    u.by_number &= v.leaves[i].kind == Leaf::Kind::kNumber;
    u.added += (v.leaves[i].negative ? "-" : "+") + without_versions(v.leaves[i].text);
    has_text &= !v.leaves[i].text.empty();
  }
  if (!has_text) u.added.clear();
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
  const Update by_call = update_by_call(s, v->second);
  return by_call.known ? by_call : update_of_saved(loop, store, v->second);
}

// Where what the superblock goes on with, or itself, begins behind a call.
std::optional<uint64_t> Classifier::call_before(SuperblockId sb) const {
  while (const SuperblockId before = with_.values.of(sb).before) sb = before;
  const auto call = call_before_.find(with_.blocks.superblock(sb).addr);
  return call == call_before_.end() ? std::nullopt : std::optional(call->second);
}

// By a function that returns the greater or the less of the old value and another one.
Classifier::Update Classifier::update_by_call(const Site& store, const Value& v) const {
  if (!v.is_copy()) return {};
  const std::optional<uint64_t> call = call_before(store.superblock);
  if (!call) return {};
  const regions::Choice choice = returns_.choice(*call);
  const auto [first_caller, end] = callers_.equal_range(*call);
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
  const auto is_old = [&](const Leaf& l) { return is_made_of(caller, l, {store.superblock, store.access}); };
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

const Liveness& Classifier::liveness_of(LoopId loop) const {
  const regions::Loop& l = with_.loops[loop];
  auto& known = liveness_[{l.function, loop.value}];
  if (!known) known = std::make_unique<Liveness>(l, calls_, with_.values.insns());
  return *known;
}

// Of an access, or of the end of a superblock.
const Liveness& Classifier::liveness_at(LoopId loop, const Site& s) const {
  const CodeAddr function = with_.regions.contexts[s.context].function;
  const regions::Loop& l = with_.loops[loop];
  const Superblock& sb = with_.blocks.superblock(s.superblock);
  const size_t insn = s.is_access() ? sb.accesses[s.access].insn : sb.insns.size() - 1;
  if (function.addr == l.function && l.has(sb.insn_addr(static_cast<uint32_t>(insn)))) return liveness_of(loop);
  return liveness_of(function);
}

const Liveness& Classifier::liveness_of(CodeAddr function) const {
  auto& known = liveness_[{function.addr, 0}];
  if (!known)
    known = std::make_unique<Liveness>(function, with_.loops.graph_of(function), calls_, with_.values.insns());
  return *known;
}

// Whether an address, a guard of an access or the condition of an exit is a set of which `uses` is true.
bool Classifier::tells_or_decides(const Dataflow& flow, const std::function<bool(uint16_t)>& uses) {
  return std::any_of(flow.slots.begin(), flow.slots.end(), uses) ||
         std::any_of(flow.accesses.begin(), flow.accesses.end(), [&](const AccessFlow& a) { return uses(a.guard); }) ||
         std::any_of(flow.exits.begin(), flow.exits.end(), [&](const ExitFlow& e) { return uses(e.condition); });
}

// Whether the old value that an update loads goes elsewhere, too: into an address, a decision, another store, or a
// register that is read later.
bool Classifier::has_other_uses(LoopId loop, SiteIndex store, const Update& u) const {
  if (!std::all_of(u.handed.begin(), u.handed.end(), [&](const AccessId& a) { return goes_only_into_call(a); }))
    return true;
  const uint8_t held = u.handed.empty() ? u.held : regions::kFirstVector;
  const bool by_value = held != regions::kNoRegister;
  const Site& s = site(store);
  const auto is_first = [&](SuperblockId sb) { return by_value ? !with_.values.of(sb).before : sb == u.old.first; };
  std::vector<SuperblockId> way{s.superblock};  // from the store back to the load, or the call
  while (!is_first(way.back())) way.push_back(with_.values.of(way.back()).before);
  const Liveness& live = u.by_function ? liveness_of(with_.regions.contexts[s.context].function) : liveness_at(loop, s);
  return goes_elsewhere(live, s, way, by_value ? RegisterSet{1} << held : 0,
                        by_value ? std::nullopt : std::optional(u.old), 0);
}

// The same of a value that is in `held` when the last superblock of `way` begins, or is loaded there, and is on its way
// into a store in the first one, or into the registers `into` where that ends.
bool Classifier::goes_elsewhere(const Liveness& live, const Site& to, const std::vector<SuperblockId>& way,
                                RegisterSet held, std::optional<AccessId> loaded, RegisterSet into) const {
  // `held`: registers that have the old value, or the new one, when the superblock begins.
  for (auto id = way.rbegin(); id != way.rend(); ++id) {
    const bool loads = loaded && *id == loaded->first, ends = id + 1 == way.rend();
    if (!with_.flows.has(*id) || with_.flows[*id].empty()) return true;
    const Dataflow& flow = with_.flows[*id];
    const auto uses = [&](uint16_t set) {
      const auto inputs = flow.set(set).inputs;
      return std::any_of(inputs.begin(), inputs.end(), [&](const FlowInput& i) {
        if (i.is_load()) return loads && i.first == loaded->second;
        const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(i.first / 8));
        return reg < 32 && (held >> reg & 1);
      });
    };
    if (tells_or_decides(flow, uses)) return true;
    for (uint16_t a = 0; a < flow.accesses.size(); ++a)
      if (!(ends && a == to.access) && uses(flow.accesses[a].value)) return true;
    const Superblock& sb = with_.blocks.superblock(*id);
    RegisterSet holds = held;
    for (size_t e = 0; e < sb.exits.size(); ++e) {
      holds = held;
      for (const StateWrite& w : flow.writes.first(flow.exits[e].writes))
        if (const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(w.piece.offset / 8)); reg < 32)
          holds = (holds & ~(RegisterSet{1} << reg)) | RegisterSet{uses(w.set)} << reg;
      const uint32_t insns = sb.exits[e].insns_executed();
      const bool is_last = e + 1 == sb.exits.size();
      if (is_last && ends) holds &= ~into;
      const bool goes_on = !ends && is_last;
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
  if (tells_or_decides(flow, uses) ||
      std::any_of(flow.accesses.begin(), flow.accesses.end(), [&](const AccessFlow& a) { return uses(a.value); }))
    return false;
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
    r.of_truth |= u.of_truth;
    if (u.handed.empty() && u.saved.empty()) r.old_values.insert(place_of(s, u.old));
    for (const AccessId& a : u.handed) r.old_values.insert(place_of(s, a));
    for (const AccessId& a : u.saved) r.old_values.insert(place_of(s, a));
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
  c.of_truth |= r.of_truth;
  return true;
}

// By the function that tells where the greater or the less is, of those of which one of the old values is.
bool Classifier::is_read_to_choose(SiteIndex load, const std::set<AccessPlace>& old_values) const {
  const auto& contexts = with_.regions.contexts;
  const regions::Context& c = contexts[site(load).context];
  if (!c.parent || !returns_.choice(c.site).by_reference) return false;
  return std::any_of(old_values.begin(), old_values.end(), [&](const AccessPlace& old) {
    return old.first == c.parent && call_before(old.second.first) == c.site;
  });
}

// Whether all is one place, loads are compared and stores are copies, as where a comparison of old with x decides a
// store of x.
bool Classifier::are_of_extremum(const Carrier& c, const ObjectAccesses& accesses, Extremum& e) const {
  if (!c.one_place) return false;
  const auto is_of_others = [&](const Value& v, const AccessId& place) {
    return v.follows_from([&](const Leaf& l) { return !is_made_of(place.first, l, place); });
  };
  const auto store_is = [&](SiteIndex s) {
    const Site& to = site(s);
    if (!to.is_access()) return false;
    const auto& values = with_.values.of(to.superblock).stored;
    const auto v = values.find(to.access);
    if (v == values.end()) return false;
    if (const auto loaded = stored_back({to.superblock, to.access})) {
      e.kept.emplace(s, *loaded);
      return true;
    }
    if (!is_of_others(v->second, {to.superblock, to.access})) return false;
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
      const Value& other = is_old(x.left) ? x.right : x.left;
      if (!is_of_others(other, {from.superblock, from.access})) return false;
      e.compared.push_back(other.text());
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
  // A branch that is turned around goes on with its other way: what is stored there is told by where it comes from.
  for (size_t i = 0; i < e.stored.size() && !e.comparisons.empty(); ++i) {
    const Site& store = site(e.stores[i]);
    if (e.stored[i] == e.compared[0] || with_.values.of(store.superblock).before) continue;
    const std::string behind = with_.values.stored_behind(e.comparisons[0].first, {store.superblock, store.access});
    if (!behind.empty()) e.stored[i] = behind;
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
  const uint64_t store = with_.regions.contexts.ip_of(e.kept.begin()->first);
  const auto does_nothing = [&](SuperblockId id, uint64_t end) {
    const bool stores = end != with_.blocks.superblock(id).addr && stores_between(id, end) != 0;
    return !stores && !branches_before(id, end);
  };
  const auto comes_straight = [&](uint64_t from) {
    return [&, from](SiteIndex s) {
      SuperblockId id = site(s).superblock;
      if (with_.regions.contexts.ip_of(s) != store || !does_nothing(id, store)) return false;
      while (const SuperblockId before = with_.values.of(id).before) {
        if (with_.blocks.superblock(id).addr == from) break;
        if (!does_nothing(before, kEndOfBlock)) return false;
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
  bool is_within = false;
  for (uint32_t i = 1; i < sb.insns.size(); ++i) is_within |= sb.insn_addr(i) == addr;
  return !branches_before(id, is_within ? addr : kEndOfBlock) && (is_within || sb.exits.back().target == addr);
}

// Whether a condition leads out of the superblock before an address in it.
bool Classifier::branches_before(SuperblockId id, uint64_t end) const {
  const Superblock& sb = with_.blocks.superblock(id);
  return std::any_of(sb.exits.begin(), sb.exits.end(), [&](const Exit& exit) {
    return exit.guard == ExitGuard::kCondition && (end == kEndOfBlock || exit_addr(sb, exit) < end);
  });
}

// Stores of the superblock up to an address behind it, or all.
size_t Classifier::stores_between(SuperblockId id, uint64_t end) const {
  const Superblock& sb = with_.blocks.superblock(id);
  return static_cast<size_t>(std::count_if(sb.accesses.begin(), sb.accesses.end(), [&](const Access& a) {
    return a.store() && (end <= sb.addr || sb.insn_addr(a.insn) < end);
  }));
}

}  // namespace cdr::advise
