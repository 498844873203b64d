// SPDX-License-Identifier: GPL-2.0-or-later
// Reads what format/columns.h writes. Trusts nothing.
#ifndef CDRGRIND_TRACE_READ_COLUMNS_H
#define CDRGRIND_TRACE_READ_COLUMNS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cdr::trace {

class Columns {
 public:
  // False if the payload is damaged, or the columns take more than `limit` bytes in all.
  bool read(std::span<const uint8_t> payload, uint64_t limit);
  size_t size() const { return columns_.size(); }
  // Empty behind the last.
  std::span<const uint8_t> operator[](size_t i) const {
    return i < columns_.size() ? std::span<const uint8_t>(columns_[i]) : std::span<const uint8_t>();
  }
  // N columns from `first` on.
  template <size_t N>
  std::array<std::span<const uint8_t>, N> part(size_t first) const {
    std::array<std::span<const uint8_t>, N> columns;
    for (size_t i = 0; i < N; ++i) columns[i] = (*this)[first + i];
    return columns;
  }

 private:
  std::vector<std::vector<uint8_t>> columns_;
};

}  // namespace cdr::trace

#endif
