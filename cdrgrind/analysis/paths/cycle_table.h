// SPDX-License-Identifier: GPL-2.0-or-later
// Cycles and their ids, serial by first appearance. A cycle is kept as varints: a length's worth of elements, each
// its id's distance to the one before, twice, plus one if a count follows.
//
// A table that has become too large is begun anew (a new *epoch*): it forgets its cycles, and ids go on, so that
// every id means one cycle for ever. A cycle that comes again in a later epoch has a second id.
#ifndef CDRGRIND_ANALYSIS_PATHS_CYCLE_TABLE_H
#define CDRGRIND_ANALYSIS_PATHS_CYCLE_TABLE_H

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/common/name_table.h"
#include "cdrgrind/analysis/paths/cycles.h"
#include "cdrgrind/base/bytes.h"

namespace cdr::paths {

void write_cycle(std::span<const Element> cycle, ByteWriter& to);
// All that `from` has. False if it is no cycle.
bool read_cycle(ByteReader& from, std::vector<Element>& to);

// Not thread-safe.
class CycleTable {
 public:
  // The id, and whether the cycle is new.
  std::pair<uint64_t, bool> id_of(std::span<const Element> cycle);

  // Of this epoch: first_id() … end_id() - 1.
  uint64_t first_id() const { return first_; }
  uint64_t end_id() const { return first_ + texts_.size(); }
  std::span<const uint8_t> text(uint64_t id) const {
    const std::string_view s = texts_.name(static_cast<uint32_t>(id - first_));
    return {reinterpret_cast<const uint8_t*>(s.data()), s.size()};
  }
  std::vector<Element> cycle(uint64_t id) const;

  void begin_epoch();
  uint64_t epochs() const { return epochs_; }
  size_t bytes() const { return texts_.bytes(); }

 private:
  analysis::NameTable texts_;
  ByteWriter scratch_;
  uint64_t first_ = 0;
  uint64_t epochs_ = 1;
};

}  // namespace cdr::paths

#endif
