// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/insn_class.h"

namespace cdr::tool {
namespace {

bool is_legacy_prefix(uint8_t b) {
  switch (b) {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xf0:
    case 0xf2:
    case 0xf3:
      return true;
    default:
      return false;
  }
}

bool is_string_opcode(uint8_t op) {
  return (op >= 0xa4 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf) || (op >= 0x6c && op <= 0x6f);
}

// rbx, rbp, r12..r15
bool is_callee_saved(unsigned reg) { return reg == 3 || reg == 5 || reg >= 12; }

bool is_linkage(uint8_t op, uint8_t modrm, bool rex_b) {
  const unsigned digit = (modrm >> 3) & 7;
  switch (op) {
    case 0xe8:
    case 0xc3:
    case 0xc2:
    case 0xcb:
    case 0xca:
    case 0xc9:
      return true;
    case 0xff:
      return digit == 2 || digit == 3;
    default:
      return op >= 0x50 && op <= 0x5f && is_callee_saved((op & 7u) + (rex_b ? 8u : 0u));
  }
}

}  // namespace

InsnClass classify_insn(std::span<const uint8_t> bytes) {
  InsnClass c;
  bool lock = false, rep = false, rex_b = false;
  size_t i = 0;
  for (; i < bytes.size() && is_legacy_prefix(bytes[i]); ++i) {
    lock |= bytes[i] == 0xf0;
    rep |= bytes[i] == 0xf2 || bytes[i] == 0xf3;
  }
  if (i < bytes.size() && (bytes[i] & 0xf0) == 0x40) rex_b = bytes[i++] & 1;
  if (i >= bytes.size()) return c;
  const uint8_t op = bytes[i];
  const uint8_t modrm = i + 1 < bytes.size() ? bytes[i + 1] : 0xc0;
  c.linkage = is_linkage(op, modrm, rex_b);
  c.atomic = lock || ((op == 0x86 || op == 0x87) && (modrm >> 6) != 3);
  c.repeated = rep && is_string_opcode(op);
  return c;
}

}  // namespace cdr::tool
