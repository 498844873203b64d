// SPDX-License-Identifier: GPL-2.0-or-later
// Ranges of an address stream, as what they touch of shared memory. The range is cut into pieces by the stream's own
// grammar, and a list of pieces that was there before has its answer already: a loop that goes over the same array in
// every round is worked out once.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_ACCESS_CLASSES_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_ACCESS_CLASSES_H

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/address_ranges.h"
#include "cdrgrind/analysis/races/policy/runtime_code.h"
#include "cdrgrind/analysis/walk/stream_runs.h"
#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/flat_map.h"

namespace cdr::races {

using analysis::Progression;
using analysis::StreamRuns;

struct AccessClass {
  uint64_t number = 0;  // which no other has or had
  uint64_t plus = 0, width = 0;
  std::vector<trace::AddressPiece> pieces;
  std::vector<Progression> runs;  // in canonical form (access_set.h)
  uint64_t left_out = 0;          // accesses to linkage tables
  bool first_kept = true;         // the first access of the range is among them
  AccessClass* before = nullptr;  // another one of the same hash
};

// A part of what the grammar repeats (AddressIndex::Repeat), and where it lies.
struct RepeatedPart {
  uint64_t base = 0, phase = 0, length = 0, plus = 0, width = 0;
  uint32_t symbol = 0;
  bool operator==(const RepeatedPart&) const = default;
};

class AccessClasses {
 public:
  AccessClasses(trace::AddressIndex& index, const AddressRanges& shared, const RangeSet& linkage)
      : index_(index), runs_(index), shared_(shared), linkage_(linkage) {}

  // Of values [begin, end) of the stream; addresses lie `plus` above them. Valid until the next forget().
  const AccessClass& of(const trace::AddressStream& s, uint64_t begin, uint64_t end, uint64_t plus, uint64_t width);
  // The same address some times.
  const AccessClass& of_constant(uint64_t addr, uint64_t times, uint64_t width);
  // Whether an access counts, to shared memory that is no linkage table.
  bool counts(uint64_t addr, uint64_t width) const {
    return shared_.overlaps({addr, addr + width}) && !linkage_.contains(addr);
  }
  // If it takes too much memory; true if it does.
  bool forget();

 private:
  struct PartHash {
    uint64_t operator()(const RepeatedPart& p) const {
      return mix64((p.base + p.plus) ^ mix64(p.phase ^ p.length << 24 ^ p.width << 56 ^ uint64_t{p.symbol} << 32));
    }
  };
  // Of a stream: where it was last.
  struct Place {
    trace::AddressIndex::Repeat in;
    uint64_t last = 0, before = 0;                                      // values with which ranges began
    std::array<std::pair<RepeatedPart, const AccessClass*>, 2> recent;  // looked for lately
  };
  // What is known of the part; make() is an AccessClass of it.
  template <class F>
  const AccessClass* repeated(const RepeatedPart& part, F make);
  Place& place_of(uint32_t stream);
  bool repeats(const trace::AddressStream& s, uint64_t begin, uint64_t end, Place& p);
  const AccessClass& of_pieces(const trace::AddressStream& s, uint64_t begin, uint64_t end, uint64_t plus,
                               uint64_t width);
  // The equal one that is known; else `made`, of values(made).
  template <class F>
  const AccessClass& known_or(AccessClass made, F values);
  const AccessClass& add(uint64_t hash, AccessClass made, std::vector<Progression> values);
  void keep_counting(const Progression& p, AccessClass& c, std::vector<Progression>& kept) const;

  trace::AddressIndex& index_;
  StreamRuns runs_;
  const AddressRanges& shared_;
  const RangeSet& linkage_;
  std::deque<AccessClass> classes_;
  FlatMap<uint64_t, AccessClass*> known_;  // by hash: the last of them
  FlatMap<RepeatedPart, const AccessClass*, PartHash> repeated_;
  std::vector<uint32_t> place_of_;  // by stream: in places_, + 1; 0: none
  std::deque<Place> places_;        // of those that were asked for
  size_t size_ = 0;
  uint64_t made_ = 0;
};

}  // namespace cdr::races

#endif
