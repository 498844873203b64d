// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/base/guest_state.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace cdr {
namespace {

constexpr GuestRegister kRegisters[] = {
    {kStateRax, 8, 8, "rax"},
    {kStateRcx, 8, 8, "rcx"},
    {kStateRdx, 8, 8, "rdx"},
    {kStateRbx, 8, 8, "rbx"},
    {kStateRsp, 8, 8, "rsp"},
    {kStateRbp, 8, 8, "rbp"},
    {kStateRsi, 8, 8, "rsi"},
    {kStateRdi, 8, 8, "rdi"},
    {kStateR8, 8, 8, "r8"},
    {kStateR8 + 8, 8, 8, "r9"},
    {kStateR8 + 16, 8, 8, "r10"},
    {kStateR11, 8, 8, "r11"},
    {kStateR12, 8, 8, "r12"},
    {kStateR12 + 8, 8, 8, "r13"},
    {kStateR12 + 16, 8, 8, "r14"},
    {kStateR15, 8, 8, "r15"},
    {kStateCcOp, 8, 8, "cc_op"},
    {kStateCcDep1, 8, 8, "cc_dep1"},
    {kStateCcDep2, 8, 8, "cc_dep2"},
    {kStateCcNdep, 8, 8, "cc_ndep"},
    {kStateDflag, 8, 8, "dflag"},
    {kStateAcflag, 8, 8, "acflag"},
    {kStateIdflag, 8, 8, "idflag"},
    {kStateFs, 8, 8, "fs"},
    {kStateGs, 8, 8, "gs"},
    {kStateSseround, 8, 8, "sseround"},
    {kStateFpround, 8, 8, "fpround"},
    {kStateFc3210, 8, 8, "fc3210"},
    {kStateFtop, 4, 4, "ftop"},
    {kStateFptag, 8, 8, "fptag"},
    {kStateFpreg, 64, 64, "fpreg"},
#define CDR_YMM(n) \
  { kStateYmm0 + 32 * n, 32, 16, "ymm" #n }
    CDR_YMM(0),
    CDR_YMM(1),
    CDR_YMM(2),
    CDR_YMM(3),
    CDR_YMM(4),
    CDR_YMM(5),
    CDR_YMM(6),
    CDR_YMM(7),
    CDR_YMM(8),
    CDR_YMM(9),
    CDR_YMM(10),
    CDR_YMM(11),
    CDR_YMM(12),
    CDR_YMM(13),
    CDR_YMM(14),
    CDR_YMM(15),
    CDR_YMM(16),
#undef CDR_YMM
};
static_assert(std::size(kRegisters) == kGuestRegisterCount);

constexpr auto kRegisterOfByte = [] {
  std::array<uint8_t, kGuestStateBytes> of{};
  of.fill(kGuestRegisterCount);
  for (uint32_t r = 0; r < kGuestRegisterCount; ++r)
    for (uint32_t i = 0; i < kRegisters[r].size; ++i) of[kRegisters[r].offset + i] = static_cast<uint8_t>(r);
  return of;
}();

}  // namespace

const GuestRegister& guest_register(uint32_t number) { return kRegisters[number]; }
uint32_t register_of(uint32_t offset) {
  return offset < kGuestStateBytes ? kRegisterOfByte[offset] : kGuestRegisterCount;
}

}  // namespace cdr
