// SPDX-License-Identifier: GPL-2.0-or-later
// The result table while it grows: counts by key, all in small numbers. A row is named by its index, which
// never changes.
#ifndef CDRGRIND_DEPEND_TALLY_H
#define CDRGRIND_DEPEND_TALLY_H

#include <cstdint>
#include <vector>

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/depend/code_table.h"
#include "cdrgrind/depend/result_table.h"

namespace cdr::depend {

using RowIndex = uint32_t;

struct TallyKey {
  CodeIndex ancestor = 0;
  CodeIndex source = 0;
  CodeIndex target = 0;
  uint32_t source_thread = 0;
  uint32_t target_thread = 0;
  uint8_t ancestor_hidden = 0;
  uint8_t codes = 0;     // EndpointCode of the source + 4 * that of the target
  uint8_t location = 0;  // LocationClass
  uint8_t kind = 0;      // Kind
  bool operator==(const TallyKey&) const = default;
};

struct TallyWitness {
  uint64_t addr = 0;
  CodeIndex source = 0;
  CodeIndex target = 0;
  uint32_t width = 0;
};

class Tally {
 public:
  RowIndex row(const TallyKey& key, const TallyWitness& witness) {
    const auto [known, added] = index_.insert(key);
    if (added) {
      *known = static_cast<RowIndex>(rows_.size());
      rows_.push_back({0, 0, key, witness});
    }
    return *known;
  }
  void count(RowIndex row) { ++rows_[row].count; }
  // Counts once per `access`, a number that differs from access to access; false: it had been.
  bool count_once(RowIndex row, uint64_t access) {
    Entry& e = rows_[row];
    if (e.access == access) return false;
    e.access = access;
    ++e.count;
    return true;
  }
  std::vector<Row> rows(const CodeTable& codes) const;
  size_t bytes() const { return rows_.capacity() * sizeof(Entry) + index_.capacity_bytes(); }

 private:
  struct Entry {
    uint64_t count;
    uint64_t access;
    TallyKey key;
    TallyWitness witness;
  };
  struct Hash {
    uint64_t operator()(const TallyKey& k) const {
      const uint64_t small = k.ancestor_hidden | uint64_t{k.codes} << 8 | uint64_t{k.location} << 16 |
                             uint64_t{k.kind} << 24 | uint64_t{k.ancestor} << 32;
      const uint64_t ends = uint64_t{k.source} << 32 | k.target;
      const uint64_t threads = uint64_t{k.source_thread} << 32 | k.target_thread;
      return mix64(small + ends * 0x9e3779b97f4a7c15u + threads * 0xc2b2ae3d27d4eb4fu);
    }
  };
  std::vector<Entry> rows_;
  FlatMap<TallyKey, RowIndex, Hash> index_;
};

}  // namespace cdr::depend

#endif
