// SPDX-License-Identifier: GPL-2.0-or-later
// The result table while it grows: counts by key, all in small numbers. A row is named by its index, which
// never changes.
#ifndef CDRGRIND_DEPEND_ROW_TABLE_H
#define CDRGRIND_DEPEND_ROW_TABLE_H

#include <cstdint>
#include <utility>
#include <vector>

#include "cdrgrind/depend/code_table.h"
#include "cdrgrind/depend/part_results.h"
#include "cdrgrind/depend/result_table.h"

namespace cdr::depend {

// A Key in three words.
struct RowKey {
  uint64_t ancestor_and_source = 0;  // CodeIndex << 32 | CodeIndex
  uint64_t target_and_rest = 0;      // CodeIndex << 32 | rest()
  uint64_t threads = 0;              // of source << 32 | of target

  // The part that the activations decide, and that of the location and the accesses.
  static uint32_t rest(bool ancestor_hidden, EndpointCode source, EndpointCode target) {
    return (ancestor_hidden ? 1u : 0u) | static_cast<uint32_t>(source) << 1 | static_cast<uint32_t>(target) << 3;
  }
  static uint32_t rest(LocationClass c, Kind k) {
    return static_cast<uint32_t>(c) << 5 | static_cast<uint32_t>(k) << 8;
  }
  // The codes of source and target.
  static std::pair<EndpointCode, EndpointCode> codes(const RowKey& k) {
    return {static_cast<EndpointCode>(k.target_and_rest >> 1 & 3),
            static_cast<EndpointCode>(k.target_and_rest >> 3 & 3)};
  }
  bool operator==(const RowKey&) const = default;
};

struct RowWitness {
  uint64_t addr = 0;
  CodeIndex source = 0;
  CodeIndex target = 0;
  uint32_t width = 0;
  uint32_t site = 0;  // of the target
};

class RowTable {
 public:
  RowTable() : table_(kLeastTable) {}

  static uint64_t hash(const RowKey& k) {
    const uint64_t h = ((k.ancestor_and_source ^ k.threads) * 0x9e3779b97f4a7c15u) + k.target_and_rest;
    return (h ^ h >> 32) * 0xc2b2ae3d27d4eb4fu >> 32;
  }

  // The key's row, which is made if there is none: witness() says what the first one was.
  template <class F>
  RowIndex row(const RowKey& key, F witness) {
    for (uint64_t at = hash(key);; ++at) {
      RowIndex& r = table_[at & mask_];
      if (r == 0) [[unlikely]]
        return add(r, key, witness());
      if (keys_[r - 1] == key) [[likely]]
        return r - 1;
    }
  }
  void count(RowIndex row, uint64_t times = 1) { tallies_[row].count += times; }
  // Counts once per `access`, a number that differs from access to access; false: it had been.
  bool count_once(RowIndex row, uint64_t access) {
    Tally& t = tallies_[row];
    if (t.access == access) return false;
    t.access = access;
    if (crossing_ != 0) [[unlikely]]
      hits_.push_back({crossing_, row});
    else
      ++t.count;
    return true;
  }
  // What count_once() is told until end_crossing() is of an access of which this part of the memory has a share only.
  void begin_crossing(uint64_t number) { crossing_ = number; }
  void end_crossing() { crossing_ = 0; }
  std::vector<CrossingHit>& hits() { return hits_; }

  // A block or a system call begins.
  void begin_step() { ++step_; }
  // Accesses met so far, those of the present block included.
  void count_accesses(uint64_t n) { accesses_ += n; }
  uint64_t accesses() const { return accesses_; }
  // Which of the accesses of one instruction is under way.
  void set_member(uint32_t member) { member_ = member; }

  std::vector<PartRow> rows(const CodeTable& codes) const;
  Key key(RowIndex row, const CodeTable& codes) const;
  size_t bytes() const {
    return entries_.capacity() * (sizeof(RowDetail) + sizeof(RowKey) + sizeof(Tally)) +
           table_.size() * sizeof(RowIndex);
  }

 private:
  struct Tally {
    uint64_t count = 0;
    uint64_t access = 0;  // that counted last, by count_once()
  };
  struct RowDetail {
    RowWitness witness;
    uint64_t step;  // the moment of the witness
    uint32_t member;
  };
  static constexpr size_t kLeastTable = 1024;

  RowIndex add(RowIndex& place, const RowKey& key, const RowWitness& witness);

  std::vector<Tally> tallies_;
  std::vector<RowKey> keys_;
  std::vector<RowDetail> entries_;
  std::vector<RowIndex> table_;  // + 1; open addressing, at most half full
  uint64_t mask_ = kLeastTable - 1;
  uint64_t step_ = 0;
  uint64_t accesses_ = 0;
  uint32_t member_ = 0;
  uint64_t crossing_ = 0;
  std::vector<CrossingHit> hits_;
};

}  // namespace cdr::depend

#endif
