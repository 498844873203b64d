// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/register_fold.h"

#include <algorithm>

namespace cdr::advise {

using regions::kNoRegister;
using regions::MachineInsn;
using regions::Operand;
using regions::Operation;
using regions::RegisterSet;

namespace {

RegisterSet bit_of(uint8_t reg) { return reg < 32 ? RegisterSet{1} << reg : 0; }
bool is_register(const Operand& o) { return o.kind == Operand::Kind::kRegister; }

// Which operand comes first makes no difference.
bool commutes(Operation o) { return o >= Operation::kAdd && o <= Operation::kMax && o != Operation::kSub; }

}  // namespace

void RegisterFold::State::join(const State& other) {
  may_hold |= other.may_hold | (hold ^ other.hold);
  hold &= other.hold;
}

std::optional<RegisterFold::Found> RegisterFold::of(uint8_t reg) {
  const uint64_t header = loop_.header.addr;
  std::unordered_map<uint64_t, State> before;
  before[header] = {bit_of(reg), 0};
  std::vector<uint64_t> open = {header}, last;
  std::optional<State> end;
  found_ = {};
  choices_.clear();
  while (!open.empty()) {
    const uint64_t addr = open.back();
    open.pop_back();
    State now = before[addr];
    if (!pass(addr, now)) return std::nullopt;
    for (const uint64_t next : loop_.successors(addr)) {
      if (next == header) {
        end ? end->join(now) : void(end = now);
        last.push_back(addr);
        continue;
      }
      const auto [known, is_new] = before.try_emplace(next, now);
      State joined = known->second;
      joined.join(now);
      if (!is_new && joined == known->second) continue;
      known->second = joined;
      open.push_back(next);
    }
  }
  if (!end || !(end->hold & bit_of(reg)) || found_.operation == Operation::kOther) return std::nullopt;
  const Liveness live(loop_, calls_, insns_);
  for (const uint64_t addr : last)
    if ((end->hold | end->may_hold) & ~bit_of(reg) & live.behind(addr)) return std::nullopt;
  return found_;
}

// What the instruction does to those that hold the value. False if it does something else with the value.
bool RegisterFold::pass(uint64_t addr, State& s) {
  const MachineInsn& m = insn_at(addr);
  const RegisterSet held = s.hold | s.may_hold;
  if (choices_.contains(addr)) return true;
  if (!m.known) return false;
  if (m.calls && held) return call(addr, s);
  const RegisterSet read = m.reads & held;
  if (read & s.may_hold) return false;
  if (read && m.operation == Operation::kCompare) return chooses(addr, s);
  if (read) return fold(m, s, read);
  if (!m.whole && (m.writes & held)) return false;
  s.hold &= ~m.writes;
  s.may_hold &= ~m.writes;
  return true;
}

// Whether what is called makes of the value and its other argument the greater, or the less, or does not see it.
bool RegisterFold::call(uint64_t addr, State& s) {
  constexpr RegisterSet kResult = RegisterSet{1} << regions::kFirstVector, kArguments = kResult | kResult << 1;
  const RegisterSet handed = s.hold & kArguments;
  const bool is_seen = (s.hold | s.may_hold) & (calls_.arguments_at(addr) | kArguments);
  if (is_seen) {
    const regions::Choice choice = returns_.choice(addr);
    if (choice.by_reference || handed == 0 || handed == kArguments || (s.may_hold & kArguments)) return false;
    if (!note(choice.operation, 0, true)) return false;
  }
  s.hold = (s.hold & regions::kKeptByCalls) | (is_seen ? kResult : 0);
  s.may_hold &= regions::kKeptByCalls;
  return true;
}

bool RegisterFold::fold(const MachineInsn& m, State& s, RegisterSet read) {
  const Operand& to = m.operands[0];
  const bool is_one = (read & (read - 1)) == 0;
  if (!is_one || !is_register(to) || to.reg >= 32 || !m.whole || (m.writes & ~bit_of(to.reg))) return false;
  if (m.copies) {
    s.hold |= bit_of(to.reg);
    s.may_hold &= ~bit_of(to.reg);
    return true;
  }
  // The operand that is the value, once, and not an address of one.
  uint8_t count = 0;
  for (uint8_t i = 0; i < m.operand_count; ++i) {
    if (!(m.operands[i].registers() & read) || (i == 0 && m.operand_count == 3 && !m.fused)) continue;
    if (!is_register(m.operands[i])) return false;
    ++count;
  }
  const bool is_target = m.updates(to.reg) && (read & bit_of(to.reg));
  const bool from_other = commutes(m.operation) && !m.fused && (m.operand_count == 3 || !(read & bit_of(to.reg)));
  if (count != 1 || (!is_target && !from_other) || to.reg < regions::kFirstVector) return false;
  if (!note(m.operation == Operation::kSub ? Operation::kAdd : m.operation, m.element, m.floating)) return false;
  s.hold |= bit_of(to.reg);
  s.may_hold &= ~bit_of(to.reg);
  return true;
}

// Whether what is compared with the value takes its place if it is greater, or if it is less, and nothing else follows
// from the comparison.
bool RegisterFold::chooses(uint64_t compare, const State& s) {
  const MachineInsn& m = insn_at(compare);
  const auto is_held = [&](const Operand& o) { return is_register(o) && (s.hold & bit_of(o.reg)); };
  const bool left = is_held(m.operands[0]);
  if (m.operand_count != 2 || left == is_held(m.operands[1])) return false;
  const Operand& value = m.operands[left ? 0 : 1];
  const Operand& with = m.operands[left ? 1 : 0];
  if (with.registers() & (s.hold | s.may_hold) || with.kind == Operand::Kind::kImmediate) return false;
  const auto& then = loop_.successors(compare);
  if (then.size() != 1 || insn_at(then[0]).jumps_if == 0) return false;
  const uint64_t jump = then[0];
  if (flag_readers(loop_, compare, insns_) != std::vector{jump}) return false;
  const auto& ways = loop_.successors(jump);
  if (ways.size() != 2) return false;
  const auto behind = std::upper_bound(loop_.body.begin(), loop_.body.end(), jump);
  for (size_t i = 0; i < 2; ++i) {
    const uint64_t way = ways[i];
    if (!is_around(way, ways[1 - i], value.reg, with)) continue;
    const bool falls_through = behind != loop_.body.end() && *behind == way;
    const bool left_is_greater = (insn_at(jump).jumps_if > 0) != falls_through;
    choices_.insert(way);
    return note(left_is_greater == left ? Operation::kMin : Operation::kMax, m.element, m.floating);
  }
  return false;
}

// Whether the way is nothing but that move, and then the other one.
bool RegisterFold::is_around(uint64_t way, uint64_t other, uint8_t held, const Operand& with) const {
  const MachineInsn& m = insn_at(way);
  const bool moves = m.operation == Operation::kMove && m.whole && m.operand_count == 2 && is_register(m.operands[0]) &&
                     m.operands[0].reg == held && m.operands[1] == with && (m.copies || !is_register(with));
  size_t before = 0;
  for (const auto& next : loop_.next) before += static_cast<size_t>(std::count(next.begin(), next.end(), way));
  if (!moves || before != 1) return false;
  const auto is_way_on = [&](uint64_t addr) { return loop_.successors(addr).size() == 1; };
  uint64_t at = way;
  for (int jumps = 0; jumps < 2 && is_way_on(at); ++jumps) {
    at = loop_.successors(at)[0];
    if (at == other) return true;
    if (insn_at(at).reads || insn_at(at).writes || insn_at(at).writes_flags) return false;
  }
  return false;
}

bool RegisterFold::note(Operation o, uint8_t element, bool floating) {
  if (o < Operation::kAdd || o > Operation::kMax) return false;
  if (found_.operation != Operation::kOther && (found_.operation != o || element_ != element)) return false;
  found_.operation = o;
  element_ = element;
  found_.floating |= floating;
  return true;
}

}  // namespace cdr::advise
