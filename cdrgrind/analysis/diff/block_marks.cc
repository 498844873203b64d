// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/diff/block_marks.h"

#include "cdrgrind/base/checksum.h"

namespace cdr::diff {

std::string_view identity_of(const Module& m) { return m.file_id.empty() ? m.path : m.file_id; }

BlockMarks marks_of_code(const BlockTable& blocks, const ModuleTable& modules, const std::vector<bool>& counts) {
  std::vector<uint64_t> files(modules.size() + 1);
  for (const Module& m : modules) {
    const std::string_view id = identity_of(m);
    files[m.id.value] = checksum64({reinterpret_cast<const uint8_t*>(id.data()), id.size()});
  }
  BlockMarks marks(blocks.block_count());
  for (uint32_t i = 1; i <= blocks.block_count(); ++i) {
    const BlockId id(i);
    const Superblock& sb = blocks.superblock_of(id);
    if (!counts[blocks.block(id).superblock.value]) continue;
    const uint64_t bias = sb.module ? modules[sb.module].bias : 0;
    marks.add(id, mix64(files[sb.module.value] + mix64(((sb.addr - bias) << 8) + blocks.block(id).exit)));
  }
  return marks;
}

}  // namespace cdr::diff
