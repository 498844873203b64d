// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/liveness.h"

#include <unordered_set>

#include "cdrgrind/analysis/regions/register_flow.h"

namespace cdr::advise {

using regions::MachineInsn;
using regions::RegisterSet;

namespace {

constexpr RegisterSet kAll = ~RegisterSet{0};

}  // namespace

CallRegisters::CallRegisters(const regions::Contexts& contexts, regions::LibraryNames& names) {
  // Also what only finds the function that is called.
  const auto is_seen_whole = [&](const regions::Context& c) {
    return !c.library || names.state_of(c.function) == regions::LibraryState::kOwn || !names.choice_of(c.function);
  };
  std::vector<RegisterSet> results(contexts.size());
  for (regions::ContextIndex c = 1; c < contexts.size(); ++c) {
    const regions::Context& context = contexts[c];
    arguments_[context.site] |= is_seen_whole(context) ? context.arguments : regions::kArgumentRegisters;
    results_at_[context.site] |= context.results;
    // Those above come first.
    results[c] = context.results | (context.passed_on & results[context.parent]);
    results_[context.function.addr] |= results[c];
  }
}

RegisterSet CallRegisters::arguments_at(uint64_t call) const {
  const auto a = arguments_.find(call);
  return a == arguments_.end() ? regions::kArgumentRegisters : a->second;
}

RegisterSet CallRegisters::results_at(uint64_t call) const {
  const auto r = results_at_.find(call);
  return r == results_at_.end() ? kAll : r->second;
}

RegisterSet CallRegisters::results_of(uint64_t function) const {
  const auto r = results_.find(function);
  return r == results_.end() ? kAll : r->second;
}

Liveness::Liveness(const regions::Loop& loop, const CallRegisters& calls, regions::InsnTable& insns) {
  for (size_t i = 0; i < loop.body.size(); ++i) insns_[loop.body[i]].next = loop.next[i];
  solve(loop.header.module, 0, calls, insns);
}

Liveness::Liveness(CodeAddr entry, const slice::InsnGraph& graph, const CallRegisters& calls,
                   regions::InsnTable& insns) {
  for (uint32_t n = 1; n < graph.graph.size(); ++n) {
    auto& next = insns_[graph.addrs[n]].next;
    for (const uint32_t s : graph.graph.successors(n))
      if (s != 0) next.push_back(graph.addrs[s]);
  }
  solve(entry.module, calls.results_of(entry.addr), calls, insns);
}

void Liveness::solve(ModuleId module, RegisterSet at_return, const CallRegisters& calls, regions::InsnTable& insns) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [addr, insn] : insns_) {
      const MachineInsn& m = insns.at({module, addr});
      RegisterSet after = insn.next.empty() ? at_return : 0, low_after = after;
      for (const uint64_t n : insn.next)
        if (const auto to = insns_.find(n); to != insns_.end()) {
          after |= to->second.before;
          low_after |= to->second.low_before;
        }
      if (m.calls) {
        after = (after & regions::kKeptByCalls) | calls.arguments_at(addr);
        low_after = (low_after & regions::kKeptByCalls) | calls.arguments_at(addr);
      }
      behind_[addr] = after | low_after;
      const RegisterSet ended = m.whole && !m.calls ? m.writes : 0;
      const RegisterSet before = m.known ? (m.reads & ~m.low_reads) | (after & ~ended) : kAll;
      const RegisterSet low_before = m.known ? m.reads | (low_after & ~(ended | m.low_writes)) : kAll;
      changed |= before != insn.before || low_before != insn.low_before;
      insn.before = before;
      insn.low_before = low_before;
    }
  }
}

RegisterSet Liveness::behind(uint64_t addr) const {
  const auto b = behind_.find(addr);
  return b == behind_.end() ? kAll : b->second;
}

RegisterSet Liveness::low_before(uint64_t addr) const {
  const auto i = insns_.find(addr);
  return i == insns_.end() ? kAll : i->second.low_before;
}

std::vector<uint64_t> flag_readers(const regions::Loop& loop, uint64_t addr, regions::InsnTable& insns) {
  std::vector<uint64_t> readers, open = {addr};
  std::unordered_set<uint64_t> seen;
  while (!open.empty()) {
    const uint64_t from = open.back();
    open.pop_back();
    for (const uint64_t next : loop.successors(from)) {
      if (!seen.insert(next).second) continue;
      const MachineInsn& m = insns.at({loop.header.module, next});
      if (m.reads_flags || !m.known) readers.push_back(next);
      if (!m.writes_flags) open.push_back(next);
    }
  }
  return readers;
}

}  // namespace cdr::advise
