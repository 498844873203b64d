// SPDX-License-Identifier: GPL-2.0-or-later
// Which labels the bytes of a thread's registers hold.
#ifndef CDRGRIND_ANALYSIS_SLICE_LABEL_REGISTERS_H
#define CDRGRIND_ANALYSIS_SLICE_LABEL_REGISTERS_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "cdrgrind/analysis/slice/label_sets.h"
#include "cdrgrind/base/dataflow.h"
#include "cdrgrind/base/guest_state.h"

namespace cdr::slice {

class LabelRegisters {
 public:
  // Registers that hold some, a bit each.
  uint64_t held() const { return held_; }
  static uint64_t bit_of(uint32_t offset) { return uint64_t{1} << register_of(offset); }

  template <class Table>
  Labels at(StatePiece p, Table& table) const {
    if (!(held_ & bit_of(p.offset))) return 0;
    Labels all = bytes_[p.offset], last = all;
    for (uint32_t b = p.offset + 1u; b < p.end(); ++b)
      if (bytes_[b] != last) all = table.unite(all, last = bytes_[b]);
    return all;
  }
  void set(StatePiece p, Labels labels) {
    const uint64_t bit = bit_of(p.offset);
    if (labels == 0 && !(held_ & bit)) return;
    for (uint32_t b = p.offset; b < p.end(); ++b) bytes_[b] = labels;
    held_ |= bit;
    if (labels == 0) drop_if_empty(p.offset);
  }
  // same(labels, labels) for all bytes.
  template <class Same>
  bool is_like(const LabelRegisters& other, Same same) const {
    return held_ == other.held_ && std::equal(bytes_.begin(), bytes_.end(), other.bytes_.begin(), same);
  }
  // All registers of the mask.
  void clear(uint64_t mask) {
    for (mask &= held_; mask != 0; mask &= mask - 1) clear_register(static_cast<uint32_t>(__builtin_ctzll(mask)));
  }
  // The registers of the mask are those of `other` again.
  void restore(const LabelRegisters& other, uint64_t mask) {
    clear(mask);
    for (mask &= other.held_; mask != 0; mask &= mask - 1) {
      const GuestRegister& r = guest_register(static_cast<uint32_t>(__builtin_ctzll(mask)));
      for (uint32_t b = r.offset; b < uint32_t{r.offset} + r.size; ++b) bytes_[b] = other.bytes_[b];
      held_ |= bit_of(r.offset);
    }
  }

 private:
  void clear_register(uint32_t number) {
    const GuestRegister& r = guest_register(number);
    for (uint32_t b = r.offset; b < uint32_t{r.offset} + r.size; ++b) bytes_[b] = 0;
    held_ &= ~(uint64_t{1} << number);
  }
  void drop_if_empty(uint32_t offset) {
    const GuestRegister& r = guest_register(register_of(offset));
    for (uint32_t b = r.offset; b < uint32_t{r.offset} + r.size; ++b)
      if (bytes_[b] != 0) return;
    held_ &= ~bit_of(offset);
  }

  uint64_t held_ = 0;
  std::array<Labels, kGuestStateBytes> bytes_{};
};

}  // namespace cdr::slice

#endif
