// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/register_flow.h"

#include <array>

namespace cdr::regions {
namespace {

using Chunks = std::bitset<kRegisterChunks>;

bool is_flags(uint32_t offset) { return offset >= kStateCcOp && offset < kStateCcNdep + 8u; }

bool is_followed(uint32_t offset) {
  if (offset / 8 == kStateRsp / 8) return false;
  return offset < kStateCcNdep + 8u || (offset >= kStateYmm0 && offset < kStateYmm0 + 16 * 32u);
}

void add(Chunks& to, const StatePiece& p) {
  for (uint32_t at = p.offset; at < p.end(); at += 8 - at % 8)
    if (is_followed(at)) to.set(at / 8);
}

// Flags that are only handed on are not read.
void add_inputs(Chunks& to, const FlowSet& set, bool with_flags) {
  for (const FlowInput& i : set.inputs)
    if (!i.is_load() && (with_flags || !is_flags(i.first))) add(to, i.piece());
}

// Or it is made of the old value and nothing else: the summary does not tell.
bool may_pass_on(const StateWrite& w, const FlowSet& set) {
  return !set.weak && set.inputs.size() == 1 && set.inputs[0] == FlowInput::state(w.piece);
}

}  // namespace

RegisterStep RegisterFlow::of_block(BlockId id) const {
  const Exit& exit = blocks_.exit_of(id);
  const Superblock& code = blocks_.superblock_of(id);
  const ChunkUses all = uses_of(id, Stores::kRead);
  RegisterStep uses;
  for (uint8_t c = 0; c < kRegisterChunks; ++c)
    if (all.reads[c]) uses.reads.push_back({place_of(code, exit.insns, c, false), c});
  for (uint8_t c = 0; c < kRegisterChunks; ++c)
    if (all.writes[c]) uses.writes.push_back({place_of(code, exit.insns, c, true), c});
  return uses;
}

ArgumentUses RegisterFlow::arguments_of(BlockId id) const {
  const ChunkUses all = uses_of(id, Stores::kKeep);
  ArgumentUses uses;
  for (uint8_t r = 0; r < 32; ++r) {
    const RegisterSet bit = kArgumentRegisters & RegisterSet{1} << r;
    if (bit && all.reads[chunk_of(r)]) uses.reads |= bit;
    if (bit && all.writes[chunk_of(r)]) uses.writes |= bit;
  }
  return uses;
}

RegisterFlow::ChunkUses RegisterFlow::uses_of(BlockId id, Stores stores) const {
  const SuperblockId sb = blocks_.block(id).superblock;
  ChunkUses uses;
  if (told_ == Told::kNothing || !flows_.has(sb) || flows_[sb].empty()) return uses;
  const Dataflow& flow = flows_[sb];
  const Superblock& code = blocks_.superblock(sb);
  const uint16_t number = blocks_.block(id).exit;
  const Exit& exit = code.exits[number];
  auto& [reads, writes] = uses;
  for (uint32_t s = 0; s < exit.words && s < flow.slots.size(); ++s) add_inputs(reads, flow.set(flow.slots[s]), true);
  for (uint32_t a = 0; a < exit.accesses; ++a) {
    const FlowSet value = flow.set(flow.accesses[a].value);
    const bool saves = code.accesses[a].store() && (code.accesses[a].flags & kAccessLinkage || aligns(code, a));
    const bool keeps = stores == Stores::kKeep && value.inputs.size() == 1 && !value.weak;
    if (!saves && !keeps) add_inputs(reads, value, true);
    add_inputs(reads, flow.set(flow.accesses[a].guard), true);
  }
  for (uint32_t e = 0; e <= number; ++e) add_inputs(reads, flow.set(flow.exits[e].condition), true);
  for (uint32_t w = 0; w < flow.exits[number].writes; ++w) {
    const StateWrite& write = flow.writes[w];
    const FlowSet set = flow.set(write.set);
    if (!is_followed(write.piece.offset)) continue;
    if (may_pass_on(write, set) && !is_written(code, exit.insns, write.piece.offset)) continue;
    add_inputs(reads, set, !is_flags(write.piece.offset));
    add(writes, write.piece);
  }
  return uses;
}

// Whether a function pushes at its beginning what no caller hands it: clang moves the stack pointer so.
bool RegisterFlow::aligns(const Superblock& code, uint32_t access) const {
  if (!(code.flags & kBlockFunctionEntry)) return false;
  const MachineInsn& m = insns_.at({code.module, code.insn_addr(code.accesses[access].insn)});
  return m.moves_stack && m.stack_step < 0 && m.operands[0].kind == Operand::Kind::kRegister &&
         m.operands[0].reg == kRegisterRax;
}

// The first instruction that reads the register, the last that writes it; if none says so, the first and the last.
uint16_t RegisterFlow::place_of(const Superblock& sb, uint32_t insns, uint8_t chunk, bool write) const {
  const uint8_t reg = register_of_chunk(chunk);
  uint32_t place = write && insns > 0 ? insns - 1 : 0;
  for (uint32_t i = 0; i < insns && reg != kNoRegister; ++i) {
    const MachineInsn& m = insns_.at({sb.module, sb.insn_addr(i)});
    if (!((write ? m.writes : m.reads) >> reg & 1)) continue;
    place = i;
    if (!write) break;
  }
  return static_cast<uint16_t>(place);
}

// Whether one of the first instructions says so.
bool RegisterFlow::is_written(const Superblock& sb, uint32_t insns, uint32_t offset) const {
  const uint8_t reg = register_of_chunk(static_cast<uint8_t>(offset / 8));
  if (reg == kNoRegister) return false;
  for (uint32_t i = 0; i < insns; ++i) {
    const MachineInsn& m = insns_.at({sb.module, sb.insn_addr(i)});
    if (!m.known || (m.writes >> reg & 1)) return true;
  }
  return false;
}

std::vector<RegisterStep> RegisterFlow::by_insn(SuperblockId id, std::span<const uint16_t> ends, uint32_t insns) const {
  const Superblock& sb = blocks_.superblock(id);
  std::vector<RegisterStep> steps;
  uint32_t begin = 0;
  for (const uint32_t end : ends) {
    if (end >= insns) break;
    steps.push_back(step(sb, begin, end));
    begin = end;
  }
  steps.push_back(step(sb, begin, insns));
  return steps;
}

RegisterStep RegisterFlow::step(const Superblock& sb, uint32_t begin, uint32_t end) const {
  RegisterStep to;
  if (told_ == Told::kNothing) return to;
  std::array<uint16_t, kRegisterChunks> written{};  // where last, + 1
  for (uint32_t i = begin; i < end; ++i) {
    const auto place = static_cast<uint16_t>(i);
    const MachineInsn& insn = insns_.at({sb.module, sb.insn_addr(i)});
    for (uint8_t r = 0; r < 32; ++r)
      if ((insn.reads >> r & 1) && !written[chunk_of(r)]) to.reads.push_back({place, chunk_of(r)});
    for (uint8_t r = 0; r < 32; ++r)
      for (uint8_t part = 0; part < (r < kFirstVector ? 1 : 4) && (insn.writes >> r & 1); ++part)
        written[chunk_of(r) + part] = static_cast<uint16_t>(place + 1u);
    for (uint32_t c = kStateCcOp / 8; c <= kStateCcNdep / 8 && insn.writes_flags; ++c)
      written[c] = static_cast<uint16_t>(place + 1u);
  }
  for (uint8_t c = 0; c < kRegisterChunks; ++c)
    if (written[c]) to.writes.push_back({static_cast<uint16_t>(written[c] - 1u), c});
  return to;
}

}  // namespace cdr::regions
