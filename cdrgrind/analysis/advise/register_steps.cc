// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/register_steps.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cdrgrind/base/checksum.h"

namespace cdr::advise {

using regions::kFirstVector;
using regions::MachineInsn;
using regions::Operand;
using regions::Operation;

namespace {

constexpr Step kUnknownStep{Step::Kind::kUnknown, regions::kNoRegister, 0};

Step number(int64_t n) { return {Step::Kind::kKnown, regions::kNoRegister, static_cast<uint64_t>(n)}; }

// General registers that a call may change: rax, rcx, rdx, rsi, rdi, r8 to r11.
constexpr regions::RegisterSet kChangedByCalls =
    ~regions::kKeptByCalls & ((regions::RegisterSet{1} << kFirstVector) - 1);
static_assert(kChangedByCalls == 0xfc7);

}  // namespace

RegisterSteps::RegisterSteps(const regions::Loop& loop, regions::InsnTable& insns, WalkOfCall walk_of_call, Kept kept)
    : loop_(loop), insns_(insns), walk_of_call_(std::move(walk_of_call)), kept_(std::move(kept)) {
  for (const uint64_t addr : loop.body) {
    const MachineInsn& m = insns.at({loop.header.module, addr});
    written_ |= m.known ? m.writes : ~regions::RegisterSet{0};
    if (m.calls) written_ |= kChangedByCalls;
    const auto names_frame = [&](const Operand& o) {
      const bool by_rsp = o.kind == Operand::Kind::kMemory && o.reg == regions::kRegisterRsp;
      return by_rsp && (o.index != regions::kNoRegister || m.operation == Operation::kAddress);
    };
    has_slots_ &= m.known && !m.moves_stack && std::none_of(m.operands.begin(), m.operands.end(), names_frame);
  }
  run();
}

// Ways on which two registers are equal are gone last, when all else is known of these.
void RegisterSteps::run() {
  Steps& first = before_[loop_.header.addr];
  for (uint8_t r = 0; r < kFirstVector; ++r) first[r] = {Step::Kind::kKnown, r, 0};
  std::vector<uint64_t> open = {loop_.header.addr}, late;
  while (!open.empty() || !late.empty()) {
    const bool equal = open.empty();
    auto& from = equal ? late : open;
    const uint64_t addr = from.back();
    from.pop_back();
    const State now = behind(addr, {before_[addr], slots_[addr], compared_[addr]});
    for (const uint64_t next : loop_.successors(addr)) {
      if (!is_equal_way(addr, next, now))
        go(next, now, open);
      else if (!equal)
        late.push_back(addr);
      else
        go_equal(next, now, open);
    }
  }
}

bool RegisterSteps::is_equal_way(uint64_t addr, uint64_t next, const State& s) const {
  const MachineInsn& m = insns_.at({loop_.header.module, addr});
  return m.equal_target != 0 && (next == m.equal_target) == m.jumps_if_equal && s.compared.left < kFirstVector &&
         s.compared.right < kFirstVector;
}

// What is known of one of the two is known of the other.
void RegisterSteps::go_equal(uint64_t next, State s, std::vector<uint64_t>& open) {
  Step& a = s.steps[s.compared.left];
  Step& b = s.steps[s.compared.right];
  if (a.kind == Step::Kind::kUnknown)
    a = b;
  else if (b.kind == Step::Kind::kUnknown)
    b = a;
  go(next, s, open);
}

void RegisterSteps::go(uint64_t next, const State& s, std::vector<uint64_t>& open) {
  if (next == loop_.header.addr) return void(join(end_, s.steps));
  const auto [known, is_new] = before_.try_emplace(next);
  Slots& slots = slots_[next];
  if (is_new) slots = s.slots;
  const bool steps_change = join(known->second, s.steps), slots_change = join(slots, s.slots);
  if (!steps_change && !slots_change && !is_new) return;
  Compared& compared = compared_[next];
  compared = is_new || compared == s.compared ? s.compared : Compared();
  open.push_back(next);
}

bool RegisterSteps::join(Steps& to, const Steps& from) {
  bool changes = false;
  for (uint8_t r = 0; r < kFirstVector; ++r) {
    if (to[r] == from[r] || from[r].kind == Step::Kind::kUnseen) continue;
    const Step joined = to[r].kind == Step::Kind::kUnseen ? from[r] : kUnknownStep;
    if (joined == to[r]) continue;
    to[r] = joined;
    changes = true;
  }
  return changes;
}

// What is not known of both is known of none.
bool RegisterSteps::join(Slots& to, const Slots& from) {
  return std::erase_if(to, [&](const auto& slot) {
           const auto other = from.find(slot.first);
           return other == from.end() || !(other->second == slot.second);
         }) > 0;
}

bool RegisterSteps::is_slot(const Operand& o) const {
  return has_slots_ && o.kind == Operand::Kind::kMemory && o.reg == regions::kRegisterRsp;
}

void RegisterSteps::store(State& s, const MachineInsn& m, const State& before) const {
  const Operand& to = m.operands[0];
  std::erase_if(s.slots, [&](const auto& slot) {
    return slot.first.first < to.number + to.bytes && to.number < slot.first.first + slot.first.second;
  });
  if (m.operation != Operation::kMove || m.operand_count != 2) return;
  const Step v = value(before, m.operands[1]);
  if (v.kind == Step::Kind::kKnown || v.kind == Step::Kind::kWalked) s.slots[{to.number, to.bytes}] = v;
}

Step RegisterSteps::value(const State& s, const Operand& o) const {
  if (o.kind == Operand::Kind::kImmediate) return number(o.number);
  if (is_slot(o)) {
    const auto slot = s.slots.find({o.number, o.bytes});
    return slot == s.slots.end() ? kUnknownStep : slot->second;
  }
  if (o.kind != Operand::Kind::kRegister || o.reg >= kFirstVector) return kUnknownStep;
  // What the loop does not write is an amount of its own.
  if (is_constant(o.reg)) return {Step::Kind::kKnown, regions::kNoRegister, mix64(0x5eed + o.reg)};
  return s.steps[o.reg];
}

Step RegisterSteps::sum(const State& s, const Operand& a, const Operand& b, bool minus) const {
  const Step x = value(s, a), y = value(s, b);
  if (x.kind != Step::Kind::kKnown || y.kind != Step::Kind::kKnown) return kUnknownStep;
  if (y.base != regions::kNoRegister && (minus || x.base != regions::kNoRegister)) return kUnknownStep;
  return {Step::Kind::kKnown, x.base != regions::kNoRegister ? x.base : y.base,
          minus ? x.amount - y.amount : x.amount + y.amount};
}

Step RegisterSteps::address(const State& s, const Operand& o) const {
  if (o.relative) return number(o.number);
  Operand base, index;
  base.kind = index.kind = Operand::Kind::kRegister;
  base.reg = o.reg;
  index.reg = o.index;
  Step v = o.reg == regions::kNoRegister ? number(0) : value(s, base);
  if (o.index != regions::kNoRegister) {
    Step i = value(s, index);
    if (i.kind != Step::Kind::kKnown || v.kind != Step::Kind::kKnown) return kUnknownStep;
    if (i.base != regions::kNoRegister && (v.base != regions::kNoRegister || o.scale != 1)) return kUnknownStep;
    v = {Step::Kind::kKnown, v.base != regions::kNoRegister ? v.base : i.base, v.amount + o.scale * i.amount};
  }
  v.amount += static_cast<uint64_t>(o.number);
  return v;
}

Step RegisterSteps::next_place(const Step& from, regions::Walk by) {
  const bool is_old = from.kind == Step::Kind::kKnown && from.base != regions::kNoRegister && from.amount == 0;
  if (by == regions::Walk::kNone || (!is_old && from.kind != Step::Kind::kWalked)) return kUnknownStep;
  return {Step::Kind::kWalked, from.base, mix64(from.amount + static_cast<uint64_t>(by))};
}

void RegisterSteps::call(State& s, uint64_t addr) const {
  const Step result = next_place(s.steps[regions::kRegisterRdi], walk_of_call_(addr));
  regions::RegisterSet changed = kChangedByCalls;
  for (const uint64_t next : loop_.successors(addr))
    if (const auto kept = kept_.find(next); kept != kept_.end()) changed &= ~kept->second;
  for (uint8_t r = 0; r < kFirstVector; ++r)
    if (changed >> r & 1) s.steps[r] = kUnknownStep;
  s.steps[regions::kRegisterRax] = result;
}

RegisterSteps::State RegisterSteps::behind(uint64_t addr, const State& before) const {
  State s = before;
  const MachineInsn& m = insns_.at({loop_.header.module, addr});
  if (!m.known) {
    s.steps.fill(kUnknownStep);
    s.slots.clear();
    return s;
  }
  const Operand& target = m.operands[0];
  if (is_slot(target) && m.operation != Operation::kCompare) store(s, m, before);
  Step v = kUnknownStep;
  if (m.operation == Operation::kMove && m.operand_count == 2 && m.whole)
    v = value(before, m.operands[1]);
  else if (m.operation == Operation::kAddress)
    v = address(before, m.operands[1]);
  else if ((m.operation == Operation::kAdd || m.operation == Operation::kSub) && m.operand_count == 2)
    v = sum(before, target, m.operands[1], m.operation == Operation::kSub);
  else if (m.clears)
    v = number(0);
  for (uint8_t r = 0; r < kFirstVector; ++r)
    if (m.writes >> r & 1) s.steps[r] = target.kind == Operand::Kind::kRegister && target.reg == r ? v : kUnknownStep;
  if (m.calls) call(s, addr);
  if (m.operation == Operation::kCompare && m.equals) {
    s.compared = {target.kind == Operand::Kind::kRegister ? target.reg : regions::kNoRegister,
                  m.operands[1].kind == Operand::Kind::kRegister ? m.operands[1].reg : regions::kNoRegister};
  } else if (s.compared.left < 32 && ((m.writes >> s.compared.left | m.writes >> (s.compared.right & 31)) & 1)) {
    s.compared = {};
  } else if (m.writes_flags) {
    s.compared = {};
  }
  return s;
}

}  // namespace cdr::advise
