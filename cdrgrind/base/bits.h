// SPDX-License-Identifier: GPL-2.0-or-later
// Single bits in a column of bytes, lowest first.
#ifndef CDRGRIND_BASE_BITS_H
#define CDRGRIND_BASE_BITS_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/bytes.h"

namespace cdr {

class BitWriter {
 public:
  void put(bool bit) {
    word_ |= uint64_t{bit} << used_;
    if (++used_ < 64) [[likely]]
      return;
    words_.push_back(word_);
    word_ = 0;
    used_ = 0;
  }
  // All bits; those of the last byte that were not put are 0.
  void write(ByteWriter& to) const {
    to.raw(words_.data(), words_.size() * sizeof(uint64_t));
    for (unsigned bit = 0; bit < used_; bit += 8) to.u8(static_cast<uint8_t>(word_ >> bit));
  }
  size_t bytes() const { return words_.size() * sizeof(uint64_t); }
  void clear() { *this = BitWriter(); }

 private:
  std::vector<uint64_t> words_;
  uint64_t word_ = 0;
  unsigned used_ = 0;
};

class BitReader {
 public:
  explicit BitReader(std::span<const uint8_t> bytes = {}) : bytes_(bytes) {}
  // 0 behind the last byte; then ok() is false.
  bool get() {
    if (at_ / 8 >= bytes_.size()) {
      ok_ = false;
      return false;
    }
    const bool bit = bytes_[at_ / 8] >> at_ % 8 & 1;
    ++at_;
    return bit;
  }
  bool ok() const { return ok_; }
  // Whether all has been read, but for 0s of the last byte.
  bool at_end() const {
    return ok_ && (at_ + 7) / 8 == bytes_.size() && (at_ % 8 == 0 || bytes_.back() >> at_ % 8 == 0);
  }

 private:
  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace cdr

#endif
