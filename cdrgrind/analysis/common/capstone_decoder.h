// SPDX-License-Identifier: GPL-2.0-or-later
// One machine instruction at a time, by Capstone.
#ifndef CDRGRIND_ANALYSIS_COMMON_CAPSTONE_DECODER_H
#define CDRGRIND_ANALYSIS_COMMON_CAPSTONE_DECODER_H

#include <cstddef>
#include <cstdint>
#include <span>

struct cs_insn;

namespace cdr::analysis {

// For one thread; several may have one each.
class CapstoneDecoder {
 public:
  // How much Capstone says of an instruction: text only, or operands and registers, too.
  enum class Details { kNo, kYes };

  explicit CapstoneDecoder(Details details);
  ~CapstoneDecoder();
  CapstoneDecoder(const CapstoneDecoder&) = delete;
  CapstoneDecoder& operator=(const CapstoneDecoder&) = delete;

  // The instruction that `code`, which lies at `addr`, begins with; null if it is none. Valid until the next call.
  const cs_insn* decode(std::span<const uint8_t> code, uint64_t addr);
  // The same of code that code_at(size) gives, `size` bytes or nothing: of the longest piece that is known.
  template <class F>
  const cs_insn* decode_from(F code_at, uint64_t addr) {
    std::span<const uint8_t> code;
    for (uint32_t size = kLongest; size > 0 && code.empty(); --size) code = code_at(size);
    return decode(code, addr);
  }
  // Capstone's, for functions that ask for it.
  size_t handle() const { return handle_; }

 private:
  static constexpr uint32_t kLongest = 15;  // of an instruction, in bytes

  void forget();

  size_t handle_ = 0;  // 0: Capstone could not be opened
  cs_insn* insn_ = nullptr;
};

}  // namespace cdr::analysis

#endif
