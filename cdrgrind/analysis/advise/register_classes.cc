// SPDX-License-Identifier: GPL-2.0-or-later
// What registers carry.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "cdrgrind/analysis/advise/classes.h"
#include "cdrgrind/analysis/advise/constant_register.h"
#include "cdrgrind/analysis/advise/made_ahead.h"
#include "cdrgrind/analysis/advise/register_fold.h"
#include "cdrgrind/analysis/regions/register_flow.h"
#include "cdrgrind/base/checksum.h"

namespace cdr::advise {

using regions::Kind;
using regions::Object;
using regions::Site;
using regions::SiteIndex;

// Whether the instruction adds, to the register, what the loop does not change.
bool Classifier::adds_invariant(LoopId loop, const regions::MachineInsn& m, uint8_t reg) const {
  using regions::Operand;
  const auto is_same = [&](uint8_t r) { return r == regions::kNoRegister || !writes(loop, r); };
  if (m.operands[0].kind != Operand::Kind::kRegister || m.operands[0].reg != reg || m.operand_count != 2 || m.floating)
    return false;
  const Operand& from = m.operands[1];
  if (m.operation == Operation::kAddress) {
    if (from.reg == reg) return is_same(from.index);
    return from.index == reg && from.scale == 1 && is_same(from.reg);
  }
  if (m.operation != Operation::kAdd && m.operation != Operation::kSub) return false;
  return from.kind == Operand::Kind::kImmediate || (from.kind == Operand::Kind::kRegister && is_same(from.reg));
}

const Classifier::FunctionCode& Classifier::code_of(const regions::Loop& l) const {
  const auto [known, is_new] = codes_.try_emplace(l.function);
  if (is_new) {
    slice::InsnGraph graph = with_.loops.graph_of({l.header.module, l.function});
    graph.addrs.erase(graph.addrs.begin());
    graph.ran.erase(graph.ran.begin());
    known->second = {std::move(graph.addrs), std::move(graph.ran)};
  }
  return known->second;
}

// Compilers make two versions of code where what decides between them is the same in all iterations. That which never
// ran is left out: a loop has no other ends, and no other steps, for it.
const regions::Loop& Classifier::as_run(LoopId loop) const {
  steps_of(loop);
  const auto& seen = as_run_.at(loop.value);
  return seen ? *seen : with_.loops[loop];
}

std::unique_ptr<regions::Loop> Classifier::without_other_versions(LoopId loop, const RegisterSteps* steps) const {
  const regions::Loop& l = with_.loops[loop];
  if (l.weak || l.irregular || l.is_threaded()) return {};
  const FunctionCode& code = code_of(l);
  const auto ran = [&](uint64_t addr) { return code.has_run(addr); };
  if (std::all_of(l.body.begin(), l.body.end(), ran)) return {};
  std::map<uint64_t, std::vector<uint64_t>> next;
  for (std::vector<uint64_t> open = {l.header.addr}; !open.empty();) {
    const uint64_t addr = open.back();
    open.pop_back();
    const auto [known, is_new] = next.try_emplace(addr, l.successors(addr));
    if (!is_new) continue;
    if (known->second.size() > 1 && std::any_of(known->second.begin(), known->second.end(), ran) &&
        is_decided_once(loop, addr, steps))
      std::erase_if(known->second, [&](uint64_t to) { return !ran(to); });
    open.insert(open.end(), known->second.begin(), known->second.end());
  }
  if (next.size() == l.body.size()) return {};
  auto seen = std::make_unique<regions::Loop>(l);
  seen->body.clear();
  seen->next.clear();
  for (const auto& [addr, to] : next) {
    seen->body.push_back(addr);
    seen->next.push_back(to);
  }
  std::erase_if(seen->exits_at, [&](uint64_t at) { return !next.contains(at); });
  return seen;
}

const RegisterSteps& Classifier::steps_of(LoopId loop) const {
  auto& steps = steps_[loop.value];
  if (steps) return *steps;
  const LoopId around = std::exchange(in_steps_of_, loop);
  const auto walk = [this, loop](uint64_t call) { return walk_by(loop, with_.loops[loop].function, call); };
  const regions::Loop& l = with_.loops[loop];
  const FunctionCode& function = code_of(l);
  const InsnSteps::Loads loads{[this](uint64_t load) { return accesses_.stores_read_at(load); },
                               [this, loop](uint64_t load) { return loads_invariant(loop, load); },
                               [&function](uint64_t addr) { return function.has_run(addr); },
                               [&function](uint64_t addr) { return function.has(addr); }};
  const auto kept = kept_by_calls(loop);
  const auto found = [&](const std::map<Home, Step>& entry) {
    const auto& seen = as_run_.at(loop.value);
    return std::make_unique<RegisterSteps>(seen ? *seen : l, with_.values.insns(), walk, kept, loads, entry);
  };
  as_run_[loop.value] = without_other_versions(loop, nullptr);
  steps = found({});
  auto seen = without_other_versions(loop, steps.get());
  if (auto& as_run = as_run_[loop.value]; seen && (!as_run || as_run->body != seen->body)) {
    std::swap(as_run, seen);  // what the steps are of lives until there are others
    steps = found({});
  }
  std::map<Home, Step> entry;
  for (const Home h : steps->kept()) entry.emplace(h, Step{Step::Kind::kKnown, kNoHome, mix64(0xca11 + uint64_t{h})});
  entry.merge(loaded_before(loop, *steps));
  // What is known of some tells of others what they are loaded through.
  for (size_t known = 0; entry.size() > known;) {
    auto with_entry = found(entry);
    const auto differs = [&](const auto& e) { return !(with_entry->at_end(e.first) == e.second); };
    if (std::erase_if(entry, differs) > 0) continue;
    known = entry.size();
    steps = std::move(with_entry);
    entry.merge(loaded_before(loop, *steps));
  }
  in_steps_of_ = around;
  return *steps;
}

// Registers of which the iteration leaves nothing that is known, and that hold when the loop is entered what it loads
// into them, the same in every iteration.
std::map<Home, Step> Classifier::loaded_before(LoopId loop, const RegisterSteps& steps) const {
  const regions::Loop& l = with_.loops[loop];
  std::map<Home, Step> entry;
  std::optional<LoopEntry> code;
  RegisterSet constant = 0;
  for (uint8_t r = 0; r < regions::kFirstVector; ++r)
    if (!writes(loop, r)) constant |= RegisterSet{1} << r;
  for (const uint64_t addr : l.body) {
    const regions::MachineInsn& m = insn_at(l, addr);
    const uint8_t reg =
        m.operands[0].kind == regions::Operand::Kind::kRegister ? m.operands[0].reg : regions::kNoRegister;
    if (reg >= regions::kFirstVector || m.operation != Operation::kMove) continue;
    if (m.operands[1].kind != regions::Operand::Kind::kMemory) continue;
    if (m.operands[1].reg == regions::kRegisterRsp || !loads_invariant(loop, addr)) continue;
    if (!code) code.emplace(l, with_.loops.graph_of({l.header.module, l.function}), with_.values.insns());
    const Step loaded = steps.loaded_same(addr);
    // It may be copied on from there.
    for (uint8_t r = 0; r < regions::kFirstVector; ++r)
      if (!(constant >> r & 1) && !entry.contains(r) && !steps.at_end()[r].is_known() &&
          code->loaded_amount(r, constant) == loaded.amount)
        entry[r] = loaded;
  }
  return entry;
}

const WalkedRegisters& Classifier::walked_of(LoopId loop) {
  auto& walked = walked_[loop.value];
  if (walked) return *walked;
  const regions::Loop& l = with_.loops[loop];
  // What nobody has read as a function left it was left alone, or does not matter.
  std::map<uint64_t, RegisterSet> kept = kept_by_calls(loop);
  for (const uint64_t addr : l.body)
    for (const uint64_t next : insn_at(l, addr).calls ? l.successors(addr) : std::vector<uint64_t>())
      kept[next] |= ~calls_.results_at(addr) & ~(RegisterSet{1} << regions::kRegisterRax);
  const auto walk = [this, loop](uint64_t call) { return walk_by(loop, with_.loops[loop].function, call); };
  const auto is_link = [this, loop](uint64_t load) { return loads_unchanged(loop, load); };
  walked = std::make_unique<WalkedRegisters>(l, with_.values.insns(), walk, kept, is_link);
  return *walked;
}

// Also in a loop within the walk's, that compilers make of the way on to another piece.
bool Classifier::is_walked(LoopId loop, uint8_t reg) {
  if (walked_of(loop).has(reg)) return true;
  const LoopId around = with_.loops[loop].parent;
  return around && walked_of(around).has(reg) && walked_of(loop).is_loaded(reg);
}

// What the instruction has loaded, as superblocks have it.
std::span<const std::pair<uint64_t, AccessId>> Classifier::loads_at(uint64_t addr) const {
  if (loads_.empty()) {
    for (const auto& [access, most] : changing_) {
      const Superblock& sb = with_.blocks.superblock(SuperblockId(access.first));
      const Access& a = sb.accesses[access.second];
      if (!a.store()) loads_.push_back({sb.insn_addr(a.insn), {SuperblockId(access.first), access.second}});
    }
    std::sort(loads_.begin(), loads_.end());
  }
  const auto is_before = [](const auto& l, uint64_t a) { return l.first < a; };
  const auto first = std::lower_bound(loads_.begin(), loads_.end(), addr, is_before);
  return {first, std::lower_bound(first, loads_.end(), addr + 1, is_before)};
}

// Whether the instruction was executed, and the loop does not store the 8 bytes that it loads.
bool Classifier::loads_unchanged(LoopId loop, uint64_t load) {
  const auto loads = loads_at(load);
  return !loads.empty() && std::all_of(loads.begin(), loads.end(), [&](const auto& l) {
    const auto [sb, access] = l.second;
    return with_.blocks.superblock(sb).accesses[access].width == 8 &&
           changing_.at({sb.value, access}) < with_.loops[loop].depth;
  });
}

// What an instruction reads as the iteration before has left it, all that comes before in the iteration keeps. As many
// reads as iterations are one in each if none comes to it again.
std::map<uint64_t, RegisterSet> Classifier::kept_by_calls(LoopId loop) const {
  const std::map<uint64_t, RegisterSet> read = kept_.of(loop);
  std::map<uint64_t, RegisterSet> kept;
  const regions::Loop& l = with_.loops[loop];
  for (const uint64_t addr : l.body) {
    if (!insn_at(l, addr).calls || l.successors(addr).size() != 1) continue;
    const uint64_t next = l.successors(addr)[0];
    if (const RegisterSet alone = code_writes_.left_alone_by({l.header.module, addr})) kept[next] |= alone;
    if (read.empty() || !is_once_an_iteration(loop, next)) continue;
    for (const auto& [at, registers] : read)
      if (next == at || (l.has(at) && !accesses_.is_reached(loop, at, at) && accesses_.is_reached(loop, next, at)))
        kept[next] |= registers;
  }
  return kept;
}

// Whether it is an induction, or made of one, when the loop begins anew.
bool Classifier::steps(LoopId loop, uint8_t reg) const {
  return reg < regions::kFirstVector && steps_of(loop).is_step(reg);
}

// The same of places in the frame that the loop's instructions name.
bool Classifier::steps_in_frame(LoopId loop, const Carrier& c) const {
  if (c.object.kind != Object::Kind::kFrame) return false;
  const RegisterSteps* by = nullptr;
  return std::all_of(c.rows.begin(), c.rows.end(), [&](uint32_t r) {
    if (row(r).kind != Kind::kRaw) return true;
    const auto is_here = [&](SiteIndex s) {
      return is_own(c, s) && with_.loops[loop].has(with_.regions.contexts.ip_of(s));
    };
    if (!is_here(row(r).source)) return false;
    if (!by) by = &steps_of(loop);
    // A function that the loop calls may be told by its place what the iteration before has left.
    return is_here(row(r).target) ? by->reads_step(with_.regions.contexts.ip_of(row(r).target))
                                  : by->leaves_step(with_.regions.contexts.ip_of(row(r).source));
  });
}

bool Classifier::register_induction(LoopId loop, const Carrier& c) {
  const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(c.object.id));
  for (const uint32_t r : c.rows)
    if (row(r).distances.greatest > 1 || site(row(r).source).access != Site::kRegisters) return false;
  const regions::Loop& l = with_.loops[loop];
  bool any = false;
  for (const uint64_t addr : l.body) {
    const regions::MachineInsn& m = insn_at(l, addr);
    if (!(m.writes >> reg & 1)) continue;
    any = true;
    if (!adds_invariant(loop, m, reg) || !is_once_an_iteration(loop, addr)) return false;
  }
  return any;
}

// Not by what a library reads or leaves.
bool Classifier::is_by_registers(const Carrier& c) const {
  return std::all_of(c.rows.begin(), c.rows.end(), [&](uint32_t r) {
    return site(row(r).source).access == Site::kRegisters && site(row(r).target).access == Site::kRegisters;
  });
}

// All instructions of the loop that name the register are updates of it by one operation, or keep it in one place.
bool Classifier::register_reduction(LoopId loop, Carrier& c) const {
  using regions::Operand;
  const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(c.object.id));
  if (!is_by_registers(c)) return false;
  Operation operation = Operation::kOther;
  const regions::Loop& l = with_.loops[loop];
  for (const uint64_t addr : l.body) {
    const regions::MachineInsn& m = insn_at(l, addr);
    if (!((m.reads | m.writes) >> reg & 1) || m.operation == Operation::kCompare) continue;
    if (is_left_behind(loop, addr, reg)) continue;
    if (m.operation == Operation::kMove && m.operands[0].kind == Operand::Kind::kMemory &&
        !(m.operands[0].registers() >> reg & 1) && keeps_in_one_place(loop, addr)) {
      c.kept_at.push_back(addr);
      continue;
    }
    const Operation o = m.operation == Operation::kSub ? Operation::kAdd : m.operation;
    const bool known = (o >= Operation::kAdd && o <= Operation::kMax) || o == Operation::kMoveIf;
    if (!known || !m.updates(reg) || (operation != Operation::kOther && o != operation)) return false;
    operation = o;
    c.floating |= m.floating;
  }
  c.operation = operation;
  if (operation == Operation::kMoveIf && is_compared(l, reg)) return decides_by_itself(l, reg);
  return operation != Operation::kOther && operation != Operation::kMoveIf && !is_compared(l, reg);
}

// Whether the instruction only copies the register into another one, which the loop does not read: for what follows it.
bool Classifier::is_left_behind(LoopId loop, uint64_t addr, uint8_t reg) const {
  using regions::Operand;
  const regions::MachineInsn& m = insn_at(with_.loops[loop], addr);
  if (m.operation != Operation::kMove || m.operand_count != 2 || m.operands[0].kind != Operand::Kind::kRegister ||
      m.operands[1].kind != Operand::Kind::kRegister || m.operands[1].reg != reg || m.operands[0].reg == reg)
    return false;
  return !(liveness_of(loop).behind(addr) >> m.operands[0].reg & 1);
}

bool Classifier::is_compared(const regions::Loop& l, uint8_t reg) const {
  return std::any_of(l.body.begin(), l.body.end(), [&](uint64_t addr) {
    const regions::MachineInsn& m = insn_at(l, addr);
    return m.operation == Operation::kCompare && (m.reads >> reg & 1);
  });
}

// Whether what moves into the register is what it is compared with, and the comparison is of less and greater.
bool Classifier::decides_by_itself(const regions::Loop& l, uint8_t reg) const {
  std::optional<regions::Operand> other;
  for (const uint64_t addr : l.body) {
    const regions::MachineInsn& m = insn_at(l, addr);
    const bool compares = m.operation == Operation::kCompare && (m.reads >> reg & 1);
    const bool moves = m.operation == Operation::kMoveIf && m.operands[0].reg == reg;
    if (!compares && !moves) continue;
    if (m.by_equality || m.operand_count != 2 || (compares && decides_others(l, addr, reg))) return false;
    const bool is_left = m.operands[0].kind == regions::Operand::Kind::kRegister && m.operands[0].reg == reg;
    const regions::Operand& o = m.operands[is_left ? 1 : 0];
    if (other && !(*other == o)) return false;
    other = o;
  }
  return other.has_value();
}

// Whether the comparison decides more than what moves into the register.
bool Classifier::decides_others(const regions::Loop& l, uint64_t compare, uint8_t reg) const {
  const auto readers = flag_readers(l, compare, with_.values.insns());
  return !std::all_of(readers.begin(), readers.end(), [&](uint64_t addr) {
    const regions::MachineInsn& m = insn_at(l, addr);
    return m.operation == Operation::kMoveIf && m.operands[0].reg == reg;
  });
}

// Whether the store is always to the same place, and the loop never reads what it leaves there.
bool Classifier::keeps_in_one_place(LoopId loop, uint64_t store) const {
  const regions::MachineInsn& m = insn_at(with_.loops[loop], store);
  for (uint8_t r = 0; r < 32; ++r)
    if ((m.operands[0].registers() >> r & 1) && writes(loop, r)) return false;
  return !accesses_.is_read_in(loop, store);
}

// The superblock that is all of the loop's iteration, if there is one.
SuperblockId Classifier::straight_body(LoopId loop) const {
  const regions::Loop& l = with_.loops[loop];
  for (auto [b, end] = begins_.equal_range(l.header.addr); b != end; ++b) {
    const Superblock& sb = with_.blocks.superblock(b->second);
    if (sb.module != l.header.module || sb.insns.size() < l.body.size()) continue;
    bool same = true;
    for (uint32_t i = 0; i < l.body.size() && same; ++i) same = sb.insn_addr(i) == l.body[i];
    if (same) return b->second;
  }
  return {};
}

// What one iteration, without any branch, makes of the register is one operation with itself.
bool Classifier::straight_reduction(LoopId loop, Carrier& c) const {
  const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(c.object.id));
  const SuperblockId body = straight_body(loop);
  if (!body || reg < regions::kFirstVector) return false;
  const Value& v = with_.values.registers_before(body, static_cast<uint16_t>(with_.loops[loop].body.size()))[reg];
  const bool chosen = v.operation == Operation::kMoveIf;
  const bool known = chosen || (v.operation >= Operation::kAdd && v.operation <= Operation::kMax);
  size_t old = 0;
  for (const Leaf& l : v.leaves) {
    const bool is_old = l.kind == Leaf::Kind::kEntry && l.ref == reg && !l.negative && !l.subtracted;
    if (!is_old && (l.entries >> reg & 1)) return false;
    old += is_old;
  }
  if (!known || old != 1 || v.leaves.size() < 2 || is_used_by(loop, body, reg, c)) return false;
  c.operation = v.operation;
  c.floating = v.floating;
  return !chosen;
}

// The same whatever way the iteration takes, and with loops in it.
bool Classifier::folded_reduction(LoopId loop, Carrier& c) const {
  const auto is_folded = [&](SiteIndex s) {
    return site(s).access == Site::kRegisters || returns_.is_choice(site(s).context);
  };
  if (!std::all_of(c.rows.begin(), c.rows.end(),
                   [&](uint32_t r) { return is_folded(row(r).source) && is_folded(row(r).target); }))
    return false;
  const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(c.object.id));
  const auto found = RegisterFold(with_.loops[loop], calls_, returns_, with_.values.insns()).of(reg);
  if (!found) return false;
  c.operation = found->operation;
  c.floating = found->floating;
  return true;
}

// Whether the iteration puts the old value, or what is made of it, anywhere but into the register.
bool Classifier::is_used_by(LoopId loop, SuperblockId body, uint8_t reg, Carrier& c) const {
  if (!with_.flows.has(body) || with_.flows[body].empty()) return true;
  const Dataflow& flow = with_.flows[body];
  const Superblock& sb = with_.blocks.superblock(body);
  const regions::Loop& l = with_.loops[loop];
  const auto uses = [&](uint16_t set) {
    const auto inputs = flow.set(set).inputs;
    return std::any_of(inputs.begin(), inputs.end(), [&](const FlowInput& i) {
      return !i.is_load() && regions::register_of_chunk(static_cast<uint8_t>(i.first / 8)) == reg;
    });
  };
  if (tells_or_decides(flow, uses)) return true;
  for (uint16_t i = 0; i < l.body.size(); ++i) {
    const regions::MachineInsn& m = insn_at(l, l.body[i]);
    const auto& before = with_.values.registers_before(body, i);
    for (uint8_t r = 0; r < 32 && m.operation == Operation::kCompare; ++r)
      if ((m.reads >> r & 1) && (before[r].entries() >> reg & 1)) return true;
  }
  for (uint16_t a = 0; a < flow.accesses.size(); ++a) {
    if (!uses(flow.accesses[a].value)) continue;
    const uint64_t at = sb.insn_addr(sb.accesses[a].insn);
    if (!keeps_in_one_place(loop, at)) return true;
    c.kept_at.push_back(at);
  }
  // The next iteration may read other registers.
  const auto& registers = with_.values.registers_before(body, static_cast<uint16_t>(l.body.size()));
  const RegisterSet read = liveness_of(loop).behind(l.body.back());
  for (uint8_t r = 0; r < 32; ++r)
    if (r != reg && (read >> r & 1) && (registers[r].entries() >> reg & 1)) return true;
  return false;
}

void Classifier::join_kept(std::vector<Carrier>& carriers) const {
  for (const Carrier& by : carriers) {
    if (by.carried_as != Class::kReduction || by.kept_at.empty()) continue;
    const auto is_kept = [&](SiteIndex s) {
      return std::find(by.kept_at.begin(), by.kept_at.end(), with_.regions.contexts.ip_of(s)) != by.kept_at.end();
    };
    for (Carrier& c : carriers) {
      if (c.object.kind == Object::Kind::kRegister || c.rows.empty()) continue;
      if (!std::all_of(c.rows.begin(), c.rows.end(), [&](uint32_t r) {
            return row(r).kind == Kind::kWaw && is_kept(row(r).source) && is_kept(row(r).target);
          }))
        continue;
      c.carried_as = Class::kReduction;
      c.operation = by.operation;
      c.floating = by.floating;
    }
  }
}

uint32_t Classifier::lanes(LoopId loop) {
  using regions::Operand;
  constexpr uint64_t kLongestStep = 4096;
  const regions::Loop& l = with_.loops[loop];
  uint64_t element = 0, least = 0, covered = 0;
  const auto step_of = [&](uint8_t reg) -> std::optional<int64_t> {
    if (reg == regions::kNoRegister || !writes(loop, reg)) return 0;
    const Step& s = reg < regions::kFirstVector ? steps_of(loop).at_end()[reg] : Step();
    if (s.kind != Step::Kind::kKnown || s.base != reg || s.amount + kLongestStep > 2 * kLongestStep)
      return std::nullopt;
    return static_cast<int64_t>(s.amount);
  };
  for (const uint64_t addr : l.body) {
    const regions::MachineInsn& m = insn_at(l, addr);
    if (with_.loops.innermost(loop, addr) != loop) continue;
    if (m.element && (element == 0 || m.element < element)) element = m.element;
    for (uint8_t i = 0; i < m.operand_count; ++i) {
      const Operand& o = m.operands[i];
      if (o.kind != Operand::Kind::kMemory || o.relative || o.bytes < 16) continue;
      const auto base = step_of(o.reg), index = step_of(o.index);
      if (!base || !index) return 1;
      const auto step = static_cast<uint64_t>(std::abs(*base + *index * o.scale));
      if (step == 0) continue;
      covered += o.bytes;
      if (least == 0 || step < least) least = step;
    }
  }
  // Vectors that lie farther apart hold what another loop of the nest has for its iterations.
  return element && least > element && least <= covered ? static_cast<uint32_t>(least / element) : 1;
}

// Where an iteration may end in a superblock: before the loop's header, if it is there, or at the end.
std::vector<const std::array<Value, 32>*> Classifier::registers_at_end(LoopId loop, SuperblockId id) const {
  const Superblock& sb = with_.blocks.superblock(id);
  const regions::Loop& l = with_.loops[loop];
  std::vector<const std::array<Value, 32>*> all;
  const std::vector<uint16_t> headers = places_of_header(loop, id);
  for (const uint16_t i : headers)
    if (l.has(sb.insn_addr(i - 1u))) all.push_back(&with_.values.registers_before(id, i));
  const bool repeats =
      std::any_of(sb.exits.begin(), sb.exits.end(), [&](const Exit& e) { return e.target == l.header.addr; });
  if (headers.empty() || repeats || all.empty()) all.push_back(&with_.values.of(id).registers);
  return all;
}

// Behind the superblock's first instruction.
std::vector<uint16_t> Classifier::places_of_header(LoopId loop, SuperblockId id) const {
  const Superblock& sb = with_.blocks.superblock(id);
  std::vector<uint16_t> places;
  for (uint16_t i = 1; i < sb.insns.size(); ++i)
    if (sb.insn_addr(i) == with_.loops[loop].header.addr) places.push_back(i);
  return places;
}

// Whether the register goes around with what every iteration has loaded from memory that the loop does not change, at a
// place that inductions tell: then the next iteration could load it again.
bool Classifier::is_reloadable(LoopId loop, const Carrier& c) {
  const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(c.object.id));
  return std::all_of(c.rows.begin(), c.rows.end(), [&](uint32_t r) {
    const Site& s = site(row(r).source);
    return s.access == Site::kRegisters && row(r).distances.greatest == 1 &&
           is_always_written(loop, s.superblock, reg) && holds_unchanged(loop, s.superblock, reg, 0) &&
           !is_stored(loop, s.superblock, reg);
  });
}

// Whether what the next iteration reads in the register was made for it alone, of what that one has, too.
bool Classifier::is_made_ahead(LoopId loop, const Carrier& c) {
  const auto [known, is_new] = made_ahead_.try_emplace(loop.value);
  if (is_new) {
    const regions::Loop& l = as_run(loop);
    const std::map<uint64_t, RegisterSet> kept = kept_by_calls(loop);
    const auto known_before = [&](uint64_t addr) {
      const RegisterSteps& steps = steps_of(loop);
      RegisterSet registers = ~RegisterSet{0};
      for (const uint64_t at : l.body) {
        const regions::MachineInsn& m = insn_at(l, at);
        registers &= m.known ? ~m.writes : 0;
        for (const uint64_t next : m.calls ? l.successors(at) : std::vector<uint64_t>()) {
          const auto alone = kept.find(next);
          registers &= regions::kKeptByCalls | (alone == kept.end() ? 0 : alone->second);
        }
      }
      for (uint8_t r = 0; r < regions::kFirstVector; ++r)
        if (const Step& s = steps.before(addr)[r];
            s.kind == Step::Kind::kKnown && (s.base == kNoHome || steps.is_step(s.base)))
          registers |= RegisterSet{1} << r;
      return registers;
    };
    const auto is_unchanged = [&](uint64_t load) {
      const auto loads = loads_at(load);
      return !loads.empty() && std::all_of(loads.begin(), loads.end(), [&](const auto& a) {
        return reads_unchanged(loop, a.second.first, a.second.second);
      });
    };
    known->second = made_ahead(l, with_.values.insns(), {known_before, is_unchanged});
  }
  const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(c.object.id));
  return (known->second >> reg & 1) && std::all_of(c.rows.begin(), c.rows.end(), [&](uint32_t r) {
           return site(row(r).source).access == Site::kRegisters && row(r).distances.greatest == 1;
         });
}

// Whether two loads have bytes in common, as far as one execution of a superblock shows.
bool Classifier::overlap(const AccessId& a, const AccessId& b) const {
  if (a.first != b.first) return false;
  const auto accesses = with_.blocks.superblock(a.first).accesses;
  const Access &x = accesses[a.second], &y = accesses[b.second];
  return x.slot == y.slot && x.constant < y.constant + y.width && y.constant < x.constant + x.width;
}

// Whether what the register holds at the superblock's end was stored by it, or one before, as it is: then the source
// may read that in the next iteration.
bool Classifier::is_stored(LoopId loop, SuperblockId sb, uint8_t reg) const {
  for (const auto* registers : registers_at_end(loop, sb)) {
    const Value& held = (*registers)[reg];
    SuperblockId at = sb;
    for (uint8_t before = 0; at; ++before, at = with_.values.of(at).before) {
      const BlockValues& values = with_.values.of(at);
      for (const auto& [access, v] : values.stored) {
        if (!v.is_copy() || v.leaves[0].kind != held.leaves[0].kind) continue;
        const Leaf &x = v.leaves[0], &y = held.leaves[0];
        const bool same = x.kind == Leaf::Kind::kLoad
                              ? overlap(with_.values.origin(at, x.ref), with_.values.origin(sb, y.ref))
                              : before == 0 && x.ref == y.ref;
        if (same) return true;
      }
      if (before == ValueTable::kMostBefore) break;
    }
  }
  return false;
}

// Whether every iteration comes to the superblock's last instruction that writes the register.
bool Classifier::is_always_written(LoopId loop, SuperblockId id, uint8_t reg) const {
  const Superblock& sb = with_.blocks.superblock(id);
  const regions::Loop& l = with_.loops[loop];
  for (auto i = static_cast<uint32_t>(sb.insns.size()); i-- > 0;)
    if (const uint64_t addr = sb.insn_addr(i); l.has(addr) && (insn_at(l, addr).writes >> reg & 1))
      return is_once_an_iteration(loop, addr);
  return false;
}

// Whether the registers that it is made of are what inductions, or the loop's surroundings, make of them.
bool Classifier::are_steps(LoopId loop, const Leaf& l) {
  for (uint8_t r = 0; r < 32; ++r) {
    const bool is_part = (l.kind == Leaf::Kind::kEntry && l.ref == r) || (l.entries >> r & 1);
    if (is_part && writes(loop, r) && !steps(loop, r)) return false;
  }
  return true;
}

// The same, and what was loaded from a place that the loop does not change.
bool Classifier::follows_steps(LoopId loop, SuperblockId sb, const Leaf& l) {
  if (is_invariant(loop, sb, l)) return true;
  return l.kind != Leaf::Kind::kLoad && are_steps(loop, l) && (l.whole || l.loads.empty()) &&
         std::all_of(l.loads.begin(), l.loads.end(), [&](uint16_t a) { return is_invariant_load(loop, sb, a); });
}

bool Classifier::holds_unchanged(LoopId loop, SuperblockId sb, uint8_t reg, RegisterSet seen) {
  if (seen >> reg & 1) return false;  // they change places
  const auto ends = registers_at_end(loop, sb);
  return std::all_of(ends.begin(), ends.end(), [&](const auto* registers) {
    const Value& v = (*registers)[reg];
    if (!v.is_copy()) return false;
    const Leaf& l = v.leaves[0];
    if (l.kind == Leaf::Kind::kEntry)
      return l.ref != reg && holds_unchanged(loop, sb, static_cast<uint8_t>(l.ref), seen | RegisterSet{1} << reg);
    if (l.kind != Leaf::Kind::kLoad) return false;
    const auto [from, access] = with_.values.origin(sb, l.ref);
    const SuperblockId at = from;
    const auto& addresses = with_.values.of(at).address_of;
    const auto address = addresses.find(access);
    const auto is_told = [&](const Value& part) {
      return part.follows_from([&](const Leaf& leaf) { return follows_steps(loop, at, leaf); });
    };
    return reads_unchanged(loop, at, access) &&
           (address == addresses.end() || std::all_of(address->second.begin(), address->second.end(), is_told));
  });
}

// Whether all but its lowest byte stays as it was before the loop, and that is written anew by each iteration: what
// compilers make of a truth value.
bool Classifier::has_new_low_byte(LoopId loop, uint8_t reg) const {
  const regions::Loop& l = with_.loops[loop];
  if (liveness_of(loop).low_before(l.header.addr) >> reg & 1) return false;
  return std::all_of(l.body.begin(), l.body.end(), [&](uint64_t addr) {
    const MachineInsn& m = insn_at(l, addr);
    if (!m.known || (m.calls && !(regions::kKeptByCalls >> reg & 1))) return false;
    return !(m.writes >> reg & 1) || (m.low_writes >> reg & 1);
  });
}

bool Classifier::is_constant_made_anew(LoopId loop, uint8_t reg) const {
  const regions::Loop& l = with_.loops[loop];
  if (reg < regions::kFirstVector) return false;
  const FunctionCode& code = code_of(l);
  return holds_one_constant(l, with_.loops.graph_of({l.header.module, l.function}), with_.values.insns(), reg,
                            [&](uint64_t addr) { return !code.has_run(addr) || loads_invariant(loop, addr); });
}

void Classifier::classify_register(LoopId loop, Carrier& c) {
  c.carried_as = Class::kRecurrence;
  if (regions::register_of_chunk(static_cast<uint8_t>(c.object.id)) == regions::kNoRegister) return;
  const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(c.object.id));
  if (register_induction(loop, c) || steps_of(loop).is_step_of_chunk(static_cast<uint8_t>(c.object.id)))
    c.carried_as = Class::kInduction;
  else if (register_reduction(loop, c) || straight_reduction(loop, c) || folded_reduction(loop, c) ||
           register_truth(loop, c))
    c.carried_as = Class::kReduction;
  else if (register_traversal(loop, c) || walks(loop, reg, 0) || is_walked(loop, reg))
    c.carried_as = Class::kTraversal;
  else if (is_constant_made_anew(loop, reg))
    c.carried_as = Class::kInduction;
  else if (c.operation == Operation::kMoveIf && !is_compared(with_.loops[loop], reg))
    c.carried_as = Class::kLastprivate, c.conditional = true;
  else if (is_reloadable(loop, c) || has_new_low_byte(loop, reg))
    c.carried_as = Class::kPrivate;
  else if (is_made_ahead(loop, c))
    c.carried_as = Class::kPrivate, c.made_ahead = true;
}

}  // namespace cdr::advise
