// SPDX-License-Identifier: GPL-2.0-or-later
// The few facts about amd64 instructions that VEX IR does not say: read from the first bytes.
#ifndef CDRGRIND_TOOL_INSN_CLASS_H
#define CDRGRIND_TOOL_INSN_CLASS_H

#include <cstdint>
#include <span>

namespace cdr::tool {

struct InsnClass {
  bool linkage = false;   // call, ret, leave, push or pop of a callee-saved register
  bool atomic = false;    // LOCK prefix, or XCHG with memory
  bool repeated = false;  // F2/F3 before a string instruction
};

InsnClass classify_insn(std::span<const uint8_t> bytes);

}  // namespace cdr::tool

#endif
