// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/insn_decoder.h"

#include "cdrgrind/config.h"

#ifdef HAVE_CAPSTONE
#include <capstone/capstone.h>
#endif

namespace cdr::slice {

#ifdef HAVE_CAPSTONE

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
  }
  return d;
}

}  // namespace

InsnDecoder::InsnDecoder(CodeBytes& code) : code_(code) {
  if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle_) != CS_ERR_OK) handle_ = 0;
  if (handle_) cs_option(handle_, CS_OPT_DETAIL, CS_OPT_ON);
}

InsnDecoder::~InsnDecoder() {
  if (handle_) cs_close(&handle_);
}

std::optional<DecodedInsn> InsnDecoder::decode(ModuleId module, uint64_t addr) {
  constexpr uint32_t kLongest = 15;
  std::span<const uint8_t> code;
  for (uint32_t size = kLongest; size > 0 && code.empty(); --size) code = code_.code_at(module, addr, size);
  cs_insn* insn = nullptr;
  if (!handle_ || code.empty() || cs_disasm(handle_, code.data(), code.size(), addr, 1, &insn) != 1)
    return std::nullopt;
  const DecodedInsn d = flow_of(handle_, *insn);
  cs_free(insn, 1);
  return d;
}

#else

InsnDecoder::InsnDecoder(CodeBytes& code) : code_(code) {}
InsnDecoder::~InsnDecoder() = default;
std::optional<DecodedInsn> InsnDecoder::decode(ModuleId, uint64_t) { return std::nullopt; }

#endif

}  // namespace cdr::slice
