// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/machine_insn.h"

#include <capstone/capstone.h>

#include <string_view>
#include <vector>

namespace cdr::regions {
namespace {

constexpr std::string_view kGeneral[16] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di",
                                           "8",  "9",  "10", "11", "12", "13", "14", "15"};

// Of a name as Capstone has it: rax, eax, ax, al, ah, r8d, xmm3 …
uint8_t number_of_name(std::string_view name) {
  if (name.size() >= 4 && (name[0] == 'x' || name[0] == 'y') && name.substr(1, 2) == "mm") {
    unsigned n = 0;
    for (const char c : name.substr(3)) n = n * 10 + static_cast<unsigned>(c - '0');
    return n < 16 ? static_cast<uint8_t>(kFirstVector + n) : kNoRegister;
  }
  std::string_view core = name;
  if (!core.empty() && (core[0] == 'r' || core[0] == 'e')) core.remove_prefix(1);
  while (core.size() > 1 && (core.back() == 'd' || core.back() == 'w' || core.back() == 'b') &&
         core[core.size() - 2] >= '0' && core[core.size() - 2] <= '9')
    core.remove_suffix(1);
  for (uint8_t n = 0; n < 16; ++n) {
    if (core == kGeneral[n]) return n;
    // al, ah, sil
    if (n < 4 && core.size() == 2 && core[0] == kGeneral[n][0] && (core[1] == 'l' || core[1] == 'h')) return n;
    if (n >= 4 && n < 8 && core.size() == 3 && core.substr(0, 2) == kGeneral[n] && core[2] == 'l') return n;
  }
  return kNoRegister;
}

uint8_t number_of(csh handle, unsigned reg) {
  const char* name = reg == X86_REG_INVALID ? nullptr : cs_reg_name(handle, reg);
  return name ? number_of_name(name) : kNoRegister;
}

struct Known {
  unsigned insn;
  Operation operation;
};
constexpr Known kOperations[] = {
    {X86_INS_MOV, Operation::kMove},        {X86_INS_MOVABS, Operation::kMove},
    {X86_INS_MOVZX, Operation::kMove},      {X86_INS_MOVSX, Operation::kMove},
    {X86_INS_MOVSXD, Operation::kMove},     {X86_INS_MOVSS, Operation::kMove},
    {X86_INS_MOVSD, Operation::kMove},      {X86_INS_MOVAPS, Operation::kMove},
    {X86_INS_MOVAPD, Operation::kMove},     {X86_INS_MOVUPS, Operation::kMove},
    {X86_INS_MOVUPD, Operation::kMove},     {X86_INS_MOVDQA, Operation::kMove},
    {X86_INS_MOVDQU, Operation::kMove},     {X86_INS_MOVQ, Operation::kMove},
    {X86_INS_MOVD, Operation::kMove},       {X86_INS_CVTSS2SD, Operation::kMove},
    {X86_INS_CVTSD2SS, Operation::kMove},   {X86_INS_CDQE, Operation::kMove},
    {X86_INS_CVTSI2SD, Operation::kMove},   {X86_INS_CVTSI2SS, Operation::kMove},
    {X86_INS_CVTTSD2SI, Operation::kMove},  {X86_INS_LEA, Operation::kAddress},
    {X86_INS_ADD, Operation::kAdd},         {X86_INS_INC, Operation::kAdd},
    {X86_INS_SUB, Operation::kSub},         {X86_INS_DEC, Operation::kSub},
    {X86_INS_IMUL, Operation::kMul},        {X86_INS_AND, Operation::kAnd},
    {X86_INS_OR, Operation::kOr},           {X86_INS_XOR, Operation::kXor},
    {X86_INS_ADDSS, Operation::kAdd},       {X86_INS_ADDSD, Operation::kAdd},
    {X86_INS_ADDPS, Operation::kAdd},       {X86_INS_ADDPD, Operation::kAdd},
    {X86_INS_SUBSS, Operation::kSub},       {X86_INS_SUBSD, Operation::kSub},
    {X86_INS_SUBPS, Operation::kSub},       {X86_INS_SUBPD, Operation::kSub},
    {X86_INS_MULSS, Operation::kMul},       {X86_INS_MULSD, Operation::kMul},
    {X86_INS_MULPS, Operation::kMul},       {X86_INS_MULPD, Operation::kMul},
    {X86_INS_MINSS, Operation::kMin},       {X86_INS_MINSD, Operation::kMin},
    {X86_INS_MINPS, Operation::kMin},       {X86_INS_MINPD, Operation::kMin},
    {X86_INS_MAXSS, Operation::kMax},       {X86_INS_MAXSD, Operation::kMax},
    {X86_INS_MAXPS, Operation::kMax},       {X86_INS_MAXPD, Operation::kMax},
    {X86_INS_PADDD, Operation::kAdd},       {X86_INS_PADDQ, Operation::kAdd},
    {X86_INS_PADDW, Operation::kAdd},       {X86_INS_PADDB, Operation::kAdd},
    {X86_INS_PSUBD, Operation::kSub},       {X86_INS_PSUBQ, Operation::kSub},
    {X86_INS_PAND, Operation::kAnd},        {X86_INS_POR, Operation::kOr},
    {X86_INS_PXOR, Operation::kXor},        {X86_INS_XORPS, Operation::kXor},
    {X86_INS_XORPD, Operation::kXor},       {X86_INS_ANDPD, Operation::kAnd},
    {X86_INS_ANDPS, Operation::kAnd},       {X86_INS_CMP, Operation::kCompare},
    {X86_INS_TEST, Operation::kCompare},    {X86_INS_COMISD, Operation::kCompare},
    {X86_INS_COMISS, Operation::kCompare},  {X86_INS_UCOMISD, Operation::kCompare},
    {X86_INS_UCOMISS, Operation::kCompare}, {X86_INS_CMOVA, Operation::kMoveIf},
    {X86_INS_CMOVAE, Operation::kMoveIf},   {X86_INS_CMOVB, Operation::kMoveIf},
    {X86_INS_CMOVBE, Operation::kMoveIf},   {X86_INS_CMOVG, Operation::kMoveIf},
    {X86_INS_CMOVGE, Operation::kMoveIf},   {X86_INS_CMOVL, Operation::kMoveIf},
    {X86_INS_CMOVLE, Operation::kMoveIf},
};

Operation operation_of(const cs_insn& insn) {
  for (const Known& k : kOperations)
    if (k.insn == insn.id) return k.operation;
  return Operation::kOther;
}

bool is_floating(std::string_view name) {
  return name.ends_with("ss") || name.ends_with("sd") || name.ends_with("ps") || name.ends_with("pd");
}

Operand operand_of(csh handle, const cs_insn& insn, const cs_x86_op& op) {
  Operand o;
  if (op.type == X86_OP_REG) {
    o.kind = Operand::Kind::kRegister;
    o.reg = number_of(handle, op.reg);
  } else if (op.type == X86_OP_IMM) {
    o.kind = Operand::Kind::kImmediate;
    o.number = op.imm;
  } else if (op.type == X86_OP_MEM) {
    o.kind = Operand::Kind::kMemory;
    o.reg = number_of(handle, op.mem.base);
    o.index = number_of(handle, op.mem.index);
    o.number = op.mem.disp;
    o.scale = static_cast<uint8_t>(op.mem.scale);
    o.relative = op.mem.base == X86_REG_RIP;
    if (o.relative) o.number += static_cast<int64_t>(insn.address + insn.size);
  }
  return o;
}

// Of a register with itself: it becomes 0, or all ones, whatever it was.
bool clears(const cs_insn& insn) {
  const cs_x86& x = insn.detail->x86;
  if (x.op_count != 2 || x.operands[0].type != X86_OP_REG || x.operands[1].type != X86_OP_REG ||
      x.operands[0].reg != x.operands[1].reg)
    return false;
  switch (insn.id) {
    case X86_INS_XOR:
    case X86_INS_SUB:
    case X86_INS_PXOR:
    case X86_INS_XORPS:
    case X86_INS_XORPD:
    case X86_INS_PCMPEQB:
    case X86_INS_PCMPEQD:
      return true;
    default:
      return false;
  }
}

// What Capstone does not say of vector instructions.
void complete(MachineInsn& m) {
  if (m.operation == Operation::kOther || m.operand_count < 2) return;
  constexpr RegisterSet kNotRsp = ~(RegisterSet{1} << kRegisterRsp);
  const Operand& target = m.operands[0];
  const bool to_register = target.kind == Operand::Kind::kRegister;
  const bool reads_target =
      m.operation != Operation::kMove && m.operation != Operation::kAddress && m.operand_count == 2;
  for (uint8_t i = 0; i < m.operand_count; ++i)
    if (i > 0 || !to_register || reads_target) m.reads |= m.operands[i].registers() & kNotRsp;
  if (to_register && m.operation != Operation::kCompare) m.writes |= target.registers() & kNotRsp;
}

int8_t relation_of(unsigned insn) {
  switch (insn) {
    case X86_INS_JL:
    case X86_INS_JLE:
    case X86_INS_JB:
    case X86_INS_JBE:
      return -1;
    case X86_INS_JG:
    case X86_INS_JGE:
    case X86_INS_JA:
    case X86_INS_JAE:
      return 1;
    default:
      return 0;
  }
}

MachineInsn insn_of(csh handle, const cs_insn& insn) {
  MachineInsn m;
  m.known = true;
  if (insn.id == X86_INS_NOP) return m;
  m.operation = operation_of(insn);
  m.number = insn.id;
  m.floating = is_floating(insn.mnemonic);
  const cs_x86& x = insn.detail->x86;
  m.operand_count = x.op_count < 3 ? x.op_count : 3;
  for (uint8_t i = 0; i < m.operand_count; ++i) m.operands[i] = operand_of(handle, insn, x.operands[i]);
  if (insn.id == X86_INS_INC || insn.id == X86_INS_DEC) {
    m.operands[1] = {Operand::Kind::kImmediate, kNoRegister, kNoRegister, false, 1, 1};
    m.operand_count = 2;
  }
  cs_regs read, written;
  uint8_t reads = 0, writes = 0;
  if (cs_regs_access(handle, &insn, read, &reads, written, &writes) != CS_ERR_OK) return m;
  const auto add = [&](const uint16_t* regs, uint8_t count, RegisterSet& to) {
    for (uint8_t i = 0; i < count; ++i)
      if (const uint8_t n = number_of(handle, regs[i]); n < 32 && n != kRegisterRsp) to |= RegisterSet{1} << n;
  };
  add(written, writes, m.writes);
  if (!clears(insn)) add(read, reads, m.reads);
  // What a move, or a conversion, leaves of the upper part is not looked at.
  if (m.operation == Operation::kMove && x.op_count == 2 && m.operands[0].kind == Operand::Kind::kRegister &&
      m.operands[0].reg < 32 && !(m.operands[1].registers() & RegisterSet{1} << m.operands[0].reg))
    m.reads &= ~(RegisterSet{1} << m.operands[0].reg);
  m.whole = x.op_count > 0 && x.operands[0].size >= 4;
  m.calls = cs_insn_group(handle, &insn, CS_GRP_CALL);
  constexpr uint64_t kReadsFlags = X86_EFLAGS_TEST_OF | X86_EFLAGS_TEST_SF | X86_EFLAGS_TEST_ZF | X86_EFLAGS_TEST_PF |
                                   X86_EFLAGS_TEST_CF | X86_EFLAGS_TEST_NT | X86_EFLAGS_TEST_DF;
  m.writes_flags = (x.eflags & ~kReadsFlags) != 0 || m.operation == Operation::kCompare;
  m.equals = insn.id == X86_INS_CMP;
  if ((insn.id == X86_INS_JE || insn.id == X86_INS_JNE) && x.op_count == 1 && x.operands[0].type == X86_OP_IMM) {
    m.equal_target = static_cast<uint64_t>(x.operands[0].imm);
    m.jumps_if_equal = insn.id == X86_INS_JE;
  }
  m.jumps_if = relation_of(insn.id);
  complete(m);
  if (clears(insn)) {
    m.clears = insn.id != X86_INS_PCMPEQB && insn.id != X86_INS_PCMPEQD;
    m.reads = 0;
    m.operation = Operation::kOther;
  }
  return m;
}

}  // namespace

const MachineInsn& InsnTable::at(CodeAddr addr) {
  const auto [known, is_new] = insns_.try_emplace(addr.addr);
  if (!is_new) return known->second;
  const auto code_at = [&](uint32_t size) { return code_.code_at(addr.module, addr.addr, size); };
  if (const cs_insn* const insn = capstone_.decode_from(code_at, addr.addr))
    known->second = insn_of(capstone_.handle(), *insn);
  return known->second;
}

}  // namespace cdr::regions
