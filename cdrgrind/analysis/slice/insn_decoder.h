// SPDX-License-Identifier: GPL-2.0-or-later
// Where an instruction that was not executed would have gone: by Capstone, from the module's code.
#ifndef CDRGRIND_ANALYSIS_SLICE_INSN_DECODER_H
#define CDRGRIND_ANALYSIS_SLICE_INSN_DECODER_H

#include <cstdint>
#include <optional>

#include "cdrgrind/analysis/common/capstone_decoder.h"
#include "cdrgrind/analysis/slice/code_bytes.h"

namespace cdr::slice {

struct DecodedInsn {
  enum class Flow : uint8_t { kNext, kConditional, kJump, kLeaves };
  Flow flow = Flow::kNext;  // kNext: calls too; kLeaves: returns, indirect jumps, traps
  uint32_t length = 0;
  uint64_t target = 0;  // kConditional, kJump, of a call
  bool calls = false;
};

// Not thread-safe.
class InsnDecoder {
 public:
  explicit InsnDecoder(CodeBytes& code) : code_(code) {}

  // Nothing if the code is not known or is none.
  std::optional<DecodedInsn> decode(ModuleId module, uint64_t addr);

 private:
  CodeBytes& code_;
  analysis::CapstoneDecoder capstone_{analysis::CapstoneDecoder::Details::kYes};
};

}  // namespace cdr::slice

#endif
