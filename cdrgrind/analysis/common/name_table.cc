// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/common/name_table.h"

#include <algorithm>
#include <cstring>

#include "cdrgrind/base/checksum.h"

namespace cdr::analysis {

namespace {

uint64_t hash_of(std::string_view name) {
  if (name.size() > 8) return checksum64({reinterpret_cast<const uint8_t*>(name.data()), name.size()});
  uint64_t word = 0;
  std::memcpy(&word, name.data(), name.size());
  return mix64(word + name.size());
}

}  // namespace

uint32_t NameTable::id_of(std::string_view name) {
  if (size_t{size_} * 2 >= slots_.size()) grow();
  const size_t mask = slots_.size() - 1;
  size_t slot = hash_of(name) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask)
    if (this->name(slots_[slot] - 1) == name) return slots_[slot] - 1;
  slots_[slot] = size_ + 1;
  return add(name);
}

uint32_t NameTable::add(std::string_view name) {
  if (ends_.empty()) ends_.push_back(0);
  for (const char c : name) bytes_.push_back(c);
  ends_.push_back(bytes_.size());
  return size_++;
}

void NameTable::grow() {
  slots_.resize(std::max<size_t>(1024, slots_.size() * 2));
  std::fill(slots_.begin(), slots_.end(), 0);
  const size_t mask = slots_.size() - 1;
  for (uint32_t id = 0; id < size_; ++id) {
    size_t slot = hash_of(name(id)) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = id + 1;
  }
}

}  // namespace cdr::analysis
