// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/argument_values.h"

#include <algorithm>
#include <bit>

namespace cdr::report {

namespace {

using Kind = ArgumentValue::Kind;
using races::InsnEffects;
using races::Registers;

constexpr size_t kMostInsns = 1 << 16;  // of a function
constexpr size_t kPrologue = 4;         // instructions, in which a function makes its frame
constexpr int kMostMoves = 16;          // of one value
// With the return address and the saved RBP above it.
constexpr int64_t kFramePointer = -16;
// RAX, RCX, RDX, RSI, RDI, R8 … R11
constexpr Registers kLostInCalls = 0x0fc7;

bool has_no_operands_but_constants(const InsnEffects& e) { return e.reads == 0 && e.loads.empty(); }

// XOR and SUB of a register with itself.
bool clears(const InsnEffects& e) {
  return has_no_operands_but_constants(e) && e.stores.empty() && e.writes_flags && !e.calls &&
         std::has_single_bit(e.writes);
}

std::optional<int64_t> constant_of(const InsnEffects& e) {
  if (clears(e)) return 0;
  if (e.is_plain_load && has_no_operands_but_constants(e)) return e.immediate;
  return std::nullopt;
}

bool sets_frame_pointer(const InsnEffects& e) {
  return e.is_plain_load && e.writes == races::kRbp && e.reads == races::kRsp;
}

bool is_slot(const races::MemoryOperand& m, int64_t displacement) {
  return m.base == races::kRbp && m.index == 0 && m.constant == displacement;
}

}  // namespace

// As far as it is in one piece.
const ArgumentValues::Function& ArgumentValues::function(CodeAddr entry) {
  const auto [known, is_new] = functions_.try_emplace(entry);
  Function& f = known->second;
  if (!is_new) return f;
  for (CodeAddr at = entry; f.insns.size() < kMostInsns && entry_of_(at) == entry.addr;) {
    const auto effects = reader_.read(at);
    if (!effects || effects->length == 0) break;
    f.insns.push_back({at.addr, *effects, false});
    at.addr += effects->length;
  }
  f.has_frame =
      std::any_of(f.insns.begin(), f.insns.begin() + static_cast<ptrdiff_t>(std::min(f.insns.size(), kPrologue)),
                  [](const Insn& i) { return sets_frame_pointer(i.effects); });
  for (size_t i = 0; i < f.insns.size(); ++i)
    if (const uint64_t target = f.insns[i].effects.target)
      if (const auto n = insn_at(f, target)) f.insns[*n].is_target = true;
  return f;
}

std::optional<size_t> ArgumentValues::insn_at(const Function& f, uint64_t addr) const {
  const auto at =
      std::lower_bound(f.insns.begin(), f.insns.end(), addr, [](const Insn& i, uint64_t a) { return i.addr < a; });
  if (at == f.insns.end() || at->addr != addr) return std::nullopt;
  return static_cast<size_t>(at - f.insns.begin());
}

ArgumentValue ArgumentValues::in_frame(CodeAddr entry, int64_t offset) {
  const Function& f = function(entry);
  return f.has_frame ? slot(f, offset - kFramePointer, 0) : ArgumentValue{};
}

ArgumentValue ArgumentValues::slot(const Function& f, int64_t displacement, int depth) {
  ArgumentValue found;
  bool any = false;
  for (size_t i = 0; i < f.insns.size(); ++i) {
    const InsnEffects& e = f.insns[i].effects;
    if (std::none_of(e.stores.begin(), e.stores.end(), [&](const auto& m) { return is_slot(m, displacement); }))
      continue;
    if (!e.is_plain_load) return {};
    ArgumentValue v;
    if (const auto constant = constant_of(e))
      v = {Kind::kConstant, *constant};
    else if (std::has_single_bit(e.reads) && e.loads.empty())
      v = before(f, i, e.reads, depth + 1);
    if (v.kind == Kind::kUnknown || (any && v != found)) return {};
    found = v;
    any = true;
  }
  return found;
}

ArgumentValue ArgumentValues::in_register(CodeAddr at, uint8_t reg) {
  const Function& f = function({at.module, entry_of_(at)});
  const auto insn = insn_at(f, at.addr);
  return insn && reg < 16 ? before(f, *insn, Registers{1} << reg, 0) : ArgumentValue{};
}

// Back along the code that leads straight there. Jumps whose targets are not constant lead to code of their own.
ArgumentValue ArgumentValues::before(const Function& f, size_t insn, Registers reg, int depth) {
  if (depth > kMostMoves) return {};
  for (; insn > 0; --insn) {
    if (f.insns[insn].is_target) return {};
    const InsnEffects& e = f.insns[insn - 1].effects;
    if (!e.falls_through || (e.calls && (reg & kLostInCalls))) return {};
    if (!(e.writes & reg)) continue;
    if (const auto constant = constant_of(e)) return {Kind::kConstant, *constant};
    if (!e.is_plain_load) return {};
    if (e.loads.size() == 1 && e.loads[0].base == races::kRbp && e.loads[0].index == 0)
      return slot(f, e.loads[0].constant, depth + 1);
    if (!e.loads.empty() || !std::has_single_bit(e.reads)) return {};
    return before(f, insn - 1, e.reads, depth + 1);
  }
  return {Kind::kArgument, std::countr_zero(reg)};
}

uint64_t ArgumentValues::called_by(CodeAddr call) {
  const Function& f = function({call.module, entry_of_(call)});
  const auto insn = insn_at(f, call.addr);
  return insn && f.insns[*insn].effects.calls ? f.insns[*insn].effects.called : 0;
}

std::vector<uint64_t> ArgumentValues::called_in(CodeAddr entry) {
  std::vector<uint64_t> called;
  for (const Insn& i : function(entry).insns)
    if (i.effects.calls && i.effects.called) called.push_back(i.effects.called);
  std::sort(called.begin(), called.end());
  called.erase(std::unique(called.begin(), called.end()), called.end());
  return called;
}

std::vector<uint64_t> ArgumentValues::insns_of(CodeAddr entry) {
  std::vector<uint64_t> all;
  for (const Insn& i : function(entry).insns) all.push_back(i.addr);
  return all;
}

std::vector<uint64_t> ArgumentValues::full_fences(CodeAddr entry) {
  std::vector<uint64_t> found;
  for (const Insn& i : function(entry).insns)
    if (i.effects.full_fence) found.push_back(i.addr);
  return found;
}

}  // namespace cdr::report
