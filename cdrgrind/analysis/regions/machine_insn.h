// SPDX-License-Identifier: GPL-2.0-or-later
// A machine instruction as values need it: the operation, its operands, which registers it reads and writes. By
// Capstone, from the module's code.
#ifndef CDRGRIND_ANALYSIS_REGIONS_MACHINE_INSN_H
#define CDRGRIND_ANALYSIS_REGIONS_MACHINE_INSN_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "cdrgrind/analysis/common/capstone_decoder.h"
#include "cdrgrind/analysis/slice/code_bytes.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/range.h"

namespace cdr::regions {

// Bits 0 … 15: general registers as machine code numbers them; 16 … 31: vector registers.
using RegisterSet = uint32_t;
constexpr uint8_t kNoRegister = 0xff, kRegisterRax = 0, kRegisterRsp = 4, kRegisterRbp = 5, kRegisterRsi = 6,
                  kRegisterRdi = 7, kFirstVector = 16;
// By the calling convention (System V ABI for AMD64, section 3.2) rbx, rbp, rsp, r12 to r15 are as before behind a
// call.
constexpr RegisterSet kKeptByCalls = 0x0000'f038;

enum class Operation : uint8_t {
  kOther,
  kMove,     // and its like that change the width, or the type
  kAddress,  // lea
  kAdd,
  kSub,
  kMul,
  kAnd,
  kOr,
  kXor,
  kMin,
  kMax,
  kCompare,  // sets flags and nothing else
  kMoveIf,   // cmov
  // Of vectors, element by element:
  kGreater,     // all ones where it is so
  kEqual,       // the same
  kAndNot,      // ~old & x
  kHighHalves,  // of the pairs
  kEvenProducts,
  kPair,  // even ones with odd ones
};

struct Operand {
  enum class Kind : uint8_t { kNone, kRegister, kMemory, kImmediate };
  Kind kind = Kind::kNone;
  uint8_t reg = kNoRegister;    // or base
  uint8_t index = kNoRegister;  // kMemory
  bool relative = false;        // kMemory: to the instruction pointer
  uint8_t scale = 1;            // kMemory: of the index
  uint8_t bytes = 0;            // kMemory: of what is there
  int64_t number = 0;           // kImmediate, or what is added to the address
  bool is_in_frame() const { return kind == Kind::kMemory && (reg == kRegisterRsp || reg == kRegisterRbp); }
  RegisterSet registers() const {  // that it names
    return (reg < 32 ? RegisterSet{1} << reg : 0) | (index < 32 ? RegisterSet{1} << index : 0);
  }
  bool operator==(const Operand&) const = default;
};

struct MachineInsn {
  bool known = false;
  Operation operation = Operation::kOther;
  uint32_t number = 0;              // Capstone's of the instruction
  std::array<Operand, 3> operands;  // the first is the target
  uint8_t operand_count = 0;
  RegisterSet reads = 0, writes = 0;          // RSP left out; what is cleared is not read
  RegisterSet low_reads = 0, low_writes = 0;  // of these, whose lowest byte alone is
  bool floating = false;
  bool shuffles = false;  // elements of one register
  bool copies = false;    // kMove: all of a register, into another
  uint8_t moves = 0;      // kMove between memory and a vector register: so many bytes as they are, from its lowest on
  bool by_equality = false;  // kMoveIf: of what is compared, or by its sign
  bool fused = false;        // kAdd: of a product of the other operands
  uint8_t element = 0;       // bytes of the smallest element of an operation on vectors; 0: it is none, or of bits
  bool whole = true;         // the target is written as a whole: 4 or 8 bytes
  bool clears = false;       // the target becomes 0
  bool moves_stack = false;  // RSP, but for calls
  int64_t stack_step = 0;    // by so much; 0: that is not known
  bool calls = false, writes_flags = false, reads_flags = false;
  bool sets_if_not_zero = false;  // the target becomes 1 if the result that the flags are of is not 0, else 0
  bool equals = false;            // kCompare: of two values, not of their bits
  int8_t jumps_if = 0;            // by a comparison: -1 if the left one is less, 1 if it is greater (or equal, either)
  // Whether it makes of the register a result of itself and something else, and nothing more: of a difference, the
  // first; of three operands, one of the last two.
  bool updates(uint8_t reg) const;
  // It may store anywhere but at a place of the frame that it names; calls left out.
  bool may_store() const;
  uint64_t equal_target = 0;    // of a jump that is decided by a comparison for equality
  bool jumps_if_equal = false;  // that one
};

// Not thread-safe.
class InsnTable {
 public:
  explicit InsnTable(slice::CodeBytes& code) : code_(code) {}

  // Stays where it is.
  const MachineInsn& at(CodeAddr addr);

 private:
  slice::CodeBytes& code_;
  analysis::CapstoneDecoder capstone_{analysis::CapstoneDecoder::Details::kYes};
  FlatMap<uint64_t, const MachineInsn*> index_;
  std::deque<MachineInsn> insns_;
};

}  // namespace cdr::regions

#endif
