// SPDX-License-Identifier: GPL-2.0-or-later
// Machine code as text, by Capstone.
#ifndef CDRGRIND_REPORT_COMMON_DISASSEMBLER_H
#define CDRGRIND_REPORT_COMMON_DISASSEMBLER_H

#include <cstdint>
#include <span>
#include <string>

#include "cdrgrind/analysis/common/capstone_decoder.h"

namespace cdr::report {

// Not thread-safe.
class Disassembler {
 public:
  // One instruction that takes all of `code`: "mov eax, dword ptr [rbp - 4]". Empty if it is none, or is shorter:
  // then it is not the code that ran.
  std::string text(std::span<const uint8_t> code, uint64_t addr);

 private:
  analysis::CapstoneDecoder capstone_{analysis::CapstoneDecoder::Details::kNo};
};

}  // namespace cdr::report

#endif
