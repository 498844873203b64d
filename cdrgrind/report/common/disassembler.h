// SPDX-License-Identifier: GPL-2.0-or-later
// Machine code as text, by Capstone. Without it (configure says so) there is no text.
#ifndef CDRGRIND_REPORT_COMMON_DISASSEMBLER_H
#define CDRGRIND_REPORT_COMMON_DISASSEMBLER_H

#include <cstdint>
#include <span>
#include <string>

namespace cdr::report {

// Not thread-safe.
class Disassembler {
 public:
  Disassembler();
  ~Disassembler();
  Disassembler(const Disassembler&) = delete;
  Disassembler& operator=(const Disassembler&) = delete;

  // One instruction that takes all of `code`: "mov eax, dword ptr [rbp - 4]". Empty if it is none, or is shorter:
  // then it is not the code that ran.
  std::string text(std::span<const uint8_t> code, uint64_t addr);

 private:
  size_t handle_ = 0;  // Capstone's, 0 if there is none
};

}  // namespace cdr::report

#endif
