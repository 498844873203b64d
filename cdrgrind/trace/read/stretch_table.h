// SPDX-License-Identifier: GPL-2.0-or-later
// The dictionary of stretches of a compact trace (columns: encode/epoch.h), grown epoch by epoch.
#ifndef CDRGRIND_TRACE_READ_STRETCH_TABLE_H
#define CDRGRIND_TRACE_READ_STRETCH_TABLE_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/base/serial_numbers.h"
#include "cdrgrind/trace/read/columns.h"

namespace cdr::trace {

class StretchTable {
 public:
  // Of the last stretch; ids are serial from 1.
  uint32_t count() const { return static_cast<uint32_t>(ends_.size()); }
  std::span<const BlockId> operator[](uint32_t id) const {
    const uint32_t begin = first_step(id);
    return {steps_.data() + begin, ends_[id - 1] - begin};
  }
  // Whether the call or return that is bound to follow its last block does not come at once.
  bool bare(uint32_t id) const { return bare_[id - 1]; }
  // The place of its first block among the blocks of all stretches.
  uint32_t first_step(uint32_t id) const { return id == 1 ? 0 : ends_[id - 2]; }
  uint32_t steps() const { return static_cast<uint32_t>(steps_.size()); }
  // Adds the stretches of a STRETCHES frame. False if it is damaged.
  bool add(const Columns& columns, const BlockTable& blocks);
  // None follows: frees the room for more.
  void finish() {
    steps_.shrink_to_fit();
    ends_.shrink_to_fit();
  }
  void add(std::span<const BlockId> blocks, bool bare) {
    steps_.insert(steps_.end(), blocks.begin(), blocks.end());
    ends_.push_back(static_cast<uint32_t>(steps_.size()));
    bare_.push_back(bare);
  }

 private:
  std::vector<BlockId> steps_;
  std::vector<uint32_t> ends_;  // in steps_
  std::vector<bool> bare_;
  std::vector<uint32_t> successors_;  // by block id
  SerialNumbers block_numbers_{1};
};

}  // namespace cdr::trace

#endif
