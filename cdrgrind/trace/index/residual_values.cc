// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/residual_values.h"

#include <algorithm>

namespace cdr::trace {

ResidualValues::Stream& ResidualValues::add(uint32_t number, uint64_t before, std::span<const uint8_t> bytes) {
  if (number >= numbers_.size()) numbers_.resize(number + 1);
  Stream& s = streams_.emplace_back();
  numbers_[number] = static_cast<uint32_t>(streams_.size());
  s.bytes_ = bytes;
  ByteReader in(bytes);
  for (;;) {
    if (s.length_ % kChunk == 0) s.chunks_.push_back({before, static_cast<uint32_t>(in.position()), 0});
    if (in.at_end()) break;
    before += static_cast<uint64_t>(in.svarint());
    if (!in.ok()) break;
    ++s.length_;
  }
  s.chunks_.shrink_to_fit();
  return s;
}

// Where there is no room, all begins anew: only those that are still asked for are made again.
void ResidualValues::keep(const Stream& s, Stream::Chunk& c) {
  if (kept_.size() >= size_t{most_chunks_} * kChunk) {
    for (Stream& one : streams_)
      for (Stream::Chunk& chunk : one.chunks_) chunk.kept = 0;
    kept_.clear();
  }
  c.kept = static_cast<uint32_t>(kept_.size() / kChunk + 1);
  const auto first = static_cast<uint64_t>(&c - s.chunks_.data()) * kChunk;
  const auto count = static_cast<uint32_t>(std::min<uint64_t>(s.length_ - first, kChunk));
  kept_.resize(kept_.size() + kChunk);
  uint64_t* to = &kept_[kept_.size() - kChunk];
  ByteReader in(s.bytes_.subspan(c.position));
  uint64_t value = c.before;
  for (uint32_t i = 0; i < count; ++i) *to++ = value += static_cast<uint64_t>(in.svarint());
}

ByteReader ResidualValues::differences(const Stream& s, uint64_t n) const {
  ByteReader in(s.bytes_.subspan(s.chunks_[n / kChunk].position));
  for (uint64_t i = 0; i < n % kChunk; ++i) in.varint();
  return in;
}

}  // namespace cdr::trace
