// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/made_ahead.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/slice/control_dependence.h"

namespace cdr::advise {

using regions::MachineInsn;
using regions::Operand;
using regions::Operation;
using regions::RegisterSet;

namespace {

constexpr size_t kLongestEnd = 2000;  // instructions; the work is by their square

class LoopEnd {
 public:
  LoopEnd(const regions::Loop& loop, regions::InsnTable& insns, const AheadFacts& facts)
      : loop_(loop), insns_(insns), facts_(facts) {}

  RegisterSet made() {
    if (loop_.weak || loop_.irregular || loop_.is_threaded() || !find_end() || !only_fills_registers()) return 0;
    find_branches();
    in_.assign(addrs_.size() + 1, {});
    in_[0] = {~facts_.known_before(addrs_[0]), true};
    while (go_over()) {
    }
    return filled_ & ~in_[addrs_.size()].registers;
  }

 private:
  using Node = uint32_t;  // instructions of the end, the first one first; behind them the next iteration
  // What follows from something else, or may.
  struct Others {
    RegisterSet registers = 0;
    bool flags = false;
    bool join(const Others& o) {
      const Others before = *this;
      registers |= o.registers;
      flags |= o.flags;
      return registers != before.registers || flags != before.flags;
    }
  };

  const MachineInsn& insn(uint64_t addr) { return insns_.at({loop_.header.module, addr}); }

  // From where no way out is come to without another iteration; whether it has one beginning, and all of an iteration
  // leads there.
  bool find_end() {
    std::unordered_map<uint64_t, std::vector<uint64_t>> before;
    for (const uint64_t addr : loop_.body)
      for (const uint64_t next : loop_.successors(addr)) before[next].push_back(addr);
    std::unordered_map<uint64_t, bool> leads_out;
    std::vector<uint64_t> open = loop_.exits_at;
    open.insert(open.end(), loop_.ends_at.begin(), loop_.ends_at.end());
    while (!open.empty()) {
      const uint64_t addr = open.back();
      open.pop_back();
      if (!loop_.has(addr) || !leads_out.emplace(addr, true).second || addr == loop_.header.addr) continue;
      const auto& from = before[addr];
      open.insert(open.end(), from.begin(), from.end());
    }
    if (!leads_out.contains(loop_.header.addr)) return false;
    for (const uint64_t addr : before[loop_.header.addr])
      if (leads_out.contains(addr)) return false;
    for (const uint64_t addr : loop_.body)
      if (!leads_out.contains(addr)) addrs_.push_back(addr);
    const auto is_begin = [&](uint64_t addr) {
      const auto& from = before[addr];
      return std::any_of(from.begin(), from.end(), [&](uint64_t b) { return leads_out.contains(b); });
    };
    if (addrs_.empty() || addrs_.size() > kLongestEnd) return false;
    if (std::count_if(addrs_.begin(), addrs_.end(), is_begin) != 1) return false;
    std::iter_swap(addrs_.begin(), std::find_if(addrs_.begin(), addrs_.end(), is_begin));
    std::unordered_map<uint64_t, Node> node_of;
    for (const uint64_t addr : addrs_) node_of.emplace(addr, static_cast<Node>(node_of.size()));
    node_of[loop_.header.addr] = static_cast<Node>(addrs_.size());
    for (const uint64_t addr : addrs_) {
      auto& next = next_.emplace_back();
      for (const uint64_t to : loop_.successors(addr)) next.push_back(node_of.at(to));
    }
    return true;
  }

  bool only_fills_registers() {
    return std::all_of(addrs_.begin(), addrs_.end(), [&](uint64_t addr) {
      const MachineInsn& m = insn(addr);
      filled_ |= m.writes;
      return m.known && !m.calls && !m.moves_stack && !m.may_store();
    });
  }

  // A branch chooses what is done up to the first place that all ways from it come to.
  void find_branches() {
    const auto last = static_cast<Node>(addrs_.size());
    const auto graph_node = [&](Node n) { return n == last ? 0 : n + 1; };
    const std::vector<uint32_t> all_come_to = slice::FlowGraph::of_places(next_).immediate_postdominators();
    chosen_.resize(last);
    for (Node n = 0; n < last; ++n) {
      if (next_[n].size() < 2) continue;
      std::vector<bool> seen(last + 1);
      for (std::vector<Node> open = next_[n]; !open.empty();) {
        const Node at = open.back();
        open.pop_back();
        if (at == last || seen[at] || graph_node(at) == all_come_to[graph_node(n)]) continue;
        seen[at] = true;
        chosen_[n].push_back(at);
        open.insert(open.end(), next_[at].begin(), next_[at].end());
      }
    }
    by_others_.assign(last, false);
  }

  // Whether that has changed anything.
  bool go_over() {
    bool changes = false;
    for (Node n = 0; n < addrs_.size(); ++n) {
      const MachineInsn& m = insn(addrs_[n]);
      if (!chosen_[n].empty() && (in_[n].flags || (in_[n].registers & m.reads)))
        for (const Node at : chosen_[n]) by_others_[at] = true;
      const Others out = behind(n, m);
      for (const Node next : next_[n]) changes |= in_[next].join(out);
    }
    return changes;
  }

  Others behind(Node n, const MachineInsn& m) {
    Others s = in_[n];
    const bool follows = by_others_[n] || (m.reads & s.registers) || (m.reads_flags && s.flags) ||
                         (loads(m) && !facts_.loads_unchanged(addrs_[n])) || is_of_machine(m) ||
                         (!is_whole(m) && (m.writes & s.registers));
    s.registers = follows ? s.registers | m.writes : s.registers & ~m.writes;
    if (m.writes_flags) s.flags = follows || (s.flags && !sets_all_flags(m));
    return s;
  }

  static bool loads(const MachineInsn& m) {
    for (uint8_t i = 0; i < m.operand_count; ++i)
      if (m.operands[i].kind == Operand::Kind::kMemory && m.operation != Operation::kAddress &&
          (i > 0 || m.operation != Operation::kMove))
        return true;
    return false;
  }
  // Of nothing that is named: the time, a random number, the unit of another kind of numbers.
  static bool is_of_machine(const MachineInsn& m) {
    if (m.operation != Operation::kOther || m.writes == 0 || m.clears) return false;
    return m.operand_count == 0 || (m.reads == 0 && !m.reads_flags);
  }
  // Whether nothing is left of what was in the register.
  static bool is_whole(const MachineInsn& m) {
    if (m.clears) return true;
    const Operand& to = m.operands[0];
    if (to.kind != Operand::Kind::kRegister || to.reg < regions::kFirstVector || to.reg >= 32) return m.whole;
    return m.copies || m.moves > 0 || (m.operation != Operation::kMove && m.operand_count == 3);
  }
  static bool sets_all_flags(const MachineInsn& m) {
    switch (m.operation) {
      case Operation::kCompare:
      case Operation::kAnd:
      case Operation::kOr:
      case Operation::kXor:
        return true;
      case Operation::kAdd:
      case Operation::kSub:  // inc and dec leave one
        return m.operands[1].kind != Operand::Kind::kImmediate || m.operands[1].bytes == 0;
      default:
        return m.clears;
    }
  }

  const regions::Loop& loop_;
  regions::InsnTable& insns_;
  const AheadFacts& facts_;
  std::vector<uint64_t> addrs_;  // by node
  std::vector<std::vector<Node>> next_;
  std::vector<std::vector<Node>> chosen_;  // by branch: what it decides
  std::vector<bool> by_others_;            // by node: whether it is executed follows from something else
  std::vector<Others> in_;
  RegisterSet filled_ = 0;
};

}  // namespace

RegisterSet made_ahead(const regions::Loop& loop, regions::InsnTable& insns, const AheadFacts& facts) {
  return LoopEnd(loop, insns, facts).made();
}

}  // namespace cdr::advise
