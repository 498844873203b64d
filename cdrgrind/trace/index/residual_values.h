// SPDX-License-Identifier: GPL-2.0-or-later
// Values of residual streams at any place. Such a stream is read once when it is first asked for, and where each chunk
// of values begins is kept; the chunks that were asked for are kept as values, as many as there is room for. For who
// goes on in one stream asks again near by, in time and place, and streams are many.
#ifndef CDRGRIND_TRACE_INDEX_RESIDUAL_VALUES_H
#define CDRGRIND_TRACE_INDEX_RESIDUAL_VALUES_H

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "cdrgrind/base/bytes.h"

namespace cdr::trace {

class ResidualValues {
 public:
  static constexpr uint32_t kChunk = 64;            // values
  static constexpr uint32_t kMostChunks = 1 << 15;  // kept as values: 16 MiB

  class Stream {
   public:
    uint64_t length() const { return length_; }

   private:
    friend class ResidualValues;
    struct Chunk {
      uint64_t before = 0;  // the value before its first
      uint32_t position = 0;
      uint32_t kept = 0;  // number of its values, + 1; 0: none
    };
    std::span<const uint8_t> bytes_;
    std::vector<Chunk> chunks_;
    uint64_t length_ = 0;
  };

  explicit ResidualValues(uint32_t most_chunks = kMostChunks) : most_chunks_(most_chunks) {}

  void clear() { *this = ResidualValues(most_chunks_); }
  // Of that number, whose values begin behind `before`. Its bytes stay.
  Stream& of(uint32_t number, uint64_t before, std::span<const uint8_t> bytes) {
    if (number >= numbers_.size() || numbers_[number] == 0) return add(number, before, bytes);
    return streams_[numbers_[number] - 1];
  }
  // n < length()
  uint64_t value(Stream& s, uint64_t n) {
    Stream::Chunk& c = s.chunks_[n / kChunk];
    if (c.kept == 0) keep(s, c);
    return kept_[size_t{c.kept - 1} * kChunk + n % kChunk];
  }
  // The one before value n <= length().
  uint64_t before(Stream& s, uint64_t n) { return n == 0 ? s.chunks_[0].before : value(s, n - 1); }
  // Reads the differences that make the values from n <= length() on.
  ByteReader differences(const Stream& s, uint64_t n) const;

 private:
  Stream& add(uint32_t number, uint64_t before, std::span<const uint8_t> bytes);
  void keep(const Stream& s, Stream::Chunk& c);

  uint32_t most_chunks_;
  std::vector<uint32_t> numbers_;  // by stream: in streams_, + 1; 0: it was not asked for
  std::deque<Stream> streams_;
  std::vector<uint64_t> kept_;  // values
};

}  // namespace cdr::trace

#endif
