// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads little-endian numbers from bytes that may be damaged: nothing when the
// bytes end too early, and from then on nothing any more.
#ifndef CDRGRIND_SYMBOLS_COMMON_BYTE_READER_H
#define CDRGRIND_SYMBOLS_COMMON_BYTE_READER_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace cdr::symbols {

// What is left to read. Small enough to be copied.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }
  std::size_t left() const { return bytes_.size(); }

  std::optional<std::uint64_t> fixed(std::size_t size) {
    if (bytes_.size() < size || size > 8) return fail();
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{bytes_[i]} << (8 * i);
    bytes_ = bytes_.subspan(size);
    return value;
  }

  std::optional<std::uint64_t> unsigned_leb128() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !bytes_.empty(); shift += 7) {
      const std::uint8_t byte = next();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }

  std::optional<std::int64_t> signed_leb128() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !bytes_.empty();) {
      const std::uint8_t byte = next();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fU} << shift;
      shift += 7;
      if (byte >= 0x80) continue;
      if ((byte & 0x40U) && shift < 64) value |= ~std::uint64_t{0} << shift;
      return static_cast<std::int64_t>(value);
    }
    return std::nullopt;
  }

  // The next `size` bytes, as a reader of their own.
  std::optional<ByteReader> part(std::uint64_t size) {
    if (size > bytes_.size()) {
      fail();
      return std::nullopt;
    }
    ByteReader result(bytes_.first(size));
    bytes_ = bytes_.subspan(size);
    return result;
  }

 private:
  std::uint8_t next() {
    const std::uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }

  std::optional<std::uint64_t> fail() {
    bytes_ = {};
    return std::nullopt;
  }

  std::span<const std::uint8_t> bytes_;
};

}  // namespace cdr::symbols

#endif
