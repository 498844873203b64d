// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/constant_register.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace cdr::advise {

using regions::MachineInsn;
using regions::Operand;
using regions::Operation;

namespace {

constexpr size_t kMostLooks = 4096;

// From what the register is when the header is come to, back to where that was loaded.
class ConstantSearch {
 public:
  ConstantSearch(const regions::Loop& loop, const slice::InsnGraph& function, regions::InsnTable& insns,
                 const std::function<bool(uint64_t)>& is_same)
      : loop_(loop), function_(function), insns_(insns), is_same_(is_same), before_(function.graph.predecessors()) {}

  bool finds_one(uint8_t reg) {
    header_ = function_.node_of(loop_.header.addr);
    reg_ = reg;
    if (header_ == 0 || !go_on(header_, reg)) return false;
    while (!open_.empty()) {
      const auto [node, wanted] = open_.back();
      open_.pop_back();
      if (seen_.size() > kMostLooks || !look(node, wanted)) return false;
    }
    return place_.has_value();
  }

 private:
  // Ways that nothing leads to begin at the function's entry, with what is not known.
  bool go_on(uint32_t node, uint8_t reg) {
    for (const uint32_t b : before_[node])
      if (seen_.insert({b, reg}).second) open_.emplace_back(b, reg);
    return !before_[node].empty();
  }

  bool look(uint32_t node, uint8_t reg) {
    const uint64_t addr = function_.addrs[node];
    const MachineInsn& m = insns_.at({loop_.header.module, addr});
    if (!m.known || node == 0) return false;
    const bool is_within = loop_.has(addr);
    if (m.calls && (reg >= regions::kFirstVector || !(regions::kKeptByCalls >> reg & 1))) return false;
    if (!(m.writes >> reg & 1)) {
      if (!is_within && (m.calls || m.may_store())) return false;
      // What the header has is what is looked for already.
      if (node == header_ && reg == reg_) return true;
      return node != header_ && go_on(node, reg);
    }
    if (m.clears && m.operands[0].reg == reg) return is_place({0, 0});
    if (m.operation != Operation::kMove || m.operand_count != 2 || m.operands[0].reg != reg) return false;
    const Operand& from = m.operands[1];
    if (from.kind == Operand::Kind::kRegister) return node != header_ && from.reg < 32 && go_on(node, from.reg);
    if (from.kind != Operand::Kind::kMemory || !from.relative || (is_within && !is_same_(addr))) return false;
    return is_place({from.number, from.bytes});
  }

  // Whether it is the only one.
  bool is_place(const std::pair<int64_t, uint8_t>& place) {
    if (!place_) place_ = place;
    return place_ == place;
  }

  const regions::Loop& loop_;
  const slice::InsnGraph& function_;
  regions::InsnTable& insns_;
  const std::function<bool(uint64_t)>& is_same_;
  std::vector<std::vector<uint32_t>> before_;
  std::set<std::pair<uint32_t, uint8_t>> seen_;
  std::vector<std::pair<uint32_t, uint8_t>> open_;
  std::optional<std::pair<int64_t, uint8_t>> place_;  // and its bytes; of no bytes: it was cleared
  uint32_t header_ = 0;
  uint8_t reg_ = 0;
};

}  // namespace

bool holds_one_constant(const regions::Loop& loop, const slice::InsnGraph& function, regions::InsnTable& insns,
                        uint8_t reg, const std::function<bool(uint64_t addr)>& is_same) {
  if (loop.is_threaded() || loop.irregular) return false;
  return ConstantSearch(loop, function, insns, is_same).finds_one(reg);
}

}  // namespace cdr::advise
