// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/policy/insn_effects.h"

#include <capstone/capstone.h>

namespace cdr::races {

namespace {

// All parts of one register stand in a row.
constexpr x86_reg kParts[16][5] = {
    {X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH},
    {X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH},
    {X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH},
    {X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH},
    {X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL, X86_REG_INVALID},
    {X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL, X86_REG_INVALID},
    {X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL, X86_REG_INVALID},
    {X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL, X86_REG_INVALID},
    {X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B, X86_REG_INVALID},
    {X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B, X86_REG_INVALID},
    {X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B, X86_REG_INVALID},
    {X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B, X86_REG_INVALID},
    {X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B, X86_REG_INVALID},
    {X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B, X86_REG_INVALID},
    {X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B, X86_REG_INVALID},
    {X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B, X86_REG_INVALID},
};

Registers register_of(unsigned reg) {
  if (reg == X86_REG_INVALID) return 0;
  for (uint32_t n = 0; n < 16; ++n)
    for (const x86_reg part : kParts[n])
      if (part == reg) return Registers{1} << n;
  return 0;
}

bool in_group(csh handle, const cs_insn& insn, unsigned group) { return cs_insn_group(handle, &insn, group); }

MemoryOperand memory_of(const cs_insn& insn, const x86_op_mem& mem) {
  MemoryOperand m{register_of(mem.base), register_of(mem.index), mem.disp};
  m.scale = static_cast<uint8_t>(mem.scale);
  m.own = mem.segment == X86_REG_FS;
  if (mem.base == X86_REG_RIP) m.constant += static_cast<int64_t>(insn.address + insn.size);
  return m;
}

bool is_full_fence(const cs_insn& insn) {
  if (insn.id == X86_INS_MFENCE) return true;
  const cs_x86& x = insn.detail->x86;
  if ((insn.id != X86_INS_OR && insn.id != X86_INS_ADD) || x.prefix[0] != X86_PREFIX_LOCK || x.op_count != 2)
    return false;
  const cs_x86_op &to = x.operands[0], &by = x.operands[1];
  return to.type == X86_OP_MEM && to.mem.base == X86_REG_RSP && to.mem.index == X86_REG_INVALID && to.mem.disp == 0 &&
         by.type == X86_OP_IMM && by.imm == 0;
}

// Whatever is not here writes memory or changes the way in a manner that its operands do not tell.
bool is_harmless(csh handle, const cs_insn& insn) {
  const cs_x86& x = insn.detail->x86;
  for (const uint8_t prefix : x.prefix)
    if (prefix == X86_PREFIX_LOCK || prefix == X86_PREFIX_REP || prefix == X86_PREFIX_REPNE)
      return insn.id == X86_INS_PAUSE;  // F3 90
  for (const unsigned group : {CS_GRP_RET, CS_GRP_INT, CS_GRP_IRET, CS_GRP_PRIVILEGE})
    if (in_group(handle, insn, group)) return false;
  switch (insn.id) {
    case X86_INS_SYSCALL:
    case X86_INS_HLT:
    case X86_INS_UD2:
    case X86_INS_XCHG:
    case X86_INS_LEAVE:
    case X86_INS_ENTER:
      return false;
    default:
      return true;
  }
}

void add_operands(const cs_insn& insn, InsnEffects& e) {
  const cs_x86& x = insn.detail->x86;
  for (uint8_t i = 0; i < x.op_count; ++i) {
    const cs_x86_op& op = x.operands[i];
    if (op.type == X86_OP_IMM) e.immediate = op.imm;
    if (op.type != X86_OP_MEM || insn.id == X86_INS_LEA || insn.id == X86_INS_NOP) continue;
    MemoryOperand m = memory_of(insn, op.mem);
    m.width = op.size;
    // What a loop does to its thread's own data may be anything.
    if (op.mem.segment == X86_REG_GS || (m.own && (op.access & CS_AC_WRITE))) e.harmless = false;
    // Capstone does not say it of compares.
    if (op.access & CS_AC_WRITE) e.stores.push_back(m);
    if (op.access & CS_AC_READ || op.access == 0) e.loads.push_back(m);
  }
}

bool counts(const cs_insn& insn) {
  const cs_x86& x = insn.detail->x86;
  if (insn.id == X86_INS_INC || insn.id == X86_INS_DEC) return true;
  if (x.op_count != 2) return false;
  if (insn.id == X86_INS_LEA) return x.operands[1].mem.base == x.operands[0].reg;
  return (insn.id == X86_INS_ADD || insn.id == X86_INS_SUB) && x.operands[1].type == X86_OP_IMM &&
         x.operands[1].imm != 0 && !(x.operands[0].type == X86_OP_REG && x.operands[0].reg == X86_REG_RSP);
}

bool extends_sign(const cs_insn& insn) { return insn.id == X86_INS_MOVSX || insn.id == X86_INS_MOVSXD; }

bool is_plain_load(const cs_insn& insn) {
  return insn.id == X86_INS_MOV || insn.id == X86_INS_MOVZX || insn.id == X86_INS_MOVABS || extends_sign(insn);
}

// XOR and SUB of a register with itself read nothing.
bool clears(const cs_insn& insn) {
  const cs_x86& x = insn.detail->x86;
  return (insn.id == X86_INS_XOR || insn.id == X86_INS_SUB) && x.op_count == 2 && x.operands[0].type == X86_OP_REG &&
         x.operands[1].type == X86_OP_REG && x.operands[0].reg == x.operands[1].reg;
}

void add_registers(csh handle, const cs_insn& insn, InsnEffects& e) {
  cs_regs read, written;
  uint8_t reads = 0, writes = 0;
  if (cs_regs_access(handle, &insn, read, &reads, written, &writes) != CS_ERR_OK) {
    e.harmless = false;
    return;
  }
  for (uint8_t i = 0; i < writes; ++i) {
    e.writes |= register_of(written[i]);
    e.writes_flags |= written[i] == X86_REG_EFLAGS;
  }
  for (uint8_t i = 0; i < reads; ++i) e.reads_flags |= read[i] == X86_REG_EFLAGS;
  const cs_x86& x = insn.detail->x86;
  if (clears(insn)) return;
  Registers addresses = 0;
  for (uint8_t i = 0; i < x.op_count; ++i) {
    const cs_x86_op& op = x.operands[i];
    if (op.type == X86_OP_MEM && insn.id != X86_INS_LEA)
      addresses |= register_of(op.mem.base) | register_of(op.mem.index);
  }
  for (uint8_t i = 0; i < reads; ++i) e.reads |= register_of(read[i]);
  // A register may serve both ways.
  Registers values = 0;
  for (uint8_t i = 0; i < x.op_count; ++i)
    if (x.operands[i].type == X86_OP_REG && (x.operands[i].access & CS_AC_READ))
      values |= register_of(x.operands[i].reg);
  e.reads = (e.reads & ~addresses) | values;
}

void add_flow(csh handle, const cs_insn& insn, InsnEffects& e) {
  const cs_x86& x = insn.detail->x86;
  const bool jumps = in_group(handle, insn, CS_GRP_JUMP), direct = x.op_count == 1 && x.operands[0].type == X86_OP_IMM;
  e.calls = in_group(handle, insn, CS_GRP_CALL);
  e.returns = in_group(handle, insn, CS_GRP_RET);
  if (e.calls && direct) e.called = static_cast<uint64_t>(x.operands[0].imm);
  if (!jumps) return;
  e.conditional = insn.id != X86_INS_JMP && insn.id != X86_INS_LJMP;
  e.falls_through = e.conditional;
  if (direct) e.target = static_cast<uint64_t>(x.operands[0].imm);
  e.harmless &= direct;
}

InsnEffects effects_of(csh handle, const cs_insn& insn) {
  InsnEffects e;
  e.length = insn.size;
  e.operation = insn.id;
  e.full_fence = is_full_fence(insn);
  e.harmless = e.full_fence || is_harmless(handle, insn);
  e.is_plain_load = is_plain_load(insn);
  e.extends_sign = extends_sign(insn);
  e.compares = insn.id == X86_INS_CMP;
  e.counts = counts(insn);
  const cs_x86& x = insn.detail->x86;
  if (x.op_count == 2) e.width = x.operands[0].size;
  if (insn.id == X86_INS_LEA) e.address = memory_of(insn, x.operands[1].mem);
  if (!e.full_fence) add_operands(insn, e);
  add_registers(handle, insn, e);
  add_flow(handle, insn, e);
  return e;
}

}  // namespace

std::optional<InsnEffects> InsnReader::read(CodeAddr at) {
  const auto code_at = [&](uint32_t size) { return facts_.code_at(at, size); };
  const cs_insn* const insn = capstone_.decode_from(code_at, at.addr);
  if (!insn) return std::nullopt;
  return effects_of(capstone_.handle(), *insn);
}

}  // namespace cdr::races
