// SPDX-License-Identifier: GPL-2.0-or-later
// Makes the summary of one superblock (dataflow.h) from what its code does, told in order: what is read and
// written of the state, the accesses, the exits. A Set handed out is a number of this builder; finish() numbers
// those that are used anew, by first use, so that equal code gives an equal summary.
//
// Values are told byte by byte: an Origin is the set that a byte depends on, or the byte of the state at the entry
// that it is a copy of. So moves, parts of registers and lanes of vectors stay apart.
#ifndef CDRGRIND_BASE_DATAFLOW_BUILDER_H
#define CDRGRIND_BASE_DATAFLOW_BUILDER_H

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/dataflow.h"

namespace cdr {

class DataflowBuilder {
 public:
  using Set = uint32_t;
  static constexpr Set kEmpty = 0;

  using Origin = uint32_t;  // a Set, or kEntryBit | offset

  DataflowBuilder();

  Set load(uint16_t access);
  Set unite(Set a, Set b);
  Set weaken(Set s);
  // Of all the bytes.
  Set unite(std::span<const Origin> bytes);

  // The bytes as they are now. Those of no register depend on nothing.
  void read(uint32_t offset, std::span<Origin> to) const;
  void write(uint32_t offset, std::span<const Origin> bytes);
  Set read(uint32_t offset, uint32_t size);
  void write(uint32_t offset, uint32_t size, Set s);

  void slot(Set address) { slots_.push_back(address); }
  void access(Set value, Set guard) { accesses_.push_back({value, guard}); }
  // Takes the state as it is now.
  void exit(Set condition);

  // Spans are valid until the builder is gone.
  Dataflow finish();

 private:
  static constexpr uint32_t kEntryBit = uint32_t{1} << 31;
  static constexpr uint32_t kBuckets = 256;
  static constexpr uint32_t kLoadBit = uint32_t{1} << 31;
  struct Row {
    uint32_t begin = 0, end = 0;  // in elements_
    uint32_t hash = 0;
    uint32_t next = 0;  // in the same bucket
    bool weak = false;
  };
  struct Pair {
    Set first = 0, second = 0;
  };
  struct Write {
    StatePiece piece;
    Set set = 0;
  };

  std::span<const uint32_t> elements(Set s) const {
    return std::span(elements_).subspan(rows_[s].begin, rows_[s].end - rows_[s].begin);
  }
  void append(uint32_t element);
  Set intern(uint32_t begin, bool weak);
  Set piece(uint32_t offset, uint32_t size);
  uint16_t number(Set s);

  std::vector<uint32_t> elements_;            // offset << 16 | size, or kLoadBit | access
  std::vector<Row> rows_;                     // the first is the empty set
  std::array<uint32_t, kBuckets> buckets_{};  // the newest row of each
  size_t run(std::span<const Origin> bytes) const;
  Set set_of_run(std::span<const Origin> run);

  std::array<Origin, kGuestStateBytes> state_;
  std::array<uint8_t, kGuestStateBytes> told_{};  // a write of the byte was told
  std::vector<uint16_t> changed_;                 // bytes written since the last exit
  std::vector<Set> slots_;
  std::vector<Pair> accesses_;
  std::vector<Write> writes_;
  std::vector<Pair> exits_;  // condition, writes

  std::vector<uint16_t> numbers_;  // by Set, 0 = not yet used
  std::vector<FlowInput> out_inputs_;
  std::vector<uint32_t> out_ends_;
  std::vector<uint16_t> out_slots_;
  std::vector<AccessFlow> out_accesses_;
  std::vector<StateWrite> out_writes_;
  std::vector<ExitFlow> out_exits_;
};

}  // namespace cdr

#endif
