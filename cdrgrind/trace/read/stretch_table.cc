// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/stretch_table.h"

#include "cdrgrind/base/bits.h"
#include "cdrgrind/base/bytes.h"
#include "cdrgrind/encode/epoch.h"

namespace cdr::trace {

bool StretchTable::add(const Columns& columns, const BlockTable& blocks) {
  ByteReader lengths(columns[kStretchLengths]), new_blocks(columns[kStretchBlocks]);
  BitReader hits(columns[kStretchHits]);
  successors_.resize(blocks.block_count() + 1);
  while (!lengths.at_end()) {
    uint64_t left = lengths.bounded(2 * kMaxStretch);
    if (left == 0) return false;
    bare_.push_back(left > kMaxStretch);
    if (left > kMaxStretch) left -= kMaxStretch;
    for (uint32_t before = 0; left > 0; --left) {
      uint32_t block = successors_[before];
      if (!hits.get()) block = block_numbers_.get(new_blocks, blocks.block_count() + 1);
      if (!hits.ok() || !new_blocks.ok() || !blocks.has(BlockId(block))) return false;
      successors_[before] = block;
      steps_.emplace_back(block);
      before = block;
    }
    ends_.push_back(static_cast<uint32_t>(steps_.size()));
  }
  return lengths.ok() && new_blocks.at_end() && hits.at_end();
}

}  // namespace cdr::trace
