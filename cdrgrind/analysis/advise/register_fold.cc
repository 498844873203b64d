// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/register_fold.h"

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
  while (!open.empty()) {
    const uint64_t addr = open.back();
    open.pop_back();
    State now = before[addr];
    if (!pass(insns_.at({loop_.header.module, addr}), now)) return std::nullopt;
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
bool RegisterFold::pass(const MachineInsn& m, State& s) {
  const RegisterSet held = s.hold | s.may_hold;
  if (!m.known || (m.calls && held)) return false;
  const RegisterSet read = m.reads & held;
  if (read & s.may_hold) return false;
  if (read) return fold(m, s, read);
  if (!m.whole && (m.writes & held)) return false;
  s.hold &= ~m.writes;
  s.may_hold &= ~m.writes;
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
  if (count != 1 || (!is_target && !from_other) || !note(m)) return false;
  s.hold |= bit_of(to.reg);
  s.may_hold &= ~bit_of(to.reg);
  return true;
}

bool RegisterFold::note(const MachineInsn& m) {
  const Operation o = m.operation == Operation::kSub ? Operation::kAdd : m.operation;
  if (o < Operation::kAdd || o > Operation::kMax) return false;
  if (found_.operation != Operation::kOther && (found_.operation != o || element_ != m.element)) return false;
  found_.operation = o;
  element_ = m.element;
  found_.floating |= m.floating;
  return true;
}

}  // namespace cdr::advise
