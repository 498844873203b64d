// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/common/capstone_decoder.h"

#include <capstone/capstone.h>

#include <mutex>

namespace cdr::analysis {
namespace {

// Capstone sorts and fills tables of its own when it decodes the first instructions, and has no lock for that.
std::mutex capstone;

}  // namespace

CapstoneDecoder::CapstoneDecoder(Details details) {
  const std::lock_guard lock(capstone);
  if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle_) != CS_ERR_OK) handle_ = 0;
  if (handle_ && details == Details::kYes) cs_option(handle_, CS_OPT_DETAIL, CS_OPT_ON);
}

CapstoneDecoder::~CapstoneDecoder() {
  forget();
  if (handle_) cs_close(&handle_);
}

void CapstoneDecoder::forget() {
  if (insn_) cs_free(insn_, 1);
  insn_ = nullptr;
}

const cs_insn* CapstoneDecoder::decode(std::span<const uint8_t> code, uint64_t addr) {
  forget();
  if (!handle_ || code.empty()) return nullptr;
  const std::lock_guard lock(capstone);
  if (cs_disasm(handle_, code.data(), code.size(), addr, 1, &insn_) != 1) return nullptr;
  return insn_;
}

}  // namespace cdr::analysis
