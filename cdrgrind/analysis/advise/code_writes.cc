// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/code_writes.h"

#include <set>

namespace cdr::advise {

using regions::MachineInsn;
using regions::Operand;
using regions::RegisterSet;

namespace {

constexpr size_t kMostFunctions = 64, kMostInsns = 20'000;  // that are looked at

}  // namespace

// Whether the call says itself where it leads.
bool CodeWrites::add_target(CodeAddr call, std::vector<uint64_t>& targets) {
  const Operand& to = insns_.at(call).operands[0];
  if (to.kind != Operand::Kind::kImmediate) return false;
  targets.push_back(static_cast<uint64_t>(to.number));
  return true;
}

const CodeWrites::Code& CodeWrites::code_of(CodeAddr entry) {
  const auto [known, is_new] = codes_.try_emplace(entry.addr);
  Code& code = known->second;
  if (!is_new) return code;
  const slice::FunctionGraphs::Code all = loops_.code_with_tail_calls(entry);
  if (all.weak || all.computed || all.addrs.empty() || all.addrs.size() >= kMostInsns) return code;
  code.known = true;
  for (size_t n = 0; n < all.addrs.size() && code.known; ++n) {
    const CodeAddr at{entry.module, all.addrs[n]};
    const MachineInsn& m = insns_.at(at);
    code.writes |= m.writes;
    code.known = m.known && (!m.calls || add_target(at, code.calls));
  }
  return code;
}

RegisterSet CodeWrites::left_alone_by(CodeAddr call) {
  std::vector<uint64_t> open;
  if (!add_target(call, open)) return 0;
  const auto [known, is_new] = written_.try_emplace(open[0], ~RegisterSet{0});
  if (!is_new) return ~known->second;
  RegisterSet writes = 0;
  for (std::set<uint64_t> seen; !open.empty();) {
    const uint64_t entry = open.back();
    open.pop_back();
    if (!seen.insert(entry).second) continue;
    const Code& code = code_of({call.module, entry});
    if (!code.known || seen.size() > kMostFunctions) return 0;
    writes |= code.writes;
    open.insert(open.end(), code.calls.begin(), code.calls.end());
  }
  known->second = writes;
  return ~writes;
}

}  // namespace cdr::advise
