// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/collected.h"

#include <algorithm>
#include <limits>

#include "cdrgrind/base/checksum.h"

namespace cdr::races {

uint64_t SegmentClasses::hash_of(const std::vector<Entry>& entries) {
  uint64_t hash = entries.size();
  for (const Entry& e : entries) {
    hash = mix64(hash ^ e.at.base ^ uint64_t{e.stream} << 40);
    hash = mix64(hash ^ e.at.stride ^ e.at.count << 20 ^ e.at.times << 40 ^ e.at.width << 60);
  }
  return hash;
}

std::optional<SegmentClasses::Id> SegmentClasses::find(const std::vector<Entry>& entries, uint64_t hash) const {
  const auto [first, last] = ids_.equal_range(hash);
  for (auto i = first; i != last; ++i)
    if (classes_[i->second] == entries) return i->second;
  return std::nullopt;
}

SegmentClasses::Id SegmentClasses::of(std::vector<Entry> entries) {
  const uint64_t hash = hash_of(entries);
  if (const auto known = find(entries, hash)) return *known;
  return add(std::move(entries), hash);
}

std::optional<SegmentClasses::Id> SegmentClasses::of_repeated(const std::vector<Entry>& entries) {
  const uint64_t hash = hash_of(entries);
  if (const auto known = find(entries, hash)) return known;
  if (asked_.insert(hash).second) return std::nullopt;
  return add(entries, hash);
}

SegmentClasses::Id SegmentClasses::add(std::vector<Entry> entries, uint64_t hash) {
  const auto id = static_cast<Id>(classes_.size());
  classes_.push_back(std::move(entries));
  ids_.emplace(hash, id);
  return id;
}

void SegmentClasses::renumber(const std::vector<StreamId>& numbers) {
  for (auto& entries : classes_)
    for (Entry& e : entries) e.stream = numbers[e.stream];
  ids_.clear();
}

void ThreadAccesses::make_room() {
  if (room_ < kChunk) return resize_first(std::clamp(room_ + std::max(room_ / kSpare, size_t{2}), size_t{2}, kChunk));
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
  if (size_ + size_ / kSpare < room_ && room_ < kChunk && size_ > 0) resize_first(size_);
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
  p.other = add_other(e.at);
}

// Room that doubles takes three times as much while it does.
uint32_t ThreadAccesses::add_other(const Progression& p) {
  Rest& r = rest();
  const size_t i = r.other_count++;
  if (i < kChunk) {
    r.others.push_back(p);
  } else {
    if (i % kChunk == 0) r.other_chunks.push_back(std::make_unique<Progression[]>(kChunk));
    r.other_chunks.back()[i & (kChunk - 1)] = p;
  }
  return static_cast<uint32_t>(i);
}

void ThreadAccesses::add_class(SegmentNumber segment, SegmentClasses::Id id) {
  if (size_ == room_) make_room();
  at(size_++) = {0, 0, segment, 0, kIsClass, id};
}

AccessEntry ThreadAccesses::operator[](size_t i) const {
  const Packed& p = at(i);
  if (p.width == 0) return {p.stream, p.segment, other(p.other)};
  return {p.stream, p.segment, {p.base, 0, 1, p.width, p.times}};
}

size_t ThreadAccesses::first_in(SegmentNumber segment) const {
  size_t low = 0, high = size_;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (at(middle).segment < segment)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void ThreadAccesses::renumber(const std::vector<StreamId>& numbers) {
  for (size_t i = 0; i < size_; ++i)
    if (!is_class(i)) at(i).stream = numbers[at(i).stream];
}

}  // namespace cdr::races
