// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/insn_decoder.h"

#include <capstone/capstone.h>

namespace cdr::slice {

namespace {

bool in_group(csh handle, const cs_insn& insn, unsigned group) { return cs_insn_group(handle, &insn, group); }

DecodedInsn flow_of(csh handle, const cs_insn& insn) {
  DecodedInsn d;
  d.length = insn.size;
  const bool jump = in_group(handle, insn, CS_GRP_JUMP);
  const bool conditional = jump && insn.id != X86_INS_JMP && insn.id != X86_INS_LJMP;
  const cs_x86& x = insn.detail->x86;
  const bool direct = x.op_count == 1 && x.operands[0].type == X86_OP_IMM;
  if (jump && direct) {
    d.flow = conditional ? DecodedInsn::Flow::kConditional : DecodedInsn::Flow::kJump;
    d.target = static_cast<uint64_t>(x.operands[0].imm);
  } else if (jump || in_group(handle, insn, CS_GRP_RET) || in_group(handle, insn, CS_GRP_IRET) ||
             insn.id == X86_INS_HLT || insn.id == X86_INS_UD2 || insn.id == X86_INS_INT3) {
    d.flow = DecodedInsn::Flow::kLeaves;
  } else if (in_group(handle, insn, CS_GRP_CALL)) {
    d.calls = true;
    if (direct) d.target = static_cast<uint64_t>(x.operands[0].imm);
  }
  return d;
}

}  // namespace

std::optional<DecodedInsn> InsnDecoder::decode(ModuleId module, uint64_t addr) {
  const auto code_at = [&](uint32_t size) { return code_.code_at(module, addr, size); };
  const cs_insn* const insn = capstone_.decode_from(code_at, addr);
  if (!insn) return std::nullopt;
  return flow_of(capstone_.handle(), *insn);
}

}  // namespace cdr::slice
