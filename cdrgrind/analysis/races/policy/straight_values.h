// SPDX-License-Identifier: GPL-2.0-or-later
// What registers and memory hold in straight-line code, where it alone tells: constants, and what was stored before.
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_STRAIGHT_VALUES_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_STRAIGHT_VALUES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cdrgrind/analysis/races/policy/insn_effects.h"

namespace cdr::races {

// `code`: instructions as they are executed, without calls. It must outlive this.
class StraightValues {
 public:
  explicit StraightValues(const std::vector<const InsnEffects*>& code) : code_(code) {}

  // The address of an operand of instruction number `at`.
  std::optional<uint64_t> address(const MemoryOperand& m, size_t at) const { return sum(m, at, 0); }

 private:
  std::optional<uint64_t> sum(const MemoryOperand& m, size_t at, int depth) const;
  std::optional<uint64_t> in_register(Registers reg, size_t at, int depth) const;
  std::optional<uint64_t> in_memory(const MemoryOperand& m, size_t at, int depth) const;

  const std::vector<const InsnEffects*>& code_;
};

}  // namespace cdr::races

#endif
