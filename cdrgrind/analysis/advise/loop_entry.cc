// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/loop_entry.h"

#include <algorithm>

#include "cdrgrind/analysis/advise/insn_steps.h"

namespace cdr::advise {

using regions::kFirstVector;
using regions::MachineInsn;
using regions::Operand;
using regions::Operation;
using regions::RegisterSet;

namespace {

constexpr size_t kLongestWay = 256;  // instructions

bool is_load(const MachineInsn& m) {
  return m.known && m.operation == Operation::kMove && m.operand_count == 2 && m.whole &&
         m.operands[0].kind == Operand::Kind::kRegister && m.operands[0].reg < kFirstVector &&
         m.operands[1].kind == Operand::Kind::kMemory && m.operands[1].reg != regions::kRegisterRsp;
}

}  // namespace

LoopEntry::LoopEntry(const regions::Loop& loop, const slice::InsnGraph& function, regions::InsnTable& insns) {
  for (Symbol& s : registers_) s = ++symbols_;
  for (const uint64_t addr : way_to(loop, function)) execute(insns.at({loop.header.module, addr}));
}

// Instructions that come one after the other, up to the loop's header; none if there are several ways into the loop.
std::vector<uint64_t> LoopEntry::way_to(const regions::Loop& loop, const slice::InsnGraph& function) {
  const uint32_t header = function.node_of(loop.header.addr);
  if (header == 0) return {};
  constexpr uint32_t kNone = 0, kSeveral = ~uint32_t{0};
  std::vector<uint32_t> before(function.addrs.size(), kNone);
  for (uint32_t n = 1; n < function.addrs.size(); ++n)
    for (const uint32_t s : function.graph.successors(n)) {
      if (function.addrs[s] == loop.header.addr && loop.has(function.addrs[n])) continue;
      before[s] = before[s] == kNone ? n : kSeveral;
    }
  std::vector<uint64_t> way;
  for (uint32_t n = before[header]; n != kNone && n != kSeveral && way.size() < kLongestWay; n = before[n])
    way.push_back(function.addrs[n]);
  std::reverse(way.begin(), way.end());
  return way;
}

LoopEntry::Symbol LoopEntry::of(uint8_t reg) const { return reg < kFirstVector ? registers_[reg] : 0; }

// The same as before, if it was loaded from there before and nothing may have been stored since.
LoopEntry::Symbol LoopEntry::loaded(const MachineInsn& m) {
  const Operand& from = m.operands[1];
  const Load load{from, m.number, stores_, of(from.reg), of(from.index)};
  for (const auto& [symbol, known] : loads_)
    if (known == load) return symbol;
  loads_[++symbols_] = load;
  return symbols_;
}

void LoopEntry::execute(const MachineInsn& m) {
  const auto target = m.operands[0].kind == Operand::Kind::kRegister ? m.operands[0].reg : regions::kNoRegister;
  Symbol value = 0;
  if (is_load(m)) {
    value = loaded(m);
  } else if (m.copies && m.operands[1].kind == Operand::Kind::kRegister) {
    value = of(m.operands[1].reg);
  }
  for (uint8_t r = 0; r < kFirstVector; ++r)
    if (!m.known || (m.writes >> r & 1) || (m.calls && !(regions::kKeptByCalls >> r & 1)))
      registers_[r] = r == target && value ? value : ++symbols_;
  stores_ += !m.known || m.calls || m.may_store();
}

std::optional<uint64_t> LoopEntry::amount_of(Symbol s, RegisterSet constant) const {
  if (s == 0) return 0;
  for (uint8_t r = 0; r < kFirstVector; ++r)
    if ((constant >> r & 1) && registers_[r] == s) return InsnSteps::constant_amount(r);
  const auto load = loads_.find(s);
  if (load == loads_.end() || load->second.stores != stores_) return std::nullopt;
  const auto base = amount_of(load->second.base, constant), index = amount_of(load->second.index, constant);
  if (!base || !index) return std::nullopt;
  return InsnSteps::loaded_amount(load->second.from, load->second.insn, *base, *index);
}

std::optional<uint64_t> LoopEntry::loaded_amount(uint8_t reg, RegisterSet constant) const {
  return loads_.contains(of(reg)) ? amount_of(of(reg), constant) : std::nullopt;
}

}  // namespace cdr::advise
