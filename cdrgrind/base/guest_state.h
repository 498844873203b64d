// SPDX-License-Identifier: GPL-2.0-or-later
// The guest's registers as one range of bytes, laid out by us, so that a trace does not depend on a version of
// Valgrind: integer registers in the order of their numbers, the four words of lazily computed flags, the rest.
// The instruction pointer is not part of it: exits have targets.
#ifndef CDRGRIND_BASE_GUEST_STATE_H
#define CDRGRIND_BASE_GUEST_STATE_H

#include <cstdint>
#include <string_view>

namespace cdr {

enum GuestStateOffset : uint16_t {
  kStateRax = 0,
  kStateRcx = 8,
  kStateRdx = 16,
  kStateRbx = 24,
  kStateRsp = 32,
  kStateRbp = 40,
  kStateRsi = 48,
  kStateRdi = 56,
  kStateR8 = 64,
  kStateR11 = 88,
  kStateR12 = 96,
  kStateR15 = 120,
  kStateCcOp = 128,    // kind of the operation that set the flags
  kStateCcDep1 = 136,  // its operands or result
  kStateCcDep2 = 144,
  kStateCcNdep = 152,  // flags before it, where it keeps some
  kStateDflag = 160,
  kStateAcflag = 168,
  kStateIdflag = 176,
  kStateFs = 184,  // base address
  kStateGs = 192,
  kStateSseround = 200,
  kStateFpround = 208,
  kStateFc3210 = 216,
  kStateFtop = 224,   // 4 bytes
  kStateFptag = 232,  // 8 tags of a byte
  kStateFpreg = 256,  // 8 registers of 8 bytes
  kStateYmm0 = 320,   // 17 registers of 32 bytes; the last is Valgrind's own
};
constexpr uint32_t kGuestStateBytes = kStateYmm0 + 17 * 32;

struct GuestRegister {
  uint16_t offset = 0;
  uint16_t size = 0;
  uint16_t usual = 0;  // bytes that most instructions touch, from its first
  std::string_view name;
};

constexpr uint32_t kGuestRegisterCount = 31 + 17;
// Ascending by offset.
const GuestRegister& guest_register(uint32_t number);
// Number of the register that holds the byte; kGuestRegisterCount if none does.
uint32_t register_of(uint32_t offset);

}  // namespace cdr

#endif
