// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/disassembler.h"

#include "cdrgrind/config.h"

#ifdef HAVE_CAPSTONE
#include <capstone/capstone.h>
#endif

namespace cdr::report {

#ifdef HAVE_CAPSTONE

Disassembler::Disassembler() {
  if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle_) != CS_ERR_OK) handle_ = 0;
}

Disassembler::~Disassembler() {
  if (handle_) cs_close(&handle_);
}

std::string Disassembler::text(std::span<const uint8_t> code, uint64_t addr) {
  if (!handle_ || code.empty()) return {};
  cs_insn* insn = nullptr;
  std::string text;
  if (cs_disasm(handle_, code.data(), code.size(), addr, 1, &insn) == 1) {
    if (insn->size == code.size()) text = insn->mnemonic;
    if (!text.empty() && insn->op_str[0]) text += std::string(" ") + insn->op_str;
    cs_free(insn, 1);
  }
  return text;
}

#else

Disassembler::Disassembler() = default;
Disassembler::~Disassembler() = default;
std::string Disassembler::text(std::span<const uint8_t>, uint64_t) { return {}; }

#endif

}  // namespace cdr::report
