// SPDX-License-Identifier: GPL-2.0-or-later
// Codes numbers that were given in the order of first appearance: each as its distance from the next one that is new,
// so that a new one is 0. Numbers below `first` have a meaning of their own and are written as they are.
//
//     from 1:  1 2 3 1 2 4   is   0 0 0 3 2 0
#ifndef CDRGRIND_BASE_SERIAL_NUMBERS_H
#define CDRGRIND_BASE_SERIAL_NUMBERS_H

#include <algorithm>
#include <cstdint>

#include "cdrgrind/base/bytes.h"

namespace cdr {

class SerialNumbers {
 public:
  explicit SerialNumbers(uint32_t first) : first_(first), next_(first) {}

  // varint 2 n + 1 below `first`, else 2 zigzag(next - n).
  void put(ByteWriter& to, uint32_t n) {
    if (n < first_) return to.varint(uint64_t{n} << 1 | 1);
    to.varint(zigzag(next_ - int64_t{n}) << 1);
    next_ = std::max(next_, n + int64_t{1});
  }
  // A number below `limit`; the reader fails if there is none.
  uint32_t get(ByteReader& from, uint32_t limit) {
    const uint64_t v = from.varint();
    const bool small = v & 1;
    const int64_t n = small ? static_cast<int64_t>(v >> 1) : next_ - unzigzag(v >> 1);
    if (n < 0 || n >= int64_t{limit} || (n < int64_t{first_}) != small) return from.fail();
    if (!small) next_ = std::max(next_, n + 1);
    return static_cast<uint32_t>(n);
  }

 private:
  uint32_t first_;
  int64_t next_;
};

}  // namespace cdr

#endif
