// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/machine_insn.h"

#include <capstone/capstone.h>

#include <string_view>
#include <utility>
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
    {X86_INS_MOV, Operation::kMove},
    {X86_INS_MOVABS, Operation::kMove},
    {X86_INS_MOVZX, Operation::kMove},
    {X86_INS_MOVSX, Operation::kMove},
    {X86_INS_MOVSXD, Operation::kMove},
    {X86_INS_MOVSS, Operation::kMove},
    {X86_INS_MOVSD, Operation::kMove},
    {X86_INS_MOVAPS, Operation::kMove},
    {X86_INS_MOVAPD, Operation::kMove},
    {X86_INS_MOVUPS, Operation::kMove},
    {X86_INS_MOVUPD, Operation::kMove},
    {X86_INS_MOVDQA, Operation::kMove},
    {X86_INS_MOVDQU, Operation::kMove},
    {X86_INS_MOVQ, Operation::kMove},
    {X86_INS_MOVD, Operation::kMove},
    {X86_INS_CVTSS2SD, Operation::kMove},
    {X86_INS_CVTSD2SS, Operation::kMove},
    {X86_INS_CDQE, Operation::kMove},
    {X86_INS_CVTSI2SD, Operation::kMove},
    {X86_INS_CVTSI2SS, Operation::kMove},
    {X86_INS_CVTTSD2SI, Operation::kMove},
    {X86_INS_LEA, Operation::kAddress},
    {X86_INS_ADD, Operation::kAdd},
    {X86_INS_INC, Operation::kAdd},
    {X86_INS_SUB, Operation::kSub},
    {X86_INS_DEC, Operation::kSub},
    {X86_INS_IMUL, Operation::kMul},
    {X86_INS_AND, Operation::kAnd},
    {X86_INS_OR, Operation::kOr},
    {X86_INS_XOR, Operation::kXor},
    {X86_INS_ADDSS, Operation::kAdd},
    {X86_INS_ADDSD, Operation::kAdd},
    {X86_INS_ADDPS, Operation::kAdd},
    {X86_INS_ADDPD, Operation::kAdd},
    {X86_INS_SUBSS, Operation::kSub},
    {X86_INS_SUBSD, Operation::kSub},
    {X86_INS_SUBPS, Operation::kSub},
    {X86_INS_SUBPD, Operation::kSub},
    {X86_INS_MULSS, Operation::kMul},
    {X86_INS_MULSD, Operation::kMul},
    {X86_INS_MULPS, Operation::kMul},
    {X86_INS_MULPD, Operation::kMul},
    {X86_INS_MINSS, Operation::kMin},
    {X86_INS_MINSD, Operation::kMin},
    {X86_INS_MINPS, Operation::kMin},
    {X86_INS_MINPD, Operation::kMin},
    {X86_INS_MAXSS, Operation::kMax},
    {X86_INS_MAXSD, Operation::kMax},
    {X86_INS_MAXPS, Operation::kMax},
    {X86_INS_MAXPD, Operation::kMax},
    {X86_INS_PADDD, Operation::kAdd},
    {X86_INS_PADDQ, Operation::kAdd},
    {X86_INS_PADDW, Operation::kAdd},
    {X86_INS_PADDB, Operation::kAdd},
    {X86_INS_PSUBD, Operation::kSub},
    {X86_INS_PSUBQ, Operation::kSub},
    {X86_INS_PAND, Operation::kAnd},
    {X86_INS_POR, Operation::kOr},
    {X86_INS_PXOR, Operation::kXor},
    {X86_INS_XORPS, Operation::kXor},
    {X86_INS_XORPD, Operation::kXor},
    {X86_INS_ANDPD, Operation::kAnd},
    {X86_INS_ANDPS, Operation::kAnd},
    {X86_INS_CMP, Operation::kCompare},
    {X86_INS_TEST, Operation::kCompare},
    {X86_INS_COMISD, Operation::kCompare},
    {X86_INS_COMISS, Operation::kCompare},
    {X86_INS_UCOMISD, Operation::kCompare},
    {X86_INS_UCOMISS, Operation::kCompare},
    {X86_INS_CMOVA, Operation::kMoveIf},
    {X86_INS_CMOVAE, Operation::kMoveIf},
    {X86_INS_CMOVB, Operation::kMoveIf},
    {X86_INS_CMOVBE, Operation::kMoveIf},
    {X86_INS_CMOVG, Operation::kMoveIf},
    {X86_INS_CMOVGE, Operation::kMoveIf},
    {X86_INS_CMOVL, Operation::kMoveIf},
    {X86_INS_CMOVLE, Operation::kMoveIf},
    {X86_INS_VADDSS, Operation::kAdd},
    {X86_INS_VADDSD, Operation::kAdd},
    {X86_INS_VADDPS, Operation::kAdd},
    {X86_INS_VADDPD, Operation::kAdd},
    {X86_INS_VSUBSS, Operation::kSub},
    {X86_INS_VSUBSD, Operation::kSub},
    {X86_INS_VSUBPS, Operation::kSub},
    {X86_INS_VSUBPD, Operation::kSub},
    {X86_INS_VMULSS, Operation::kMul},
    {X86_INS_VMULSD, Operation::kMul},
    {X86_INS_VMULPS, Operation::kMul},
    {X86_INS_VMULPD, Operation::kMul},
    {X86_INS_VMINSS, Operation::kMin},
    {X86_INS_VMINSD, Operation::kMin},
    {X86_INS_VMINPS, Operation::kMin},
    {X86_INS_VMINPD, Operation::kMin},
    {X86_INS_VMAXSS, Operation::kMax},
    {X86_INS_VMAXSD, Operation::kMax},
    {X86_INS_VMAXPS, Operation::kMax},
    {X86_INS_VMAXPD, Operation::kMax},
    {X86_INS_VPADDB, Operation::kAdd},
    {X86_INS_VPADDW, Operation::kAdd},
    {X86_INS_VPADDD, Operation::kAdd},
    {X86_INS_VPADDQ, Operation::kAdd},
    {X86_INS_PSUBB, Operation::kSub},
    {X86_INS_PSUBW, Operation::kSub},
    {X86_INS_VPSUBB, Operation::kSub},
    {X86_INS_VPSUBW, Operation::kSub},
    {X86_INS_VPSUBD, Operation::kSub},
    {X86_INS_VPSUBQ, Operation::kSub},
    {X86_INS_PMULLW, Operation::kMul},
    {X86_INS_PMULLD, Operation::kMul},
    {X86_INS_VPMULLW, Operation::kMul},
    {X86_INS_VPMULLD, Operation::kMul},
    {X86_INS_PMINSB, Operation::kMin},
    {X86_INS_PMINSW, Operation::kMin},
    {X86_INS_PMINSD, Operation::kMin},
    {X86_INS_PMINUB, Operation::kMin},
    {X86_INS_PMINUW, Operation::kMin},
    {X86_INS_PMINUD, Operation::kMin},
    {X86_INS_VPMINSB, Operation::kMin},
    {X86_INS_VPMINSW, Operation::kMin},
    {X86_INS_VPMINSD, Operation::kMin},
    {X86_INS_VPMINUB, Operation::kMin},
    {X86_INS_VPMINUW, Operation::kMin},
    {X86_INS_VPMINUD, Operation::kMin},
    {X86_INS_PMAXSB, Operation::kMax},
    {X86_INS_PMAXSW, Operation::kMax},
    {X86_INS_PMAXSD, Operation::kMax},
    {X86_INS_PMAXUB, Operation::kMax},
    {X86_INS_PMAXUW, Operation::kMax},
    {X86_INS_PMAXUD, Operation::kMax},
    {X86_INS_VPMAXSB, Operation::kMax},
    {X86_INS_VPMAXSW, Operation::kMax},
    {X86_INS_VPMAXSD, Operation::kMax},
    {X86_INS_VPMAXUB, Operation::kMax},
    {X86_INS_VPMAXUW, Operation::kMax},
    {X86_INS_VPMAXUD, Operation::kMax},
    {X86_INS_VPAND, Operation::kAnd},
    {X86_INS_VANDPS, Operation::kAnd},
    {X86_INS_VANDPD, Operation::kAnd},
    {X86_INS_ORPS, Operation::kOr},
    {X86_INS_ORPD, Operation::kOr},
    {X86_INS_VPOR, Operation::kOr},
    {X86_INS_VORPS, Operation::kOr},
    {X86_INS_VORPD, Operation::kOr},
    {X86_INS_VPXOR, Operation::kXor},
    {X86_INS_VXORPS, Operation::kXor},
    {X86_INS_VXORPD, Operation::kXor},
    {X86_INS_VMOVSS, Operation::kMove},
    {X86_INS_VMOVSD, Operation::kMove},
    {X86_INS_VMOVAPS, Operation::kMove},
    {X86_INS_VMOVAPD, Operation::kMove},
    {X86_INS_VMOVUPS, Operation::kMove},
    {X86_INS_VMOVUPD, Operation::kMove},
    {X86_INS_VMOVDQA, Operation::kMove},
    {X86_INS_VMOVDQU, Operation::kMove},
    {X86_INS_VMOVQ, Operation::kMove},
    {X86_INS_VMOVD, Operation::kMove},
    {X86_INS_VCOMISD, Operation::kCompare},
    {X86_INS_VCOMISS, Operation::kCompare},
    {X86_INS_VUCOMISD, Operation::kCompare},
    {X86_INS_VUCOMISS, Operation::kCompare},
    {X86_INS_PCMPGTB, Operation::kGreater},
    {X86_INS_PCMPGTW, Operation::kGreater},
    {X86_INS_PCMPGTD, Operation::kGreater},
    {X86_INS_PCMPGTQ, Operation::kGreater},
    {X86_INS_VPCMPGTB, Operation::kGreater},
    {X86_INS_VPCMPGTW, Operation::kGreater},
    {X86_INS_VPCMPGTD, Operation::kGreater},
    {X86_INS_VPCMPGTQ, Operation::kGreater},
    {X86_INS_PANDN, Operation::kAndNot},
    {X86_INS_ANDNPS, Operation::kAndNot},
    {X86_INS_ANDNPD, Operation::kAndNot},
    {X86_INS_VPANDN, Operation::kAndNot},
    {X86_INS_VANDNPS, Operation::kAndNot},
    {X86_INS_VANDNPD, Operation::kAndNot},
    {X86_INS_PSRLQ, Operation::kHighHalves},
    {X86_INS_VPSRLQ, Operation::kHighHalves},
    {X86_INS_PMULUDQ, Operation::kEvenProducts},
    {X86_INS_VPMULUDQ, Operation::kEvenProducts},
    {X86_INS_PUNPCKLDQ, Operation::kPair},
    {X86_INS_VPUNPCKLDQ, Operation::kPair},
    {X86_INS_VFMADD231SS, Operation::kAdd},
    {X86_INS_VFMADD231SD, Operation::kAdd},
    {X86_INS_VFMADD231PS, Operation::kAdd},
    {X86_INS_VFMADD231PD, Operation::kAdd},
    {X86_INS_CMOVE, Operation::kMoveIf},
    {X86_INS_CMOVNE, Operation::kMoveIf},
    {X86_INS_CMOVS, Operation::kMoveIf},
    {X86_INS_CMOVNS, Operation::kMoveIf},
    {X86_INS_PCMPEQB, Operation::kEqual},
    {X86_INS_PCMPEQW, Operation::kEqual},
    {X86_INS_PCMPEQD, Operation::kEqual},
    {X86_INS_VPCMPEQB, Operation::kEqual},
    {X86_INS_VPCMPEQW, Operation::kEqual},
    {X86_INS_VPCMPEQD, Operation::kEqual},
};

Operation operation_of(const cs_insn& insn) {
  for (const Known& k : kOperations)
    if (k.insn == insn.id) return k.operation;
  return Operation::kOther;
}

bool is_floating(std::string_view name) {
  return name.ends_with("ss") || name.ends_with("sd") || name.ends_with("ps") || name.ends_with("pd");
}

// Bytes of the smallest element: by the end of the name, for those that widen by what they begin with.
uint8_t element_of(std::string_view name) {
  if (name.starts_with('v')) name.remove_prefix(1);
  for (const std::string_view bits : {"pand", "pandn", "por", "pxor", "psrldq", "pslldq", "pmovmskb", "palignr"})
    if (name == bits) return 0;
  for (const std::string_view others : {"mov", "xor", "and", "or", "pextr", "pinsr", "prefetch", "pause", "popcnt"})
    if (name.starts_with(others)) return 0;
  const bool is_packed = name.starts_with('p') && name != "push" && name != "pop" && !name.starts_with("pushf") &&
                         !name.starts_with("popf");
  if (name.find("ps") != name.npos && (name.ends_with("ps") || name.starts_with("cvtps"))) return 4;
  if (name.ends_with("pd") && !is_packed) return name.starts_with("cvtdq") ? 4 : 8;
  if (!is_packed) return name.starts_with("cvtdq") ? 4 : 0;
  constexpr std::pair<std::string_view, uint8_t> kWidening[] = {{"bw", 1}, {"wb", 1},  {"wd", 2},
                                                                {"dw", 2}, {"qdq", 8}, {"dq", 4}};
  for (const auto& [end, bytes] : kWidening)
    if (name.ends_with(end)) return bytes;
  constexpr std::pair<char, uint8_t> kPlain[] = {{'b', 1}, {'w', 2}, {'d', 4}, {'q', 8}};
  for (const auto& [end, bytes] : kPlain)
    if (name.ends_with(end)) return bytes;
  return 0;
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
    o.bytes = op.size;
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
      m.operation != Operation::kMove && m.operation != Operation::kAddress && (m.operand_count == 2 || m.fused);
  for (uint8_t i = 0; i < m.operand_count; ++i)
    if (i > 0 || !to_register || reads_target) m.reads |= m.operands[i].registers() & kNotRsp;
  if (to_register && m.operation != Operation::kCompare) m.writes |= target.registers() & kNotRsp;
}

bool copies(const MachineInsn& m) {
  switch (m.number) {
    case X86_INS_MOV:
    case X86_INS_MOVAPS:
    case X86_INS_MOVAPD:
    case X86_INS_MOVDQA:
    case X86_INS_VMOVAPS:
    case X86_INS_VMOVAPD:
    case X86_INS_VMOVDQA:
      return m.operands[0].kind == Operand::Kind::kRegister && m.operands[1].kind == Operand::Kind::kRegister;
    // A number that has to live through a call.
    case X86_INS_MOVQ:
    case X86_INS_VMOVQ:
      return m.operands[0].kind == Operand::Kind::kRegister && m.operands[1].kind == Operand::Kind::kRegister &&
             (m.operands[0].reg < kFirstVector) != (m.operands[1].reg < kFirstVector);
    default:
      return false;
  }
}

// Between memory and a vector register, of which a load clears the rest.
uint8_t moved_bytes(const MachineInsn& m) {
  const auto is_vector = [](const Operand& o) {
    return o.kind == Operand::Kind::kRegister && o.reg >= kFirstVector && o.reg < 32;
  };
  const auto is_memory = [](const Operand& o) { return o.kind == Operand::Kind::kMemory; };
  const auto &to = m.operands[0], &from = m.operands[1];
  if (m.operand_count != 2 || !((is_vector(to) && is_memory(from)) || (is_memory(to) && is_vector(from)))) return 0;
  switch (m.number) {
    case X86_INS_MOVD:
    case X86_INS_MOVSS:
    case X86_INS_MOVQ:
    case X86_INS_MOVSD:
    case X86_INS_MOVAPS:
    case X86_INS_MOVAPD:
    case X86_INS_MOVUPS:
    case X86_INS_MOVUPD:
    case X86_INS_MOVDQA:
    case X86_INS_MOVDQU:
    case X86_INS_VMOVD:
    case X86_INS_VMOVSS:
    case X86_INS_VMOVQ:
    case X86_INS_VMOVSD:
    case X86_INS_VMOVAPS:
    case X86_INS_VMOVAPD:
    case X86_INS_VMOVUPS:
    case X86_INS_VMOVUPD:
    case X86_INS_VMOVDQA:
    case X86_INS_VMOVDQU:
      return is_memory(to) ? to.bytes : from.bytes;
    default:
      return 0;
  }
}

// By how much the stack pointer moves; 0: not known.
int64_t stack_step(unsigned insn, const MachineInsn& m) {
  constexpr int64_t kWord = 8;
  if (insn == X86_INS_PUSH || insn == X86_INS_POP) return !m.whole ? 0 : insn == X86_INS_PUSH ? -kWord : kWord;
  const Operand& by = m.operands[1];
  if (m.operation == Operation::kAddress && by.reg == kRegisterRsp && by.index == kNoRegister) return by.number;
  if (m.operand_count != 2 || by.kind != Operand::Kind::kImmediate) return 0;
  return m.operation == Operation::kAdd ? by.number : m.operation == Operation::kSub ? -by.number : 0;
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

// al, r8b and the like.
bool is_low_byte(csh handle, uint16_t reg) {
  const std::string_view name = cs_reg_name(handle, reg) ? cs_reg_name(handle, reg) : "";
  return name.ends_with('l') || (name.starts_with('r') && name.ends_with('b'));
}

MachineInsn insn_of(csh handle, const cs_insn& insn) {
  MachineInsn m;
  m.known = true;
  if (insn.id == X86_INS_NOP) return m;
  m.operation = operation_of(insn);
  m.number = insn.id;
  m.floating = is_floating(insn.mnemonic);
  m.element = element_of(insn.mnemonic);
  m.by_equality =
      insn.id == X86_INS_CMOVE || insn.id == X86_INS_CMOVNE || insn.id == X86_INS_CMOVS || insn.id == X86_INS_CMOVNS;
  m.shuffles = insn.id == X86_INS_PSHUFD || insn.id == X86_INS_VPSHUFD;
  m.fused = std::string_view(insn.mnemonic).starts_with("vfmadd231");
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
  const auto add = [&](const uint16_t* regs, uint8_t count, RegisterSet& to, RegisterSet& low) {
    RegisterSet others = 0;
    for (uint8_t i = 0; i < count; ++i) {
      const uint8_t n = number_of(handle, regs[i]);
      if (n >= 32 || n == kRegisterRsp) continue;
      to |= RegisterSet{1} << n;
      (is_low_byte(handle, regs[i]) ? low : others) |= RegisterSet{1} << n;
    }
    low &= ~others;
  };
  add(written, writes, m.writes, m.low_writes);
  if (!clears(insn)) add(read, reads, m.reads, m.low_reads);
  // What a move, or a conversion, leaves of the upper part is not looked at.
  if (m.operation == Operation::kMove && x.op_count == 2 && m.operands[0].kind == Operand::Kind::kRegister &&
      m.operands[0].reg < 32 && !(m.operands[1].registers() & RegisterSet{1} << m.operands[0].reg))
    m.reads &= ~(RegisterSet{1} << m.operands[0].reg);
  m.whole = x.op_count > 0 && x.operands[0].size >= 4;
  m.calls = cs_insn_group(handle, &insn, CS_GRP_CALL);
  constexpr uint64_t kReadsFlags = X86_EFLAGS_TEST_OF | X86_EFLAGS_TEST_SF | X86_EFLAGS_TEST_ZF | X86_EFLAGS_TEST_PF |
                                   X86_EFLAGS_TEST_CF | X86_EFLAGS_TEST_NT | X86_EFLAGS_TEST_DF;
  m.writes_flags = (x.eflags & ~kReadsFlags) != 0 || m.operation == Operation::kCompare;
  m.reads_flags = (x.eflags & kReadsFlags) != 0;
  m.equals = insn.id == X86_INS_CMP;
  m.sets_if_not_zero = insn.id == X86_INS_SETNE;
  if ((insn.id == X86_INS_JE || insn.id == X86_INS_JNE) && x.op_count == 1 && x.operands[0].type == X86_OP_IMM) {
    m.equal_target = static_cast<uint64_t>(x.operands[0].imm);
    m.jumps_if_equal = insn.id == X86_INS_JE;
  }
  m.moves_stack = insn.id == X86_INS_PUSH || insn.id == X86_INS_POP || insn.id == X86_INS_LEAVE ||
                  (m.operation != Operation::kCompare && m.operands[0].kind == Operand::Kind::kRegister &&
                   m.operands[0].reg == kRegisterRsp);
  if (m.moves_stack) m.stack_step = stack_step(insn.id, m);
  m.jumps_if = relation_of(insn.id);
  m.copies = copies(m);
  m.moves = moved_bytes(m);
  complete(m);
  if (clears(insn)) {
    m.clears = insn.id != X86_INS_PCMPEQB && insn.id != X86_INS_PCMPEQD;
    m.reads = 0;
    m.operation = Operation::kOther;
  }
  return m;
}

}  // namespace

bool MachineInsn::may_store() const {
  const bool any = operation == Operation::kOther;
  return operation != Operation::kCompare && !moves_stack &&
         std::any_of(operands.begin(), any ? operands.end() : operands.begin() + 1, [](const Operand& o) {
           const bool is_in_frame = o.reg == kRegisterRsp && o.index == kNoRegister;
           return o.kind == Operand::Kind::kMemory && !is_in_frame;
         });
}

bool MachineInsn::updates(uint8_t reg) const {
  const auto is_it = [&](const Operand& o) { return o.kind == Operand::Kind::kRegister && o.reg == reg; };
  const auto names_it = [&](const Operand& o) { return (o.registers() >> reg & 1) != 0; };
  if (!is_it(operands[0])) return false;
  if (operand_count == 2) return !names_it(operands[1]);
  if (operand_count != 3) return false;
  if (fused) return !names_it(operands[1]) && !names_it(operands[2]);
  if (operation == Operation::kSub || operation == Operation::kMoveIf)
    return is_it(operands[1]) && !names_it(operands[2]);
  return (is_it(operands[1]) && !names_it(operands[2])) || (is_it(operands[2]) && !names_it(operands[1]));
}

const MachineInsn& InsnTable::at(CodeAddr addr) {
  const auto [known, is_new] = index_.insert(addr.addr);
  if (!is_new) return **known;
  MachineInsn& made = insns_.emplace_back();
  *known = &made;
  const auto code_at = [&](uint32_t size) { return code_.code_at(addr.module, addr.addr, size); };
  if (const cs_insn* const insn = capstone_.decode_from(code_at, addr.addr)) made = insn_of(capstone_.handle(), *insn);
  return made;
}

}  // namespace cdr::regions
