// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/first_control.h"

#include <cstring>
#include <optional>
#include <span>

#include "cdrgrind/analysis/events/visit.h"

namespace cdr::races {

namespace {

// `%fs:DISPLACEMENT'.
std::optional<int32_t> fs_displacement(std::span<const uint8_t> code) {
  size_t i = 1;
  if (code.size() < 9 || code[0] != 0x64) return std::nullopt;
  if ((code[i] & 0xf0) == 0x40) ++i;
  if (code[i++] == 0x0f) ++i;
  if (i + 6 > code.size() || (code[i] & 0xc7) != 0x04 || code[i + 1] != 0x25) return std::nullopt;
  int32_t displacement;
  std::memcpy(&displacement, &code[i + 2], sizeof displacement);
  return displacement;
}

}  // namespace

void FirstControl::look(const Event& e) {
  analysis::visit_accesses(e, blocks_, [&](const analysis::Seen& seen) {
    if (!seen.access || address_ != 0) return;
    const Superblock& sb = blocks_.superblock_of(e.block);
    const auto at = fs_displacement(facts_.code_at({sb.module, sb.insn_addr(seen.access->insn)}, 9));
    if (at) address_ = seen.addr - static_cast<uint64_t>(int64_t{*at});
  });
}

}  // namespace cdr::races
