// SPDX-License-Identifier: GPL-2.0-or-later
// What a machine instruction reads and writes, as far as loops that wait need it: by Capstone, from the module's code.
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_INSN_EFFECTS_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_INSN_EFFECTS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cdrgrind/analysis/common/capstone_decoder.h"
#include "cdrgrind/analysis/races/core/facts.h"

namespace cdr::races {

// A set of general registers, whole ones: bit n is register n as machine code numbers them, so 4 is RSP, 5 RBP.
using Registers = uint32_t;
constexpr Registers kRax = 1, kRsp = 1 << 4, kRbp = 1 << 5;

struct MemoryOperand {
  Registers base = 0, index = 0;  // at most one each
  int64_t constant = 0;           // with RIP as base: the address
  uint8_t scale = 1;              // of the index
  bool own = false;               // relative to FS: a thread's own data
  uint8_t width = 0;              // bytes; not compared
  bool operator==(const MemoryOperand& o) const {
    return base == o.base && index == o.index && constant == o.constant && scale == o.scale && own == o.own;
  }
};

struct InsnEffects {
  uint32_t length = 0;
  uint32_t operation = 0;     // a number for it
  int64_t immediate = 0;      // operand; 0: none
  bool falls_through = true;  // may go on behind itself
  bool conditional = false;   // and elsewhere
  uint64_t target = 0;        // of a direct jump
  bool returns = false;
  bool calls = false;
  uint64_t called = 0;                       // 0: not constant
  bool full_fence = false;                   // MFENCE, or a locked OR or ADD of 0 to the top of the stack
  bool harmless = false;                     // besides this it reads and writes registers and what follows only
  std::vector<MemoryOperand> loads, stores;  // pushes left out
  Registers reads = 0;                       // values, not for addresses
  Registers writes = 0;
  bool reads_flags = false, writes_flags = false;
  bool is_plain_load = false;            // mov and its like: the register is what was loaded
  bool extends_sign = false;             // such a move into a wider register
  bool compares = false;                 // CMP
  bool counts = false;                   // adds a constant to what it writes
  uint8_t width = 0;                     // bytes of what a move or LEA writes
  std::optional<MemoryOperand> address;  // of LEA, which accesses nothing
};

// Not thread-safe.
class InsnReader {
 public:
  explicit InsnReader(CodeFacts& facts) : facts_(facts) {}

  // Nothing if the code is not known or is none.
  std::optional<InsnEffects> read(CodeAddr at);

 private:
  CodeFacts& facts_;
  analysis::CapstoneDecoder capstone_{analysis::CapstoneDecoder::Details::kYes};
};

}  // namespace cdr::races

#endif
