// SPDX-License-Identifier: GPL-2.0-or-later
// Where the result of a call goes, by the code that follows the call: into which registers, places in the frame and
// variables with fixed places; to which function as its first argument; out of the function. Both ways of a branch are
// followed, until the value is nowhere any more.
//
//     call malloc              rax has it
//     mov  %rax, -0x8(%rbp)    so has the place 8 bytes below the frame pointer
//     mov  -0x8(%rbp), %rdx    and rdx
//     mov  %rdx, 0x2ee4(%rip)  and a variable with a fixed place
//     mov  -0x10(%rbp), %rcx
//     mov  %rdx, 0x18(%rcx)    and what lies 24 bytes behind where a pointer in the frame points to
//
// Only whole 64-bit moves are followed: what is said is so, and what is not said may be so, too.
#ifndef CDRGRIND_ANALYSIS_COMMON_RESULT_FLOW_H
#define CDRGRIND_ANALYSIS_COMMON_RESULT_FLOW_H

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cdr::analysis {

struct ResultPlace {
  enum class Kind : uint8_t {
    kRegister,  // `reg` has it before the instruction at `at`
    kFrame,     // `offset` from the frame pointer
    kFixed,     // at the address `addr`
    kBehind,    // where pointers lead to, from the first one on, which is in a place of the kind `first`
    kArgument,  // the first one of the function at `addr`
    kReturned,
  };
  Kind kind = Kind::kRegister;
  uint64_t at = 0;
  uint8_t reg = 0;  // as machine code numbers them
  int64_t offset = 0;
  uint64_t addr = 0;
  // Of kBehind: so far behind where the first pointer points to is the next one, and so on; last the value.
  std::vector<int64_t> steps = {};
  Kind first = Kind::kRegister;
  bool operator==(const ResultPlace&) const = default;
};

struct ResultCode {
  std::function<std::span<const uint8_t>(uint64_t addr, uint32_t size)> bytes;  // empty if they are not known
  std::function<bool(uint64_t addr)> in_function;  // the code at the address belongs to the same function
  uint64_t entry = 0;  // of that; 0: what registers hold when the call is made is not looked for
};

// `call`: the address of the call instruction. In the order of the code.
std::vector<ResultPlace> places_of_result(const ResultCode& code, uint64_t call);

}  // namespace cdr::analysis

#endif
