// SPDX-License-Identifier: GPL-2.0-or-later
// What of each block counts when paths are compared, as marks: numbers that are equal where the blocks of two traces
// are to be taken for the same. Blocks without marks are passed over: whether they are executed makes no difference.
#ifndef CDRGRIND_ANALYSIS_DIFF_BLOCK_MARKS_H
#define CDRGRIND_ANALYSIS_DIFF_BLOCK_MARKS_H

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/diff/path_hash.h"
#include "cdrgrind/base/block_table.h"
#include "cdrgrind/base/module_table.h"

namespace cdr::diff {

class BlockMarks {
 public:
  explicit BlockMarks(uint32_t blocks) : of_(blocks + 1) {}

  // At most two a block.
  void add(BlockId id, uint64_t mark) {
    Marks& m = of_[id.value];
    m.mark[m.count++] = mark % kHashModulus;
  }
  std::span<const uint64_t> of(BlockId id) const {
    const Marks& m = of_[id.value];
    return std::span(m.mark).first(m.count);
  }
  // Of one execution.
  PathHash hash(BlockId id) const {
    PathHash h;
    for (const uint64_t mark : of(id)) h.add_mark(mark);
    h.blocks = 1;
    return h;
  }
  uint32_t blocks() const { return static_cast<uint32_t>(of_.size() - 1); }

 private:
  struct Marks {
    std::array<uint64_t, 2> mark = {};
    uint8_t count = 0;
  };
  std::vector<Marks> of_;  // by block
};

// What identifies the file of a module, or, where nothing does, its path.
std::string_view identity_of(const Module& m);

// A mark for each block of the superblocks that count (by id): where in its file it lies, and the exit that it took. So
// blocks of two traces are the same if they are those of one file.
BlockMarks marks_of_code(const BlockTable& blocks, const ModuleTable& modules, const std::vector<bool>& counts);

}  // namespace cdr::diff

#endif
