// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/classes.h"

#include <algorithm>
#include <set>

namespace cdr::advise {

using regions::CarriedRow;
using regions::Kind;
using regions::Object;
using regions::Site;
using regions::SiteIndex;

Classifier::Classifier(const Advisor& with)
    : with_(with),
      accesses_(with),
      calls_(with.regions.contexts, with.names),
      called_reads_(with),
      returns_(with.regions.contexts, with.names),
      kept_(with.regions, with.blocks),
      code_writes_(with.loops, with.values.insns()) {
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
  for (uint32_t id = 1; id <= with.blocks.block_count(); ++id) {
    const Block& b = with.blocks.block(BlockId(id));
    const Superblock& sb = with.blocks.superblock(b.superblock);
    for (uint16_t e = 0; e <= b.exit; ++e)
      if (sb.exits[e].guard == ExitGuard::kCondition && sb.exits[e].insns != 0)
        ways_taken_.emplace_back(exit_addr(sb, sb.exits[e]), next_after(sb, e, b.exit));
  }
  std::sort(ways_taken_.begin(), ways_taken_.end());
  ways_taken_.erase(std::unique(ways_taken_.begin(), ways_taken_.end()), ways_taken_.end());
  for (const regions::Escape& e : with.regions.escapes) escapes_[{e.loop.value, e.store}] = &e;
  for (const regions::EntryRead& e : with.regions.entry_reads)
    entry_reads_[{with.loops[e.loop].function, e.object}].push_back(&e);
}

void Classifier::classify(LoopId loop, Carrier& c) {
  if (c.object.kind == Object::Kind::kLibrary) return classify_library(c);
  // Where a way around the loop begins is not known.
  if (with_.loops[loop].is_threaded() && has_flow(c)) return void(c.carried_as = Class::kRecurrence);
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
      return are_the_same(loop, sb, RegisterSet{1} << l.ref);
    case Leaf::Kind::kLoad:
      return is_invariant_load(loop, sb, l.ref);
    case Leaf::Kind::kUnknown:
      return l.whole &&
             std::all_of(l.loads.begin(), l.loads.end(), [&](uint16_t a) { return is_invariant_load(loop, sb, a); }) &&
             are_the_same(loop, sb, l.entries);
  }
  return false;
}

// Whether the registers hold the same where the superblock begins, in every iteration.
bool Classifier::are_the_same(LoopId loop, SuperblockId sb, RegisterSet registers) const {
  const uint64_t addr = with_.blocks.superblock(sb).addr;
  for (uint8_t r = 0; r < 32; ++r) {
    if (!(registers >> r & 1) || !writes(loop, r)) continue;
    if (r >= regions::kFirstVector || in_steps_of_ == loop || !with_.loops[loop].has(addr)) return false;
    const Step& s = steps_of(loop).before(addr)[r];
    if (s.kind != Step::Kind::kKnown || s.base != regions::kNoRegister) return false;
  }
  return true;
}

bool Classifier::is_invariant_load(LoopId loop, SuperblockId sb, uint16_t load) const {
  const auto [from, access] = with_.values.origin(sb, load);
  return reads_unchanged(loop, from, access) && reads_one_place(loop, from, access);
}

// Whether the loop does not store what is loaded.
bool Classifier::reads_unchanged(LoopId loop, SuperblockId sb, uint16_t load) const {
  const auto c = changing_.find({sb.value, load});
  return c != changing_.end() && c->second < with_.loops[loop].depth;
}

// Whether a load's address is the same in every iteration.
bool Classifier::reads_one_place(LoopId loop, SuperblockId sb, uint16_t access) const {
  const auto& addresses = with_.values.of(sb).address_of;
  const auto at = addresses.find(access);
  if (at == addresses.end()) return false;
  return std::all_of(at->second.begin(), at->second.end(), [&](const Value& v) { return is_same(loop, sb, v); });
}

bool Classifier::is_same(LoopId loop, SuperblockId sb, const Value& v) const {
  return v.follows_from([&](const Leaf& l) { return is_invariant(loop, sb, l); });
}

// Whether the leaf is made of what is in the place of an access, besides others.
bool Classifier::is_made_of(SuperblockId sb, const Leaf& l, const AccessId& access) const {
  const auto is_it = [&](uint16_t a) { return with_.values.same_place(with_.values.origin(sb, a), access); };
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

// Each way around the loop comes to one of the instructions, and to no second one.
bool Classifier::is_one_an_iteration(LoopId loop, const std::set<uint64_t>& addrs) const {
  const regions::Loop& l = with_.loops[loop];
  std::set<std::pair<uint64_t, bool>> seen;  // and whether it has come to one
  std::vector<std::pair<uint64_t, bool>> open{{l.header.addr, addrs.contains(l.header.addr)}};
  while (!open.empty()) {
    const auto [at, is_past] = open.back();
    open.pop_back();
    for (const uint64_t next : l.successors(at)) {
      const bool is_one = addrs.contains(next);
      if (next == l.header.addr ? !is_past : is_past && is_one) return false;
      if (next != l.header.addr && seen.insert({next, is_past || is_one}).second)
        open.push_back({next, is_past || is_one});
    }
  }
  return true;
}

// In every iteration, once: no inner loop repeats it, either.
bool Classifier::is_once_an_iteration(LoopId loop, uint64_t addr) const {
  return with_.loops[loop].has(addr) && with_.loops.innermost(loop, addr) == loop && is_one_an_iteration(loop, {addr});
}

// The same of a function: no way through it leaves the instruction out, and none comes to it again.
bool Classifier::is_once_a_call(CodeAddr function, uint64_t addr) const {
  const auto [known, is_new] = once_a_call_.try_emplace({function.addr, addr}, false);
  if (is_new) known->second = find_once_a_call(function, addr);
  return known->second;
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
  std::map<uint64_t, std::string> added;  // by instruction
  return std::all_of(accesses.stores.begin(), accesses.stores.end(), [&](SiteIndex s) {
    const Update u = update_of(loop, s);
    if (const auto [one, is_new] = added.try_emplace(with_.regions.contexts.ip_of(s), u.added); !is_new)
      if (one->second.empty() || one->second != u.added) return false;
    return u.known && u.operation == Operation::kAdd && !u.floating && (is_own(c, s) ? u.invariant : u.by_number) &&
           is_once_an_iteration(loop, c, s);
  });
}

// Whether something flows from one iteration to another.
bool Classifier::has_flow(const Carrier& c) const {
  return std::any_of(c.rows.begin(), c.rows.end(), [&](uint32_t r) { return row(r).kind == Kind::kRaw; });
}

void Classifier::classify_memory(LoopId loop, Carrier& c) const {
  if (!has_flow(c)) {
    classify_private(loop, c);
  } else {
    classify_flow(loop, c);
    if (c.carried_as == Class::kRecurrence && steps_in_frame(loop, c)) c.carried_as = Class::kInduction;
  }
  if (c.carried_as > Class::kOutput && is_stream(c)) c.carried_as = Class::kOutput;
}

// Whether nobody but functions of output has to do with it.
bool Classifier::is_stream(const Carrier& c) const {
  const auto prints = [&](SiteIndex s) {
    const regions::Context& context = with_.regions.contexts[site(s).context];
    return context.library && with_.names.state_of(context.function) == LibraryState::kOutput;
  };
  return std::all_of(c.rows.begin(), c.rows.end(),
                     [&](uint32_t r) { return prints(row(r).source) && prints(row(r).target); });
}

void Classifier::classify_flow(LoopId loop, Carrier& c) const {
  c.carried_as = Class::kRecurrence;
  // What the rows name is little, and mostly enough to tell.
  if (!may_be_truth(c) && !may_be_other(loop, c, accesses_.of_rows(c))) return;
  const ObjectAccesses accesses = accesses_.of(loop, c);
  if (is_induction(loop, c, accesses))
    c.carried_as = Class::kInduction;
  else if (is_reduction(loop, c, accesses))
    c.carried_as = Class::kReduction;
  else if (is_extremum(loop, c, accesses) || is_truth(loop, c, accesses))
    c.carried_as = Class::kReduction;
  else if (is_traversal(loop, c, accesses) && goes_on_once(loop, c, accesses))
    c.carried_as = Class::kTraversal;
}

// Whether some of the accesses do not rule out all that is better than a recurrence.
bool Classifier::may_be_other(LoopId loop, const Carrier& c, const ObjectAccesses& some) const {
  if (is_induction(loop, c, some) || is_traversal(loop, c, some)) return true;
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
  c.may_stay = leaves && (c.one_place ? comes_to_nothing(loop) : with_.regions.runs[loop.value].empty > 0);
  c.conditional = by_others || (by_last && c.one_place && (c.may_stay || may_leave_unwritten(loop, c)));
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

// Whether the run came to the loop, or to a test in front of it, and went on behind it without an iteration: compilers
// put such a test in front of a loop whose end they look at behind its body.
bool Classifier::comes_to_nothing(LoopId loop) const {
  const auto [known, is_new] = come_to_nothing_.try_emplace(loop.value, false);
  if (is_new) known->second = with_.regions.runs[loop.value].empty > 0 || is_passed_by(loop);
  return known->second;
}

// Whether of a branch in front of the loop one way leads straight to it and the other one straight to where it leads,
// and the run has gone both.
bool Classifier::is_passed_by(LoopId loop) const {
  const regions::Loop& l = with_.loops[loop];
  const slice::InsnGraph graph = with_.loops.graph_of({l.header.module, l.function});
  if (graph.addrs.size() < 2) return false;
  std::set<uint32_t> behind;
  for (const uint64_t exit : l.exits_at)
    for (const uint32_t next : graph.graph.successors(graph.node_of(exit)))
      if (next != 0 && !l.has(graph.addrs[next])) behind.insert(next);
  enum class Leads { kElsewhere, kIn, kPast };
  const auto leads = [&](uint64_t to) {
    constexpr size_t kMost = 64;
    uint32_t at = graph.node_of(to);
    for (size_t i = 0; at != 0 && i < kMost; ++i) {
      if (l.has(graph.addrs[at])) return Leads::kIn;
      if (behind.contains(at)) return Leads::kPast;
      const auto& next = graph.graph.successors(at);
      if (next.size() != 1) break;
      at = next.front();
    }
    return Leads::kElsewhere;
  };
  auto way = std::lower_bound(ways_taken_.begin(), ways_taken_.end(), std::pair(graph.addrs[1], uint64_t{0}));
  while (way != ways_taken_.end() && way->first <= graph.addrs.back()) {
    const uint64_t branch = way->first;
    bool in = false, past = false;
    const bool asks =
        !l.has(branch) && graph.node_of(branch) != 0 && with_.loops.innermost(loop, branch) == with_.loops.parent(loop);
    for (; way != ways_taken_.end() && way->first == branch; ++way) {
      if (!asks) continue;
      const Leads to = leads(way->second);
      in |= to == Leads::kIn;
      past |= to == Leads::kPast;
    }
    if (in && past) return true;
  }
  return false;
}

// Whether a way through an iteration passes by all stores. What a loop within it stores in each of its iterations
// counts as stored, if the run never came to it without an iteration.
bool Classifier::may_leave_unwritten(LoopId loop, const Carrier& c) const {
  const regions::Loop& l = with_.loops[loop];
  const auto& contexts = with_.regions.contexts;
  std::set<uint64_t> stores;
  for (const uint32_t r : c.rows)
    for (const SiteIndex s : {row(r).source, row(r).target}) {
      if (s == row(r).target && row(r).kind == Kind::kRaw) continue;
      if (s == row(r).source && row(r).kind == Kind::kWar) continue;
      if (!site(s).is_access() || contexts[site(s).context].function.addr != l.function) return false;
      stores.insert(contexts.ip_of(s));
    }
  std::map<uint32_t, bool> known;  // of loops within
  const auto passes_by = [&](LoopId of, const auto& self) -> bool {
    const auto stores_always = [&](LoopId inner) {
      const auto [at, is_new] = known.try_emplace(inner.value, false);
      if (is_new)
        at->second = !comes_to_nothing(inner) &&
                     std::any_of(stores.begin(), stores.end(), [&](uint64_t s) { return with_.loops[inner].has(s); }) &&
                     !self(inner, self);
      return at->second;
    };
    const auto is_stored = [&](uint64_t at) {
      if (stores.contains(at)) return true;
      for (LoopId i = with_.loops.innermost(of, at); i && i != of; i = with_.loops.parent(i))
        if (stores_always(i)) return true;
      return false;
    };
    const regions::Loop& walked = with_.loops[of];
    std::set<uint64_t> seen;
    std::vector<uint64_t> open{walked.header.addr};
    while (!open.empty()) {
      const uint64_t at = open.back();
      open.pop_back();
      if (is_stored(at)) continue;
      for (const uint64_t next : walked.successors(at)) {
        if (walked.begins_at(next)) return true;
        if (seen.insert(next).second) open.push_back(next);
      }
    }
    return false;
  };
  return passes_by(loop, passes_by);
}

// By the worst of the functions.
void Classifier::classify_library(Carrier& c) const {
  const auto& contexts = with_.regions.contexts;
  const auto class_of = [](LibraryState s) {
    return regions::is_for_everybody(s) ? Class::kPrivate
           : s == LibraryState::kOutput ? Class::kOutput
           : s == LibraryState::kBuffer ? Class::kAnti
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
