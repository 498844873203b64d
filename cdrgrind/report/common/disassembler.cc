// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/disassembler.h"

#include <capstone/capstone.h>

namespace cdr::report {

std::string Disassembler::text(std::span<const uint8_t> code, uint64_t addr) {
  const cs_insn* const insn = capstone_.decode(code, addr);
  if (!insn || insn->size != code.size()) return {};
  std::string text = insn->mnemonic;
  if (!text.empty() && insn->op_str[0]) text += std::string(" ") + insn->op_str;
  return text;
}

}  // namespace cdr::report
