// SPDX-License-Identifier: GPL-2.0-or-later
// What leads from one element to the next: links that are loaded through the old value, and steps of a walk by calls.
#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/advise/classes.h"
#include "cdrgrind/analysis/regions/register_flow.h"

namespace cdr::advise {

using regions::Site;
using regions::SiteIndex;

// Of a call in a function, if the loop does not store what it reads: links.
regions::Walk Classifier::walk_by(LoopId loop, uint64_t function, uint64_t call) const {
  const regions::Walk walk = returns_.walk(call);
  if (walk == regions::Walk::kNone || walk == regions::Walk::kStays) return walk;
  const auto [first, end] = callers_.equal_range(call);
  const auto goes_as_far = [&](const auto& c) {
    return has_same_arguments(loop, call, c.second, RegisterSet{1} << regions::kRegisterRdi);
  };
  if (walk == regions::Walk::kByDistance && !std::all_of(first, end, goes_as_far)) return regions::Walk::kNone;
  const auto& stores = called_reads_.of(function, call).stores;
  const bool changes = std::any_of(stores.begin(), stores.end(),
                                   [&](SiteIndex s) { return !site(s).linkage && accesses_.is_in(loop, s, 0); });
  return changes ? regions::Walk::kNone : walk;
}

// What is stored, if it is a copy of one thing.
const Leaf* Classifier::copied(const Site& store) const {
  const auto& stored = with_.values.of(store.superblock).stored;
  const auto v = stored.find(store.access);
  return v != stored.end() && v->second.is_copy() ? &v->second.leaves[0] : nullptr;
}

bool Classifier::is_traversal(LoopId loop, const Carrier& c, const ObjectAccesses& accesses) const {
  if (!c.one_place) return false;
  return std::all_of(accesses.stores.begin(), accesses.stores.end(), [&](SiteIndex store) {
    const Site& s = site(store);
    return s.is_access() &&
           (is_loaded_through_old(loop, s) || is_next_by_call(loop, s, accesses) || is_moved(loop, store));
  });
}

// Whether every iteration goes on by as many links, whatever way it takes: else what the body does tells how far. By
// each of the stores once, or by one of them, which load the same link.
bool Classifier::goes_on_once(LoopId loop, const Carrier& c, const ObjectAccesses& accesses) const {
  const auto& stores = accesses.stores;
  const auto is_once = [&](SiteIndex s) { return is_once_an_iteration(loop, c, s) || is_moved(loop, s); };
  if (std::all_of(stores.begin(), stores.end(), is_once)) return true;
  std::set<uint64_t> places;
  std::set<int64_t> links;
  for (const SiteIndex s : stores) {
    const Leaf* const link = copied(site(s));
    if (!is_own(c, s) || !link || link->kind != Leaf::Kind::kLoad) return false;
    const AccessId loaded = with_.values.origin(site(s).superblock, link->ref);
    links.insert(with_.blocks.superblock(loaded.first).accesses[loaded.second].constant);
    places.insert(with_.regions.contexts.ip_of(s));
  }
  return links.size() == 1 && is_one_an_iteration(loop, places);
}

// What a load has read, in that context.
std::vector<SiteIndex> Classifier::stores_read_by(regions::ContextIndex context, const AccessId& load) const {
  const SiteIndex at = site_of(context, load);
  return at ? accesses_.stores_read_by(at) : std::vector<SiteIndex>();
}

// Whether it reads a link that the loop stores: then what the body does tells where the walk goes on.
bool Classifier::reads_changing_link(LoopId loop, regions::ContextIndex context, const AccessId& load) const {
  const std::vector<SiteIndex> stores = stores_read_by(context, load);
  return std::any_of(stores.begin(), stores.end(), [&](SiteIndex s) { return accesses_.is_in(loop, s, 0); });
}

// Whether what is stored was loaded through the old value.
bool Classifier::is_loaded_through_old(LoopId loop, const Site& store) const {
  const Leaf* const link = copied(store);
  if (!link || link->kind != Leaf::Kind::kLoad) return false;
  const AccessId loaded = with_.values.origin(store.superblock, link->ref);
  const auto is_old = [&](SuperblockId sb, const Leaf& l) {
    return l.kind == Leaf::Kind::kLoad &&
           with_.values.same_place(with_.values.origin(sb, l.ref), {store.superblock, store.access});
  };
  return is_loaded_through(loaded, is_old) && !reads_changing_link(loop, store.context, loaded);
}

// The call of the loop's below which something moves an iterator that the site is of, once a call.
std::optional<uint64_t> Classifier::moving_call(LoopId loop, SiteIndex s) const {
  const auto& contexts = with_.regions.contexts;
  bool moves = false;
  for (regions::ContextIndex c = site(s).context; contexts[c].parent; c = contexts[c].parent) {
    const CodeAddr caller = contexts[contexts[c].parent].function;
    moves = moves || returns_.moves_iterator(contexts[c].function);
    if (caller.addr == with_.loops[loop].function && with_.loops[loop].has(contexts[c].site))
      return moves ? std::optional(contexts[c].site) : std::nullopt;
    moves = moves && is_once_a_call(caller, contexts[c].site);
  }
  return std::nullopt;
}

// Whether the call, and others that move the iterators which it reads, are given the same in every iteration, come once
// in each, and read nothing else that the loop stores: then they lead from place to place whatever the body does.
bool Classifier::moves_by_itself(LoopId loop, uint64_t call) const {
  std::set<uint64_t> calls = {call};
  for (std::vector<uint64_t> open = {call}; !open.empty();) {
    const uint64_t at = open.back();
    open.pop_back();
    const CalledReads::Reads& reads = called_reads_.of(with_.loops[loop].function, at);
    const auto [first, end] = callers_.equal_range(at);
    if (!reads.known || first == end || !is_once_an_iteration(loop, at)) return false;
    if (!std::all_of(first, end, [&](const auto& c) { return has_same_arguments(loop, at, c.second); })) return false;
    for (const SiteIndex s : reads.stores) {
      if (!accesses_.is_in(loop, s, 0)) continue;
      const std::optional<uint64_t> other = moving_call(loop, s);
      if (!other) return false;
      if (calls.insert(*other).second) open.push_back(*other);
    }
  }
  return true;
}

// Whether there is a call that moves an iterator and did not happen in the run.
bool Classifier::may_move_more(LoopId loop) const {
  const regions::Loop& l = with_.loops[loop];
  return std::any_of(l.body.begin(), l.body.end(), [&](uint64_t addr) {
    const regions::MachineInsn& m = insn_at(l, addr);
    const regions::Operand& target = m.operands[0];
    return m.calls && target.kind == regions::Operand::Kind::kImmediate && !called_reads_.of(l.function, addr).known &&
           returns_.moves_iterator({l.header.module, static_cast<uint64_t>(target.number)});
  });
}

bool Classifier::is_moved(LoopId loop, SiteIndex store) const {
  const std::optional<uint64_t> call = moving_call(loop, store);
  return call && moves_by_itself(loop, *call) && !may_move_more(loop);
}

// Whether what is stored is what a step of a walk, or a function that only loads a link, returns of the old value.
bool Classifier::is_next_by_call(LoopId loop, const Site& store, const ObjectAccesses& accesses) const {
  const Leaf* const result = copied(store);
  if (!result || result->kind != Leaf::Kind::kEntry || result->ref != regions::kRegisterRax) return false;
  const std::optional<uint64_t> call = call_before(store.superblock);
  if (!call) return false;
  const regions::Walk walk = walk_by(loop, with_.regions.contexts[store.context].function.addr, *call);
  const bool steps = walk != regions::Walk::kNone && walk != regions::Walk::kStays;
  const auto [first, end] = callers_.equal_range(*call);
  return first != end && std::all_of(first, end, [&](const auto& caller) {
           return hands_old_value(caller.second, store.context, accesses) &&
                  (steps || calls_for_link(loop, store.context, caller.second));
         });
}

// Whether the function that is called at the superblock's end does nothing but return what it loads through its first
// argument: `node->next()`.
bool Classifier::calls_for_link(LoopId loop, regions::ContextIndex context, SuperblockId caller) const {
  const Superblock& sb = with_.blocks.superblock(caller);
  const uint64_t call = sb.insn_addr(static_cast<uint32_t>(sb.insns.size() - 1)), target = sb.exits.back().target;
  const regions::ContextIndex called = with_.regions.contexts.known_child(context, call, {sb.module, target});
  const auto [first, end] = begins_.equal_range(target);
  return called != 0 && first != end &&
         std::all_of(first, end, [&](const auto& b) { return returns_link(loop, called, b.second); });
}

// Of all of a function.
bool Classifier::returns_link(LoopId loop, regions::ContextIndex context, SuperblockId id) const {
  const Superblock& sb = with_.blocks.superblock(id);
  const BlockValues& values = with_.values.of(id);
  const Value& result = values.registers[regions::kRegisterRax];
  if (sb.exits.size() != 1 || sb.exits[0].kind != ExitKind::kReturn || !result.is_copy() ||
      result.leaves[0].kind != Leaf::Kind::kLoad || values.before)
    return false;
  const auto is_first_argument = [](const Leaf& l) {
    return l.kind == Leaf::Kind::kEntry && l.ref == regions::kRegisterRdi;
  };
  // Without optimisation it lies in the frame.
  const auto was_argument = [&](SuperblockId, const Leaf& l) {
    if (l.kind != Leaf::Kind::kLoad) return is_first_argument(l);
    const auto is_place = [&](const auto& s) { return with_.values.same_place({id, l.ref}, {id, s.first}); };
    const auto stored = std::find_if(values.stored.begin(), values.stored.end(), is_place);
    return std::count_if(values.stored.begin(), values.stored.end(), is_place) == 1 && stored->second.is_copy() &&
           is_first_argument(stored->second.leaves[0]);
  };
  const AccessId loaded{id, result.leaves[0].ref};
  return is_loaded_through(loaded, was_argument) && !reads_changing_link(loop, context, loaded);
}

// Whether the first argument of the call at the superblock's end is, in that context, what one of the stores has left.
bool Classifier::hands_old_value(SuperblockId caller, regions::ContextIndex context,
                                 const ObjectAccesses& accesses) const {
  const Value& handed = with_.values.of(caller).registers[regions::kRegisterRdi];
  if (!handed.is_copy() || handed.leaves[0].kind != Leaf::Kind::kLoad) return false;
  const std::vector<SiteIndex> stores = stores_read_by(context, with_.values.origin(caller, handed.leaves[0].ref));
  return std::any_of(stores.begin(), stores.end(), [&](SiteIndex s) { return accesses.stores.contains(s); });
}

bool Classifier::walks(LoopId loop, uint8_t reg, RegisterSet seen) {
  if (reg >= regions::kFirstVector || (seen >> reg & 1)) return false;
  const Step& s = steps_of(loop).at_end()[reg];
  const bool is_copy = s.kind == Step::Kind::kKnown && s.base != regions::kNoRegister && s.amount == 0;
  if (s.kind != Step::Kind::kWalked && !is_copy) return false;
  return (!is_copy && s.base == reg) || walks(loop, s.base, seen | RegisterSet{1} << reg);
}

bool Classifier::register_traversal(LoopId loop, const Carrier& c) const {
  const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(c.object.id));
  std::set<uint64_t> links, known;  // and instructions that are looked at
  for (const uint32_t r : c.rows) {
    const Site& s = site(row(r).source);
    if (s.access != Site::kRegisters) return false;
    // What it held when an iteration began: as the superblock found it, or as it was before a header in it.
    std::vector<Leaf> held(1);
    held[0].kind = Leaf::Kind::kEntry;
    held[0].ref = reg;
    for (const uint16_t i : places_of_header(loop, s.superblock))
      if (const Value& v = with_.values.registers_before(s.superblock, i)[reg]; v.is_copy())
        held.push_back(v.leaves[0]);
    const auto is_walked = [&](const std::array<Value, 32>* registers) {
      const Value& v = (*registers)[reg];
      if (!v.is_copy() || v.leaves[0].kind != Leaf::Kind::kLoad) return false;
      const AccessId loaded = with_.values.origin(s.superblock, v.leaves[0].ref);
      const auto is_held = [&](SuperblockId, const Leaf& l) {
        return std::find(held.begin(), held.end(), l) != held.end();
      };
      const Superblock& sb = with_.blocks.superblock(loaded.first);
      links.insert(sb.insn_addr(sb.accesses[loaded.second].insn));
      return is_loaded_through(loaded, is_held) && !reads_changing_link(loop, s.context, loaded);
    };
    const auto ends = registers_at_end(loop, s.superblock);
    if (!std::all_of(ends.begin(), ends.end(), is_walked)) return false;
    const Superblock& sb = with_.blocks.superblock(s.superblock);
    for (uint32_t i = 0; i < sb.insns.size(); ++i) known.insert(sb.insn_addr(i));
  }
  // Else what the body does tells how far.
  const regions::Loop& l = with_.loops[loop];
  const auto changes_before = [&](uint64_t addr) {
    return (insn_at(l, addr).writes >> reg & 1) && !known.contains(addr);
  };
  return is_one_an_iteration(loop, links) && std::none_of(l.body.begin(), l.body.end(), changes_before);
}

}  // namespace cdr::advise
