// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/pointed_access.h"

#include <algorithm>

namespace cdr::report {
namespace {

bool names_frame(const regions::MachineInsn& m) {
  return std::any_of(m.operands.begin(), m.operands.end(), [](const regions::Operand& o) { return o.is_in_frame(); });
}

}  // namespace

const regions::MachineInsn& insn_of_access(const advise::Advisor& with, SuperblockId id, uint16_t access) {
  const Superblock& sb = with.blocks.superblock(id);
  return with.values.insns().at({sb.module, sb.insn_addr(sb.accesses[access].insn)});
}

bool is_by_argument(const advise::Advisor& with, SuperblockId id, uint16_t access) {
  const auto& addresses = with.values.of(id).address_of;
  const auto parts = addresses.find(access);
  if (parts == addresses.end() || parts->second.size() != 1 || !parts->second[0].is_copy()) return false;
  const advise::Leaf& leaf = parts->second[0].leaves[0];
  if (leaf.kind != advise::Leaf::Kind::kLoad) return leaf.kind == advise::Leaf::Kind::kEntry;
  const auto [sb, load] = with.values.origin(id, leaf.ref);
  return names_frame(insn_of_access(with, sb, load));
}

bool is_behind_pointer(const advise::Advisor& with, SuperblockId id, uint16_t access, bool in_frame) {
  const auto& addresses = with.values.of(id).address_of;
  const auto parts = addresses.find(access);
  if (parts == addresses.end() || names_frame(insn_of_access(with, id, access))) return false;
  bool by_load = false;
  for (const advise::Value& part : parts->second)
    for (const advise::Leaf& leaf : part.leaves) {
      if (leaf.kind == advise::Leaf::Kind::kEntry &&
          (leaf.ref == regions::kRegisterRbp || leaf.ref == regions::kRegisterRsp))
        return false;
      by_load |= leaf.kind == advise::Leaf::Kind::kLoad;
    }
  return in_frame ? by_load : is_by_argument(with, id, access);
}

}  // namespace cdr::report
