// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/policy/straight_values.h"

#include <bit>

namespace cdr::races {

namespace {

constexpr int kMostMoves = 8;  // of one value

bool is_constant(const MemoryOperand& m) { return m.base == 0 && m.index == 0; }

// Of the low bytes of a value, of which an instruction keeps so many.
uint64_t extended(uint64_t value, unsigned bytes, bool sign) {
  if (bytes == 0 || bytes >= sizeof(uint64_t)) return value;
  const unsigned shift = 8 * (static_cast<unsigned>(sizeof(uint64_t)) - bytes);
  return sign ? static_cast<uint64_t>(static_cast<int64_t>(value << shift) >> shift) : value << shift >> shift;
}

// The instruction sets all of the register.
bool sets_whole(const InsnEffects& e) { return e.width >= 4; }

}  // namespace

std::optional<uint64_t> StraightValues::sum(const MemoryOperand& m, size_t at, int depth) const {
  if (m.own || depth > kMostMoves) return std::nullopt;
  auto value = static_cast<uint64_t>(m.constant);
  if (m.base) {
    const auto base = in_register(m.base, at, depth + 1);
    if (!base) return std::nullopt;
    value += *base;
  }
  if (m.index) {
    const auto index = in_register(m.index, at, depth + 1);
    if (!index) return std::nullopt;
    value += *index * m.scale;
  }
  return value;
}

std::optional<uint64_t> StraightValues::in_register(Registers reg, size_t at, int depth) const {
  if (depth > kMostMoves) return std::nullopt;
  for (; at > 0; --at) {
    const InsnEffects& e = *code_[at - 1];
    if (!(e.writes & reg)) continue;
    if (!sets_whole(e)) return std::nullopt;
    if (e.address) return sum(*e.address, at - 1, depth + 1);
    if (!e.is_plain_load) return std::nullopt;
    if (e.loads.size() == 1) {
      const auto v = in_memory(e.loads[0], at - 1, depth + 1);
      return v ? std::optional(extended(*v, e.loads[0].width, e.extends_sign)) : std::nullopt;
    }
    if (e.reads == 0) return extended(static_cast<uint64_t>(e.immediate), e.width, false);
    if (!std::has_single_bit(e.reads) || e.extends_sign) return std::nullopt;
    const auto v = in_register(e.reads, at - 1, depth + 1);
    return v ? std::optional(extended(*v, e.width, false)) : std::nullopt;
  }
  return std::nullopt;
}

// Only if the last store of all is the one of it.
std::optional<uint64_t> StraightValues::in_memory(const MemoryOperand& m, size_t at, int depth) const {
  if (depth > kMostMoves || !is_constant(m)) return std::nullopt;
  for (; at > 0; --at) {
    const InsnEffects& e = *code_[at - 1];
    if (e.full_fence || e.stores.empty()) continue;
    if (!e.is_plain_load || !(e.stores[0] == m) || e.stores[0].width != m.width) return std::nullopt;
    if (e.reads == 0) return static_cast<uint64_t>(e.immediate);
    return std::has_single_bit(e.reads) ? in_register(e.reads, at - 1, depth + 1) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace cdr::races
