// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/policy/waiting_loops.h"

#include <algorithm>
#include <deque>

#include "cdrgrind/analysis/races/policy/straight_values.h"

namespace cdr::races {

namespace {

// Longer ways back are not looked for: what waits is short.
constexpr size_t kMostInsns = 48;
constexpr int kDeepest = 24;  // steps from a condition to its loads: two for each instruction between

// What is known of instructions is read again where it is needed. Not while any of it is in use.
template <class Effects>
void keep_few(Effects& known) {
  constexpr size_t kMost = size_t{1} << 17;  // some 300 bytes each
  if (known.size() > kMost) known.clear();
}

}  // namespace

WaitingLoops::WaitingLoops(const BlockTable& blocks, CodeFacts& facts, const std::vector<bool>& without)
    : blocks_(blocks), facts_(facts), reader_(facts) {
  const auto each_branch = [&](auto f) {
    for (uint32_t id = 1; id <= blocks_.superblock_count(); ++id) {
      const Superblock& sb = blocks_.superblock(SuperblockId(id));
      if (sb.module.value < without.size() && without[sb.module.value]) continue;
      for (const Exit& e : sb.exits)
        if (e.guard == ExitGuard::kCondition && e.insns != 0) f(sb, static_cast<uint16_t>(e.insns - 1));
    }
  };
  each_branch([&](const Superblock& sb, uint16_t insn) { executed_.insert({sb.module, sb.insn_addr(insn)}); });
  for (const CodeAddr& branch : executed_) {
    keep_few(effects_);
    try_branch(branch);
  }
  executed_.clear();
  tried_.clear();
  if (loops_.empty()) return;
  each_branch([&](const Superblock& sb, uint16_t insn) {
    keep_few(effects_);
    try_guard(sb, insn);
  });
}

uint32_t WaitingLoops::flag_of(CodeAddr insn) const {
  const auto f = flags_.find(insn);
  return f == flags_.end() ? 0 : f->second;
}

const WaitingLoops::Way* WaitingLoops::way_out(CodeAddr branch) const {
  const auto w = ways_.find(branch);
  return w == ways_.end() ? nullptr : &w->second;
}

const InsnEffects* WaitingLoops::effects(CodeAddr at) {
  const auto [known, is_new] = effects_.try_emplace(at);
  if (is_new) known->second = reader_.read(at);
  return known->second ? &*known->second : nullptr;
}

bool WaitingLoops::can_read(CodeAddr at) {
  keep_few(effects_);
  return effects(at) != nullptr;
}

bool WaitingLoops::has_frame_pointer(CodeAddr at) {
  constexpr int kLongestPrologue = 24;
  const uint64_t begin = facts_.function_begin(at);
  if (begin == 0) return true;
  const auto [known, is_new] = with_frame_pointer_.try_emplace({at.module, begin});
  if (!is_new) return known->second;
  CodeAddr insn{at.module, begin};
  for (int i = 0; i < kLongestPrologue; ++i) {
    const InsnEffects* e = effects(insn);
    if (!e || !e->falls_through) break;
    if (e->writes == kRbp && e->reads == kRsp && e->loads.empty()) return known->second = true;
    insn.addr += e->length;
  }
  return false;
}

bool WaitingLoops::in_frame(const MemoryOperand& m, CodeAddr at) {
  return m.index == 0 && (m.base == kRsp || (m.base == kRbp && has_frame_pointer(at)));
}

bool WaitingLoops::may_wait(const InsnEffects& e, CodeAddr at) {
  if (!e.harmless) return false;
  if (e.calls) {
    const auto [known, is_new] = only_waits_.try_emplace({at.module, e.called});
    if (is_new) known->second = e.called != 0 && facts_.only_waits({at.module, e.called});
    if (!known->second) return false;
  }
  return std::all_of(e.stores.begin(), e.stores.end(), [&](const MemoryOperand& m) { return in_frame(m, at); });
}

std::vector<uint64_t> WaitingLoops::successors(uint64_t addr, const InsnEffects& e) const {
  std::vector<uint64_t> next;
  if (e.falls_through) next.push_back(addr + e.length);
  if (e.target) next.push_back(e.target);
  return next;
}

// What is reached from there through instructions that a waiting loop may have, with what comes before each; behind
// `end` nothing is looked for.
WaitingLoops::Nodes WaitingLoops::reachable(CodeAddr from, uint64_t end) {
  Nodes before;
  std::deque<uint64_t> open = {from.addr};
  std::set<uint64_t> done;
  while (!open.empty() && done.size() < kMostInsns) {
    const uint64_t addr = open.front();
    open.pop_front();
    if (!done.insert(addr).second) continue;
    const InsnEffects* e = effects({from.module, addr});
    if (!e || !may_wait(*e, {from.module, addr}) || addr == end) continue;
    for (const uint64_t next : successors(addr, *e)) {
      before[next].push_back(addr);
      open.push_back(next);
    }
  }
  return before;
}

// The instructions on ways from `side` back to the branch; `before` is what is reachable from there.
std::optional<WaitingLoops::Loop> WaitingLoops::loop_through(CodeAddr branch, uint64_t side, const Nodes& before) {
  if (side != branch.addr && !before.count(branch.addr)) return std::nullopt;
  Loop loop;
  loop.module = branch.module;
  std::vector<uint64_t> open = {branch.addr};
  while (!open.empty()) {
    const uint64_t addr = open.back();
    open.pop_back();
    const auto b = before.find(addr);
    if (loop.body.count(addr)) continue;
    loop.body[addr] = b == before.end() ? std::vector<uint64_t>() : b->second;
    for (const uint64_t p : loop.body[addr]) open.push_back(p);
  }
  if (!loop.body.count(side)) return std::nullopt;
  if (std::vector<uint64_t>& first = loop.body[side];
      side != branch.addr && std::find(first.begin(), first.end(), branch.addr) == first.end())
    first.push_back(branch.addr);
  for (const auto& [addr, unused] : loop.body) {
    const InsnEffects* e = effects({branch.module, addr});
    if (!e || !may_wait(*e, {branch.module, addr})) return std::nullopt;
    loop.written |= e->writes | (e->calls ? kRax : 0);
  }
  return loop;
}

void WaitingLoops::try_branch(CodeAddr branch) {
  const InsnEffects* e = effects(branch);
  if (!e || !e->conditional || !e->target || !tried_.insert(branch).second) return;
  const uint64_t sides[] = {branch.addr + e->length, e->target};
  const Nodes before[] = {reachable({branch.module, sides[0]}, branch.addr),
                          reachable({branch.module, sides[1]}, branch.addr)};
  bool any = false;
  for (int i = 0; i < 2; ++i) {
    auto loop = loop_through(branch, sides[i], before[i]);
    any |= loop.has_value();
    const uint64_t out = sides[1 - i];
    if (loop && !loop->body.count(out) && !goes_on(*loop, branch, out) && add_loop(branch, std::move(*loop), out))
      return;
  }
  if (any) return;
  // A loop that never ran lies behind the copy of its first test.
  if (!executed_.count(branch)) return;
  for (const Nodes& nodes : before)
    for (const auto& [addr, unused] : nodes)
      if (!executed_.count({branch.module, addr})) try_branch({branch.module, addr});
}

// Whether what lies behind `out` comes back to where the loop counts before it comes to the branch again. A loop around
// this one comes back to where it begins.
bool WaitingLoops::goes_on(const Loop& loop, CodeAddr branch, uint64_t out) {
  constexpr size_t kFarthest = 256;
  std::vector<uint64_t> open = {out};
  std::set<uint64_t> done;
  while (!open.empty() && done.size() < kFarthest) {
    const uint64_t addr = open.back();
    open.pop_back();
    if (!done.insert(addr).second) continue;
    if (loop.body.count(addr)) {
      if (counts_before(loop, addr, branch.addr)) return true;
      continue;
    }
    if (const InsnEffects* e = effects({branch.module, addr}))
      for (const uint64_t next : successors(addr, *e)) open.push_back(next);
  }
  return false;
}

// Addresses are made by such additions, too, in registers that something else is put into before.
bool WaitingLoops::counts_before(const Loop& loop, uint64_t from, uint64_t branch) {
  const auto counts = [&](uint64_t insn, const InsnEffects& e) {
    const auto writes_it = [&](const auto& node) {
      return node.first != insn && (effects({loop.module, node.first})->writes & e.writes) != 0;
    };
    return e.counts && (!e.stores.empty() || std::none_of(loop.body.begin(), loop.body.end(), writes_it));
  };
  std::vector<uint64_t> open = {from};
  std::set<uint64_t> done;
  while (!open.empty()) {
    const uint64_t addr = open.back();
    open.pop_back();
    if (addr == branch || !loop.body.count(addr) || !done.insert(addr).second) continue;
    const InsnEffects* e = effects({loop.module, addr});
    if (counts(addr, *e)) return true;
    for (const uint64_t next : successors(addr, *e)) open.push_back(next);
  }
  return false;
}

// Judges values within a loop. `chain` is what comes before the place in question, nearest first.
struct WaitingLoops::LoopInvariance {
  WaitingLoops& of;
  const Loop& loop;
  std::set<uint64_t> flags = {}, compares = {};  // instructions

  const InsnEffects& at(uint64_t addr) { return *of.effects({loop.module, addr}); }

  bool is_written(const MemoryOperand& m) {
    return std::any_of(loop.body.begin(), loop.body.end(), [&](const auto& node) {
      const auto& stores = at(node.first).stores;
      return std::find(stores.begin(), stores.end(), m) != stores.end();
    });
  }
  bool flag(uint64_t insn, const MemoryOperand& m, const Chain& chain, size_t from, int depth) {
    const bool in_frame = of.in_frame(m, {loop.module, insn});
    // Nobody else changes what is the thread's own.
    if ((in_frame || m.own) && is_written(m)) return false;
    if (!in_frame && !registers(m.base | m.index, chain, from, depth)) return false;
    flags.insert(insn);
    return true;
  }
  // What the instruction makes of its operands.
  bool result(uint64_t insn, const Chain& chain, size_t from, int depth) {
    if (depth > kDeepest) return false;
    const InsnEffects& e = at(insn);
    if (e.reads_flags && !condition(chain, from, depth + 1)) return false;
    for (const MemoryOperand& m : e.loads)
      if (!flag(insn, m, chain, from, depth + 1)) return false;
    return registers(e.reads, chain, from, depth + 1);
  }
  bool registers(Registers all, const Chain& chain, size_t from, int depth) {
    for (Registers r = 1; r <= all && r != 0; r <<= 1)
      if ((all & r) && r != kRsp && !value(r, chain, from, depth)) return false;
    return true;
  }
  bool value(Registers r, const Chain& chain, size_t from, int depth) {
    for (size_t i = from; i < chain.size(); ++i) {
      const InsnEffects& e = at(chain[i]);
      if (e.calls && r == kRax) return false;
      if (e.writes & r) return result(chain[i], chain, i + 1, depth + 1);
    }
    if (!(loop.written & r)) return true;
    // Written somewhere in the loop: then always from a flag.
    for (const auto& [addr, unused] : loop.body) {
      const InsnEffects& e = at(addr);
      if (e.calls && r == kRax) return false;
      if ((e.writes & r) && !(e.is_plain_load && !e.loads.empty() && result(addr, {}, 0, depth + 1))) return false;
    }
    return true;
  }
  // Of what looks at the processor's flags.
  bool condition(const Chain& chain, size_t from, int depth) {
    for (size_t i = from; i < chain.size(); ++i)
      if (at(chain[i]).writes_flags) {
        compares.insert(chain[i]);
        return result(chain[i], chain, i + 1, depth + 1);
      }
    return false;
  }
};

WaitingLoops::Chain WaitingLoops::chain_before(const Loop& loop, uint64_t addr) const {
  Chain chain;
  for (uint64_t at = addr; chain.size() < loop.body.size();) {
    const std::vector<uint64_t>& before = loop.body.at(at);
    if (before.size() != 1 || before.front() == addr) break;
    chain.push_back(at = before.front());
  }
  return chain;
}

// Whether it waits.
bool WaitingLoops::add_loop(CodeAddr branch, Loop loop, uint64_t out) {
  LoopInvariance invariance{*this, loop};
  const bool waits = invariance.condition(chain_before(loop, branch.addr), 0, 0) && !invariance.flags.empty();
  if (!waits) return false;
  // `while (f != 1 || g != 1)': the condition on f decides whether g is looked at.
  for (const auto& [addr, unused] : loop.body) {
    LoopInvariance other{*this, loop};
    const InsnEffects* e = effects({loop.module, addr});
    const bool inside = e->conditional && loop.body.count(addr + e->length) && loop.body.count(e->target);
    if (!inside || !other.condition(chain_before(loop, addr), 0, 0)) continue;
    invariance.flags.merge(other.flags);
    invariance.compares.merge(other.compares);
  }
  const auto number = static_cast<uint32_t>(loops_.size() + 1);
  for (const uint64_t insn : invariance.flags) flags_.try_emplace({branch.module, insn}, number);
  ways_[branch] = {number, out, true};
  add_other_ways(loop, number);
  loop.flags = std::move(invariance.flags);
  loop.compares = std::move(invariance.compares);
  loops_.push_back(std::move(loop));
  return true;
}

// Of other branches out of the loop nothing is known yet; some may be found to wait, too, later.
void WaitingLoops::add_other_ways(const Loop& loop, uint32_t number) {
  for (const auto& [addr, unused] : loop.body) {
    const InsnEffects* e = effects({loop.module, addr});
    if (!e->conditional) continue;
    for (const uint64_t next : successors(addr, *e))
      if (!loop.body.count(next)) ways_.try_emplace({loop.module, addr}, Way{number, next, false});
  }
}

// The instructions of that way up to the loop, in their order, if it comes into it, through such as prepare it at most.
std::optional<WaitingLoops::Chain> WaitingLoops::way_into(const Loop& loop, uint64_t addr) {
  Chain way;
  while (way.size() < kMostInsns && !loop.body.count(addr)) {
    const InsnEffects* e = effects({loop.module, addr});
    if (!e || !may_wait(*e, {loop.module, addr}) || e->calls || e->conditional) return std::nullopt;
    way.push_back(addr);
    addr = e->falls_through ? addr + e->length : e->target;
  }
  if (!loop.body.count(addr)) return std::nullopt;
  way.push_back(addr);
  return way;
}

bool WaitingLoops::compares_the_same(const Loop& loop, const LoopInvariance& guard, const Chain& before,
                                     const Chain& into) {
  const auto same_compare = [&](uint64_t a, uint64_t b) {
    const InsnEffects &one = *effects({loop.module, a}), &other = *effects({loop.module, b});
    return one.operation == other.operation && one.immediate == other.immediate;
  };
  const auto is_of_loop = [&](uint64_t c) {
    return std::any_of(loop.compares.begin(), loop.compares.end(), [&](uint64_t o) { return same_compare(c, o); });
  };
  return std::all_of(guard.compares.begin(), guard.compares.end(), is_of_loop) &&
         (look_alike(loop, guard.flags) || is_first_look(loop, guard.flags, before, into));
}

// The address may stand in another register.
bool WaitingLoops::look_alike(const Loop& loop, const std::set<uint64_t>& flags) {
  const auto same_memory = [&](uint64_t a, uint64_t b) {
    const InsnEffects &one = *effects({loop.module, a}), &other = *effects({loop.module, b});
    return std::equal(one.loads.begin(), one.loads.end(), other.loads.begin(), other.loads.end(),
                      [](const MemoryOperand& m, const MemoryOperand& n) {
                        return m.constant == n.constant && m.own == n.own && (m.base == 0) == (n.base == 0);
                      });
  };
  return std::any_of(flags.begin(), flags.end(), [&](uint64_t f) {
    return std::any_of(loop.flags.begin(), loop.flags.end(), [&](uint64_t o) { return same_memory(f, o); });
  });
}

// A compiler that knows the address at first (`me = 1; while (!flag[me]) fence();') makes a constant of it there.
// `before` the branch the nearest comes first; `into` the loop goes the way from the branch, to its first instruction.
bool WaitingLoops::is_first_look(const Loop& loop, const std::set<uint64_t>& flags, const Chain& before,
                                 const Chain& into) {
  std::vector<const InsnEffects*> code;
  const auto add = [&](uint64_t addr) { code.push_back(effects({loop.module, addr})); };
  const auto constant = [&](const MemoryOperand& m) {
    return std::any_of(flags.begin(), flags.end(), [&](uint64_t f) {
      const std::vector<MemoryOperand>& of_guard = effects({loop.module, f})->loads;
      if (of_guard.size() != 1 || of_guard[0].width != m.width || of_guard[0].own) return false;
      const MemoryOperand& g = of_guard[0];
      return g.base == 0 && g.index == 0 &&
             StraightValues(code).address(m, code.size()) == static_cast<uint64_t>(g.constant);
    });
  };
  std::for_each(before.rbegin(), before.rend(), add);
  std::for_each(into.begin(), into.end() - 1, add);
  for (uint64_t addr = into.back(); loop.body.count(addr);) {
    const InsnEffects* e = effects({loop.module, addr});
    if (e->calls || e->conditional) return false;
    if (loop.flags.count(addr) && e->loads.size() == 1 && constant(e->loads[0])) return true;
    code.push_back(e);
    addr = e->falls_through ? addr + e->length : e->target;
  }
  return false;
}

// A branch into a loop, or past it.
void WaitingLoops::try_guard(const Superblock& sb, uint16_t insn) {
  const CodeAddr branch{sb.module, sb.insn_addr(insn)};
  const InsnEffects* e = effects(branch);
  if (!e || !e->target) return;
  // It may leave another loop besides, which does not wait there.
  if (const Way* known = way_out(branch); known && known->waits) return;
  Chain chain;
  for (uint16_t before = insn; before > 0; --before) chain.push_back(sb.insn_addr(before - 1u));
  if (!std::all_of(chain.begin(), chain.end(), [&](uint64_t a) { return effects({sb.module, a}) != nullptr; })) return;
  const uint64_t sides[] = {branch.addr + e->length, e->target};
  for (uint32_t number = 1; number <= loops_.size(); ++number) {
    const Loop& loop = loops_[number - 1];
    if (loop.module != sb.module || loop.body.count(branch.addr)) continue;
    for (int i = 0; i < 2; ++i) {
      const auto into = way_into(loop, sides[i]);
      if (!into) continue;
      LoopInvariance invariance{*this, loop};
      if (!invariance.condition(chain, 0, 0) || !compares_the_same(loop, invariance, chain, *into)) continue;
      for (const uint64_t f : invariance.flags) flags_.try_emplace({sb.module, f}, number);
      ways_[branch] = {number, sides[1 - i], true};
      return;
    }
  }
}

}  // namespace cdr::races
