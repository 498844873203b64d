// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/collected.h"

#include <algorithm>
#include <limits>

namespace cdr::races {

void ThreadAccesses::make_room() {
  if (room_ < kChunk) return resize_first(std::clamp(2 * room_, size_t{2}, kChunk));
  rest().chunks.push_back(std::make_unique<Packed[]>(kChunk));
  room_ += kChunk;
}

void ThreadAccesses::resize_first(size_t room) {
  auto other = std::make_unique<Packed[]>(room);
  std::copy_n(first_.get(), std::min(size_, room), other.get());
  first_ = std::move(other);
  room_ = room;
}

void ThreadAccesses::trim() {
  if (size_ < room_ && room_ < kChunk && size_ > 0) resize_first(size_);
}

void ThreadAccesses::add(const AccessEntry& e) {
  if (size_ == room_) make_room();
  constexpr uint64_t kMost = std::numeric_limits<uint16_t>::max();
  Packed& p = at(size_++);
  p = {e.at.base, e.stream, e.segment, 0, 0, 0};
  if (e.at.count == 1 && e.at.times <= kMost && e.at.width <= kMost) {
    p.width = static_cast<uint16_t>(e.at.width);
    p.times = static_cast<uint16_t>(e.at.times);
    return;
  }
  p.other = static_cast<uint32_t>(rest().others.size());
  rest().others.push_back(e.at);
}

AccessEntry ThreadAccesses::operator[](size_t i) const {
  const Packed& p = at(i);
  if (p.width == 0) return {p.stream, p.segment, rest_->others[p.other]};
  return {p.stream, p.segment, {p.base, 0, 1, p.width, p.times}};
}

void ThreadAccesses::renumber(const std::vector<StreamId>& numbers) {
  for (size_t i = 0; i < size_; ++i) at(i).stream = numbers[at(i).stream];
}

}  // namespace cdr::races
