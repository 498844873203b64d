// SPDX-License-Identifier: GPL-2.0-or-later
// Growing byte buffers and checked readers with LEB128 varints and zigzag. ByteReader never reads
// outside its span: after the first bad read ok() is false and every further read gives 0.
#ifndef CDRGRIND_BASE_BYTES_H
#define CDRGRIND_BASE_BYTES_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace cdr {

constexpr uint64_t zigzag(int64_t v) { return (static_cast<uint64_t>(v) << 1) ^ static_cast<uint64_t>(v >> 63); }
constexpr int64_t unzigzag(uint64_t v) { return static_cast<int64_t>(v >> 1) ^ -static_cast<int64_t>(v & 1); }

constexpr size_t kLongestVarint = 10;
// Where there is room for the longest; returns the end.
inline uint8_t* write_varint(uint8_t* to, uint64_t v) {
  while (v >= 0x80) {
    *to++ = static_cast<uint8_t>(v | 0x80);
    v >>= 7;
  }
  *to++ = static_cast<uint8_t>(v);
  return to;
}

class ByteWriter {
 public:
  ByteWriter() = default;
  ByteWriter(const ByteWriter& other) { raw(other.bytes_.get(), other.size_); }
  ByteWriter(ByteWriter&& other) noexcept { *this = std::move(other); }
  ByteWriter& operator=(const ByteWriter& other) { return *this = ByteWriter(other); }
  ByteWriter& operator=(ByteWriter&& other) noexcept {
    bytes_ = std::move(other.bytes_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  void u8(uint8_t v) {
    need(1);
    bytes_[size_++] = v;
  }
  void u32(uint32_t v) { raw(&v, sizeof v); }  // little endian
  void u64(uint64_t v) { raw(&v, sizeof v); }
  void varint(uint64_t v) {
    need(kLongestVarint);
    size_ = static_cast<size_t>(write_varint(bytes_.get() + size_, v) - bytes_.get());
  }
  void svarint(int64_t v) { varint(zigzag(v)); }
  // The difference as a signed number modulo 2^64: any two words round-trip.
  void delta(uint64_t v, uint64_t before) { svarint(static_cast<int64_t>(v - before)); }
  // The same, and `v` is the value before from now on.
  void next_delta(uint64_t v, uint64_t& before) {
    delta(v, before);
    before = v;
  }
  void text(std::string_view s) {
    varint(s.size());
    raw(s.data(), s.size());
  }
  void raw(const void* p, size_t n) {
    if (n == 0) return;
    need(n);
    std::memcpy(bytes_.get() + size_, p, n);
    size_ += n;
  }

  std::span<const uint8_t> bytes() const { return {bytes_.get(), size_}; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Keeps its memory.
  void clear() { size_ = 0; }

 private:
  void need(size_t more) {
    if (capacity_ - size_ < more) [[unlikely]]
      grow(more);
  }
  void grow(size_t more) {
    constexpr size_t kLeast = 16;
    capacity_ = std::max({2 * capacity_, size_ + more, kLeast});
    auto bytes = std::make_unique_for_overwrite<uint8_t[]>(capacity_);
    if (size_ > 0) std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
  }

  std::unique_ptr<uint8_t[]> bytes_;
  size_t size_ = 0, capacity_ = 0;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint8_t u8() {
    if (pos_ >= bytes_.size()) return fail();
    return bytes_[pos_++];
  }
  uint32_t u32() { return fixed<uint32_t>(); }
  uint64_t u64() { return fixed<uint64_t>(); }
  uint64_t varint() {
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t b = u8();
      if (!ok_) return 0;
      if (shift == 63 && b > 1) return fail();
      v |= static_cast<uint64_t>(b & 0x7f) << shift;
      if (!(b & 0x80)) return v;
    }
    return fail();
  }
  int64_t svarint() { return unzigzag(varint()); }
  uint64_t delta(uint64_t before) { return before + static_cast<uint64_t>(svarint()); }
  // A count or size that the caller is about to loop over or allocate: at most `limit`.
  uint64_t bounded(uint64_t limit) {
    const uint64_t v = varint();
    return v > limit ? fail() : v;
  }
  std::string_view text() {
    const auto b = raw(varint());
    return {reinterpret_cast<const char*>(b.data()), b.size()};
  }
  std::span<const uint8_t> raw(uint64_t n) {
    if (n > bytes_.size() - pos_) {
      fail();
      return {};
    }
    const auto s = bytes_.subspan(pos_, n);
    pos_ += n;
    return s;
  }

  bool ok() const { return ok_; }
  bool at_end() const { return pos_ >= bytes_.size(); }
  size_t position() const { return pos_; }
  size_t left() const { return bytes_.size() - pos_; }
  uint8_t fail() {
    ok_ = false;
    pos_ = bytes_.size();
    return 0;
  }

 private:
  template <class T>
  T fixed() {
    const auto b = raw(sizeof(T));
    T v = 0;
    if (b.size() == sizeof(T)) std::memcpy(&v, b.data(), sizeof(T));
    return v;
  }

  std::span<const uint8_t> bytes_;
  size_t pos_ = 0;
  bool ok_ = true;
};

}  // namespace cdr

#endif
