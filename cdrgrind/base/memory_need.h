// SPDX-License-Identifier: GPL-2.0-or-later
// What containers take while they grow a little: for budgets that are looked at now and then. A container that has to
// move to a place of twice the size holds both for a moment.
#ifndef CDRGRIND_BASE_MEMORY_NEED_H
#define CDRGRIND_BASE_MEMORY_NEED_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cdr {

// So many elements may be added to a container until its memory is looked at again.
constexpr size_t kGrowthBetweenLooks = 1 << 15;

constexpr size_t grown_bytes(size_t size, size_t capacity, size_t element_bytes) {
  const size_t need = size + kGrowthBetweenLooks;
  return (need <= capacity ? capacity : capacity + std::max(2 * capacity, need)) * element_bytes;
}

template <class T>
size_t grown_bytes(const std::vector<T>& v) {
  return grown_bytes(v.size(), v.capacity(), sizeof(T));
}

// A hash table with at most three quarters of its `slots` used.
constexpr size_t grown_table_bytes(size_t size, size_t slots, size_t slot_bytes) {
  return (slots >= 2 * kGrowthBetweenLooks && (size + kGrowthBetweenLooks) * 4 <= slots * 3 ? slots : 3 * slots) *
         slot_bytes;
}

}  // namespace cdr

#endif
