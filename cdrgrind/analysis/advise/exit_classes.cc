// SPDX-License-Identifier: GPL-2.0-or-later
// What decides that a loop ends.
#include <algorithm>

#include "cdrgrind/analysis/advise/classes.h"
#include "cdrgrind/analysis/regions/register_flow.h"

namespace cdr::advise {

using regions::Kind;
using regions::Object;
using regions::Site;
using regions::SiteIndex;

std::vector<uint64_t> Classifier::other_exits(LoopId loop, std::vector<Carrier>& carriers, bool by_traversal) {
  std::vector<uint64_t> others;
  for (const uint64_t at : with_.loops[loop].exits_at)
    if (!exit_is_decided(loop, at, carriers, by_traversal)) others.push_back(at);
  const regions::Loop& l = with_.loops[loop];
  std::erase_if(others, [&](uint64_t at) { return with_.text.is_only_end(l.header.module, l.body, at); });
  if (others.empty()) return others;
  const std::vector<uint64_t> seen = others;
  std::erase_if(others, [&](uint64_t at) { return is_end_of_other_version(loop, at, seen); });
  return others;
}

// Whether the exit is of code that does not count, and compares what one that does, and is not among `others`,
// compares.
bool Classifier::is_end_of_other_version(LoopId loop, uint64_t at, const std::vector<uint64_t>& others) const {
  const regions::Loop &all = with_.loops[loop], &seen = as_run(loop);
  if (seen.has(at)) return false;
  const std::optional<uint64_t> comparison = comparison_before(all, at);
  return comparison && std::any_of(seen.exits_at.begin(), seen.exits_at.end(), [&](uint64_t end) {
           const std::optional<uint64_t> other = comparison_before(all, end);
           return other && !std::binary_search(others.begin(), others.end(), end) &&
                  insn_at(all, *other).operands == insn_at(all, *comparison).operands;
         });
}

// What leaves a loop besides its end is no end, though a counter decides it: no iterations may have begun behind it.
// Who walks from element to element may leave where it wants.
bool Classifier::leaves_in_body(LoopId loop, uint64_t at) const {
  const regions::Loop& l = with_.loops[loop];
  return l.exits_at.size() > 1 && with_.text.leaves_in_body(l.header, {l.header.module, at});
}

// Whether what the loop leaves alone, in registers, decides the branch, and nobody was led out by it: who is, is so in
// the first iteration. Compilers move what decides of an inner loop to where it leads to another version of both.
bool Classifier::stays_by_invariant(LoopId loop, uint64_t at) const {
  const regions::Loop& l = with_.loops[loop];
  const std::optional<uint64_t> comparison = comparison_before(l, at);
  if (!comparison || !exits_.contains(at)) return false;
  const regions::MachineInsn& m = insn_at(l, *comparison);
  const bool loads = std::any_of(m.operands.begin(), m.operands.begin() + m.operand_count,
                                 [](const regions::Operand& o) { return o.kind == regions::Operand::Kind::kMemory; });
  const std::vector<uint64_t>& next = l.successors(at);
  return m.operand_count > 0 && !loads && is_decided_once(loop, at, nullptr) &&
         std::none_of(next.begin(), next.end(), [&](uint64_t to) {
           return !l.has(to) && std::binary_search(ways_taken_.begin(), ways_taken_.end(), std::pair(at, to));
         });
}

bool Classifier::exit_is_decided(LoopId loop, uint64_t at, std::vector<Carrier>& carriers, bool by_traversal) {
  if (!by_traversal && leaves_in_body(loop, at)) return false;
  if (stays_by_invariant(loop, at)) return true;
  if (comparison_decides(loop, at, carriers, by_traversal)) return true;
  const auto exits = exits_.find(at);
  if (exits == exits_.end()) return false;
  if (by_traversal && walked_of(loop).ends_at(at)) return true;
  for (const auto& [sb, number] : exits->second) {
    const Exit& exit = with_.blocks.superblock(sb).exits[number];
    if (exit.guard != ExitGuard::kCondition || !with_.flows.has(sb) || with_.flows[sb].empty()) continue;
    const FlowSet condition = with_.flows[sb].set(with_.flows[sb].exits[number].condition);
    if (condition.weak) continue;
    bool any = false;
    if (std::all_of(condition.inputs.begin(), condition.inputs.end(),
                    [&](const FlowInput& i) { return decides(loop, sb, i, carriers, by_traversal, any); }) &&
        any)
      return true;
  }
  return false;
}

// The instruction right before a branch, whatever way leads to that, if it compares.
std::optional<uint64_t> Classifier::comparison_before(const regions::Loop& l, uint64_t branch) const {
  const auto here = std::lower_bound(l.body.begin(), l.body.end(), branch);
  if (here == l.body.begin()) return std::nullopt;
  const uint64_t before = *std::prev(here);
  const auto leads_there = [branch](const std::vector<uint64_t>& next) {
    return std::find(next.begin(), next.end(), branch) != next.end();
  };
  if (insn_at(l, before).operation != regions::Operation::kCompare || !leads_there(l.successors(before)) ||
      std::count_if(l.next.begin(), l.next.end(), leads_there) != 1)
    return std::nullopt;
  return before;
}

// Whether a branch goes the same way in all iterations, by what is known of the registers' steps, if anything is.
bool Classifier::is_decided_once(LoopId loop, uint64_t branch, const RegisterSteps* steps) const {
  const regions::Loop& l = with_.loops[loop];
  const std::optional<uint64_t> before = comparison_before(l, branch);
  if (!before) return false;
  const regions::MachineInsn& m = insn_at(l, *before);
  return std::all_of(m.operands.begin(), m.operands.begin() + m.operand_count, [&](const regions::Operand& o) {
    if (o.kind == regions::Operand::Kind::kRegister)
      return o.reg < 32 && (!writes(loop, o.reg) || (steps && steps->holds_same(*before, o.reg)));
    return o.kind == regions::Operand::Kind::kImmediate || loads_invariant(loop, *before);
  });
}

// By the machine code's comparison right before, which may never have run: compilers copy a loop's end to where a
// branch leads.
bool Classifier::comparison_decides(LoopId loop, uint64_t at, std::vector<Carrier>& carriers, bool by_traversal) {
  const regions::Loop& l = with_.loops[loop];
  const std::optional<uint64_t> comparison = comparison_before(l, at);
  if (!comparison) return false;
  const uint64_t before = *comparison;
  const regions::MachineInsn& m = insn_at(l, before);
  bool any = false;
  const auto is_decided = [&](const regions::Operand& o) {
    if (o.kind == regions::Operand::Kind::kRegister)
      return decided_by_register(loop, o.reg, before, carriers, by_traversal, any);
    return o.kind == regions::Operand::Kind::kImmediate || loads_invariant(loop, before);
  };
  return std::all_of(m.operands.begin(), m.operands.begin() + m.operand_count, is_decided) && any;
}

// Whether the instruction was executed, and loads the same in every iteration, whatever way leads to it.
bool Classifier::loads_invariant(LoopId loop, uint64_t addr) const {
  const auto loads = loads_at(addr);
  std::optional<std::string> place;
  return !loads.empty() && std::all_of(loads.begin(), loads.end(), [&](const auto& l) {
    const auto [sb, access] = l.second;
    const auto& places = with_.values.of(sb).address;
    const auto at = places.find(access);
    if (at == places.end() || !is_invariant_load(loop, sb, access)) return false;
    const std::string here = without_versions(at->second);
    if (!place) place = here;
    return loads.size() == 1 || (!here.empty() && here == *place);
  });
}

// A register that the iteration has made of an induction, or a traversal, by `at`.
bool Classifier::decided_by_register(LoopId loop, uint8_t reg, uint64_t at, std::vector<Carrier>& carriers,
                                     bool by_traversal, bool& any) {
  if (reg >= regions::kFirstVector || !with_.loops[loop].has(at)) return false;
  const Step& s = steps_of(loop).before(at)[reg];
  if (!s.is_known() || (s.base != kNoHome && s.base >= regions::kFirstVector)) return false;
  for (Carrier& c : carriers)
    if (c.object.kind == Object::Kind::kRegister && c.object.id == regions::chunk_of(s.base) &&
        s.base != regions::kNoRegister) {
      const bool yes = fits(c, by_traversal);
      any |= yes;
      c.decides_exit |= yes;
      return yes;
    }
  return s.kind == Step::Kind::kKnown && (s.base == regions::kNoRegister || !writes(loop, s.base));
}

// The same of a piece of the state that the superblock finds, by what those before it have made of it.
bool Classifier::decides_before(LoopId loop, SuperblockId sb, const FlowInput& input, std::vector<Carrier>& carriers,
                                bool by_traversal, bool& any) {
  const Dataflow& flow = with_.flows[sb];
  const auto writes = flow.writes.first(flow.exits.back().writes);
  for (auto w = writes.rbegin(); w != writes.rend(); ++w) {
    if (w->piece.end() <= input.piece().offset || input.piece().end() <= w->piece.offset) continue;
    if (w->piece.offset > input.piece().offset || w->piece.end() < input.piece().end()) return false;
    const FlowSet set = flow.set(w->set);
    return !set.weak && std::all_of(set.inputs.begin(), set.inputs.end(), [&](const FlowInput& i) {
      return decides(loop, sb, i, carriers, by_traversal, any);
    });
  }
  return decides(loop, sb, input, carriers, by_traversal, any);
}

// Of a call at the superblock's end; `others` are not looked at.
bool Classifier::has_same_arguments(LoopId loop, uint64_t call, SuperblockId caller, RegisterSet others) const {
  const RegisterSet arguments = calls_.arguments_at(call) & ~others;
  const auto& registers = with_.values.of(caller).registers;
  for (uint8_t r = 0; r < 32; ++r) {
    if (!(arguments >> r & 1) || !writes(loop, r)) continue;
    if (!is_same(loop, caller, registers[r])) return false;
  }
  return true;
}

// Whether the function called there has the same arguments in every iteration, and reads nothing else that the loop
// stores: then it leaves the same, too.
bool Classifier::does_the_same(LoopId loop, uint64_t call) {
  const CalledReads::Reads& reads = called_reads_.of(with_.loops[loop].function, call);
  const auto [first, end] = callers_.equal_range(call);
  return reads.known && first != end &&
         std::all_of(first, end, [&](const auto& c) { return has_same_arguments(loop, call, c.second); }) &&
         std::none_of(reads.stores.begin(), reads.stores.end(),
                      [&](SiteIndex s) { return accesses_.is_in(loop, s, 0); });
}

// Whether the leaf is invariant, or the result of a function that does the same in every iteration.
bool Classifier::is_steady(LoopId loop, SuperblockId sb, const Leaf& l) {
  if (is_invariant(loop, sb, l)) return true;
  if (l.kind != Leaf::Kind::kEntry || l.ref != regions::kRegisterRax) return false;
  const std::optional<uint64_t> call = call_before(sb);
  return call && with_.loops[loop].has(*call) && does_the_same(loop, *call);
}

// Whether it is loaded from where such a function says, and the loop does not change that: `r.size(i)`, a reference.
bool Classifier::is_steady_load(LoopId loop, SuperblockId sb, uint16_t load) {
  const auto [at, access] = with_.values.origin(sb, load);
  const SuperblockId from = at;
  const auto& addresses = with_.values.of(from).address_of;
  const auto address = addresses.find(access);
  return address != addresses.end() && reads_unchanged(loop, from, access) &&
         std::all_of(address->second.begin(), address->second.end(), [&](const Value& part) {
           return part.follows_from([&](const Leaf& l) { return is_steady(loop, from, l); });
         });
}

// Whether every iteration stores it once, and it is all of `is_leaf`; or a function does that does the same in each.
bool Classifier::stores_once(LoopId loop, SiteIndex store,
                             const std::function<bool(SuperblockId, const Leaf&)>& is_leaf) {
  const auto& contexts = with_.regions.contexts;
  const Site& s = site(store);
  const auto is_here = [&](regions::ContextIndex c, uint64_t at) {
    return contexts[c].function.addr == with_.loops[loop].function && is_once_an_iteration(loop, at);
  };
  if (is_here(s.context, contexts.ip_of(store))) {
    if (!s.is_access()) return false;
    const auto& stored = with_.values.of(s.superblock).stored;
    const auto v = stored.find(s.access);
    return v != stored.end() && v->second.follows_from([&](const Leaf& leaf) { return is_leaf(s.superblock, leaf); });
  }
  for (regions::ContextIndex c = s.context; contexts[c].parent; c = contexts[c].parent)
    if (is_here(contexts[c].parent, contexts[c].site)) return does_the_same(loop, contexts[c].site);
  return false;
}

// Whether what every iteration stores there once follows from inductions (then `by_step`), or a traversal, and from
// what does not change.
bool Classifier::is_put_aside(LoopId loop, SiteIndex store, std::vector<Carrier>& carriers, bool by_traversal,
                              bool& by_step) {
  return stores_once(loop, store, [&](SuperblockId sb, const Leaf& leaf) {
    if (is_steady(loop, sb, leaf)) return true;
    if (leaf.kind != Leaf::Kind::kLoad) return false;
    const auto [from, access] = with_.values.origin(sb, leaf.ref);
    return decides(loop, from, FlowInput::load(access), carriers, by_traversal, by_step);
  });
}

// The same of all that the load has read in the loop, where no iteration reads what another one has stored.
bool Classifier::reads_put_aside(LoopId loop, SiteIndex load, std::vector<Carrier>& carriers, bool by_traversal,
                                 bool& any) {
  if (std::find(asked_.begin(), asked_.end(), load) != asked_.end()) return false;
  asked_.push_back(load);
  const std::vector<SiteIndex> stores = accesses_.stores_read_by(load);
  const bool is_so = !stores.empty() && std::all_of(stores.begin(), stores.end(), [&](SiteIndex s) {
    return is_put_aside(loop, s, carriers, by_traversal, any);
  });
  asked_.pop_back();
  return is_so;
}

// Whether the result of what is called at the superblock's end follows from inductions, or a traversal, and from what
// does not change: it reads nothing else that the loop stores, and nothing at places that those tell.
bool Classifier::decided_by_result(LoopId loop, uint64_t call, SuperblockId caller, std::vector<Carrier>& carriers,
                                   bool by_traversal, bool& any) {
  const CalledReads::Reads& reads = called_reads_.of(with_.loops[loop].function, call);
  if (!reads.known || !has_same_arguments(loop, call, caller)) return false;
  for (const SiteIndex s : reads.stores) {
    if (!accesses_.is_in(loop, s, 0)) continue;
    bool is_carried = false;
    for (Carrier& c : carriers) {
      const auto is_source = [&](uint32_t r) { return row(r).kind == Kind::kRaw && row(r).source == s; };
      if (std::none_of(c.rows.begin(), c.rows.end(), is_source)) continue;
      if (!reads.one_place || !fits(c, by_traversal)) return false;
      is_carried = any = c.decides_exit = true;
    }
    if (is_carried) continue;
    bool by_step = false;
    if (!is_put_aside(loop, s, carriers, by_traversal, by_step) || (by_step && !reads.one_place)) return false;
    any |= by_step;
  }
  return true;
}

// Of a register that a call has just left, or kept.
bool Classifier::decided_behind_call(LoopId loop, SuperblockId sb, const FlowInput& input,
                                     std::vector<Carrier>& carriers, bool by_traversal, bool& any) {
  const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(input.first / 8));
  const bool is_kept = reg < 32 && (regions::kKeptByCalls >> reg & 1);
  const std::optional<uint64_t> call = with_.values.of(sb).before ? std::nullopt : call_before(sb);
  if (!call) return false;
  auto [caller, end] = callers_.equal_range(*call);
  bool is_called = false;
  for (; caller != end; ++caller) {
    if (!with_.loops[loop].has(with_.blocks.superblock(caller->second).addr)) continue;
    is_called = true;
    const bool fits = is_kept ? decides_before(loop, caller->second, input, carriers, by_traversal, any)
                              : reg == regions::kRegisterRax &&
                                    decided_by_result(loop, *call, caller->second, carriers, by_traversal, any);
    if (!fits) return false;
  }
  return is_called;
}

bool Classifier::fits(const Carrier& c, bool by_traversal) {
  return c.carried_as == Class::kInduction || (by_traversal && c.carried_as == Class::kTraversal);
}

// Whether the input is an induction (then `any`), or does not change.
bool Classifier::decides(LoopId loop, SuperblockId sb, const FlowInput& input, std::vector<Carrier>& carriers,
                         bool by_traversal, bool& any) {
  const auto decides_by = [&](Carrier& c) {
    const bool yes = fits(c, by_traversal);
    any |= yes;
    c.decides_exit |= yes;
    return yes;
  };
  if (const SuperblockId before = with_.values.of(sb).before;
      !input.is_load() && before && with_.flows.has(before) && !with_.flows[before].empty())
    return decides_before(loop, before, input, carriers, by_traversal, any);
  if (!input.is_load()) {
    const auto chunk = static_cast<uint8_t>(input.first / 8);
    const uint8_t reg = regions::register_of_chunk(chunk);
    if (reg == regions::kNoRegister) return false;
    if (decided_behind_call(loop, sb, input, carriers, by_traversal, any)) return true;
    for (Carrier& c : carriers)
      if (c.object.kind == Object::Kind::kRegister && c.object.id == chunk) return decides_by(c);
    return !writes(loop, reg) ||
           decided_by_register(loop, reg, with_.blocks.superblock(sb).addr, carriers, by_traversal, any);
  }
  for (Carrier& c : carriers)
    for (const uint32_t r : c.rows) {
      const Site& s = site(row(r).kind == Kind::kWar ? row(r).source : row(r).target);
      if (row(r).kind == Kind::kWaw || s.superblock != sb || s.access != input.first) continue;
      const bool is_own = c.carried_as == Class::kPrivate || c.carried_as == Class::kLastprivate;
      if (is_own && row(r).kind == Kind::kWar) return reads_put_aside(loop, row(r).source, carriers, by_traversal, any);
      return decides_by(c);
    }
  // A register that goes around the loop may have been loaded just now.
  const BlockValues& values = with_.values.of(sb);
  for (Carrier& c : carriers) {
    if (c.object.kind != Object::Kind::kRegister) continue;
    const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(c.object.id));
    if (reg == regions::kNoRegister) continue;
    const Value& v = values.registers[reg];
    const bool was_loaded = v.is_copy() && v.leaves[0].kind == Leaf::Kind::kLoad && v.leaves[0].ref == input.first;
    if (was_loaded && c.carried_as != Class::kPrivate) return decides_by(c);
  }
  return is_invariant_load(loop, sb, input.first) || is_steady_load(loop, sb, input.first);
}

}  // namespace cdr::advise
