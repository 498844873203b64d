// SPDX-License-Identifier: GPL-2.0-or-later
// The one checksum and hash of the project: XXH3, 64 bits, header-only so that the tool can use it.
#ifndef CDRGRIND_BASE_CHECKSUM_H
#define CDRGRIND_BASE_CHECKSUM_H

#include <cstdint>
#include <span>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

namespace cdr {

inline uint64_t checksum64(std::span<const uint8_t> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

// The same of bytes that come in pieces.
class Checksum {
 public:
  Checksum() { XXH3_64bits_reset(&state_); }
  void add(std::span<const uint8_t> bytes) { XXH3_64bits_update(&state_, bytes.data(), bytes.size()); }
  uint64_t value() const { return XXH3_64bits_digest(&state_); }

 private:
  XXH3_state_t state_;
};

// A good mixer for integer keys (the finaliser of MurmurHash3).
constexpr uint64_t mix64(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

}  // namespace cdr

#endif
