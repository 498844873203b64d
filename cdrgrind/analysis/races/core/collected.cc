// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/collected.h"

#include <algorithm>

namespace cdr::races {

void ThreadAccesses::make_room() {
  constexpr size_t kChunk = size_t{1} << kChunkBits, kFirst = 16;
  if (room_ == 0 || room_ >= kChunk) {
    const size_t more = room_ == 0 ? kFirst : kChunk;
    chunks_.push_back(std::make_unique<Packed[]>(more));
    room_ += more;
    return;
  }
  auto larger = std::make_unique<Packed[]>(2 * room_);
  std::copy_n(chunks_[0].get(), room_, larger.get());
  chunks_[0] = std::move(larger);
  room_ *= 2;
}

void ThreadAccesses::add(const AccessEntry& e) {
  if (size_ == room_) make_room();
  Packed& p = at(size_++);
  p = {e.at.base, e.stream, e.segment, 0, 0};
  if (e.at.count == 1 && e.at.times == 1 && e.at.width <= ~uint32_t{0}) {
    p.width = static_cast<uint32_t>(e.at.width);
    return;
  }
  p.other = static_cast<uint32_t>(others_.size());
  others_.push_back(e.at);
}

AccessEntry ThreadAccesses::operator[](size_t i) const {
  const Packed& p = at(i);
  if (p.width == 0) return {p.stream, p.segment, others_[p.other]};
  return {p.stream, p.segment, {p.base, 0, 1, p.width, 1}};
}

void ThreadAccesses::renumber(const std::vector<StreamId>& numbers) {
  for (size_t i = 0; i < size_; ++i) at(i).stream = numbers[at(i).stream];
}

}  // namespace cdr::races
