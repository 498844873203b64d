// SPDX-License-Identifier: GPL-2.0-or-later
// Words and their numbers, 0, 1, 2 … by first appearance. Made for 10^8 words that are mostly the same few, and
// no worse than linear if all differ. A word's bytes are kept as they are.
#ifndef CDRGRIND_ANALYSIS_COMMON_NAME_TABLE_H
#define CDRGRIND_ANALYSIS_COMMON_NAME_TABLE_H

#include <cstdint>
#include <string_view>

#include "cdrgrind/analysis/common/big_array.h"
#include "cdrgrind/analysis/common/symbol_array.h"

namespace cdr::analysis {

// Not thread-safe.
class NameTable {
 public:
  uint32_t id_of(std::string_view name);  // a new one if need be
  std::string_view name(uint32_t id) const {
    return {bytes_.data() + ends_[id], static_cast<size_t>(ends_[id + 1] - ends_[id])};
  }
  uint32_t size() const { return size_; }
  size_t bytes() const { return bytes_.size() + ends_.size() * sizeof(uint64_t) + slots_.size() * sizeof(uint32_t); }

 private:
  uint32_t add(std::string_view name);
  void grow();

  uint32_t size_ = 0;
  BigArray<char> bytes_;
  BigArray<uint64_t> ends_;   // ends_[id] is where the name begins, ends_[id + 1] where it ends
  BigArray<uint32_t> slots_;  // 1 + id by hash; 0 is free
};

// A sequence of symbols, and what they are called.
struct SymbolSequence {
  SymbolArray symbols;
  NameTable names;
};

}  // namespace cdr::analysis

#endif
