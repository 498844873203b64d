// SPDX-License-Identifier: GPL-2.0-or-later
// Several engines may share the memory among them, line by line (Options::parts): each has the whole stream and does
// the accesses to its lines. What they found, put together, is what one engine finds: counts are sums, and the witness
// of a row is the earliest, without its source (see Witness). An access to lines of several parts must count
// once: such hits are kept apart, by the number that all parts give the access, and put together access by access.
#ifndef CDRGRIND_DEPEND_PART_RESULTS_H
#define CDRGRIND_DEPEND_PART_RESULTS_H

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/depend/result_table.h"

namespace cdr::depend {

using RowIndex = uint32_t;

// When an access was made: the same in all parts, and later for later ones.
struct Moment {
  uint64_t step = 0;    // of the stream, see Witness
  uint32_t site = 0;    // in the code
  uint32_t member = 0;  // of those of one instruction
  auto operator<=>(const Moment&) const = default;
};

// The count may be 0: of accesses to several lines only.
struct PartRow {
  Row row;
  Moment first;
};

// An access to several lines has the row.
struct CrossingHit {
  uint64_t access = 0;
  RowIndex row = 0;  // of the part's table; or of RowNumbers
  bool operator==(const CrossingHit&) const = default;
};

// The rows of all parts together.
class PartResults {
 public:
  // A number for the key: the same whichever part asks.
  uint32_t number_of(const Key& key);
  // Those with this number and greater ones.
  std::vector<Key> keys_from(uint32_t number) const;
  // One list for each part, ascending by access, rows by number: all of a stretch of the stream.
  void count(std::span<const std::vector<CrossingHit>> parts);
  void add(std::span<const PartRow> part);

  // Whatever the number of parts, one too, the same to the byte; of the statistics what does not depend on it.
  ResultTable table(uint32_t granularity, const Stats& stats) const;

 private:
  struct KeyHash {
    uint64_t operator()(const Key& k) const;
  };

  std::vector<PartRow> rows_;  // by number
  FlatMap<Key, uint32_t, KeyHash> numbers_;
};

}  // namespace cdr::depend

#endif
