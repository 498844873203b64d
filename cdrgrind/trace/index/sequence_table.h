// SPDX-License-Identifier: GPL-2.0-or-later
// Sequences that are told apart by what they are of: each different one is kept once, and has a number.
#ifndef CDRGRIND_TRACE_INDEX_SEQUENCE_TABLE_H
#define CDRGRIND_TRACE_INDEX_SEQUENCE_TABLE_H

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/flat_map.h"

namespace cdr::trace {

// `Key` of an element is a number that tells it from all others.
template <class T, class Key>
class SequenceTable {
 public:
  uint32_t size() const { return static_cast<uint32_t>(ends_.size()); }
  size_t elements() const { return elements_.size(); }
  std::span<const T> operator[](uint32_t number) const {
    const uint32_t begin = number == 0 ? 0 : ends_[number - 1];
    return {elements_.data() + begin, ends_[number] - begin};
  }

  // Its number; new ones are serial from 0.
  uint32_t number_of(std::span<const T> sequence) {
    uint64_t hash = sequence.size();
    for (const T& t : sequence) hash = (hash ^ (hash >> 32) ^ Key{}(t)) * 0x9E3779B97F4A7C15;
    for (;; hash = mix64(hash + 1)) {
      const auto [number, added] = numbers_.insert(hash);
      if (added) {
        elements_.insert(elements_.end(), sequence.begin(), sequence.end());
        ends_.push_back(static_cast<uint32_t>(elements_.size()));
        return *number = size() - 1;
      }
      if (std::ranges::equal((*this)[*number], sequence)) return *number;
    }
  }

 private:
  std::vector<T> elements_;
  std::vector<uint32_t> ends_;
  FlatMap<uint64_t, uint32_t> numbers_;  // by hash; where two have the same, the later one's next free one
};

}  // namespace cdr::trace

#endif
