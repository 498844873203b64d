// SPDX-License-Identifier: GPL-2.0-or-later
// An open-addressing hash map with linear probing for trivially copyable keys and values. Deletion shifts
// back, so no tombstones. Iteration order is the table's: never let it reach an output.
#ifndef CDRGRIND_BASE_FLAT_MAP_H
#define CDRGRIND_BASE_FLAT_MAP_H

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/memory_need.h"

namespace cdr {

struct IntegerHash {
  uint64_t operator()(uint64_t k) const { return mix64(k); }
};

// A key of two words.
struct WordPair {
  uint64_t first = 0, second = 0;
  bool operator==(const WordPair&) const = default;
};
struct WordPairHash {
  uint64_t operator()(const WordPair& k) const { return mix64(k.second ^ mix64(k.first)); }
};

template <class Key, class Value, class Hash = IntegerHash>
class FlatMap {
 public:
  struct Entry {
    Key key;
    Value value;
  };

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  size_t grown_bytes() const { return grown_table_bytes(size_, entries_.size(), sizeof(Entry) + 1); }
  size_t capacity_bytes() const { return entries_.size() * (sizeof(Entry) + 1); }

  // Null if absent. Pointers are valid until the next insertion or removal.
  Value* find(const Key& key) {
    const size_t i = locate(key);
    return i != kAbsent && used_[i] ? &entries_[i].value : nullptr;
  }
  const Value* find(const Key& key) const { return const_cast<FlatMap*>(this)->find(key); }

  // The value under `key`, value-initialised if it was absent.
  Value& operator[](const Key& key) { return *insert(key).first; }

  // (value, true if it was inserted now)
  std::pair<Value*, bool> insert(const Key& key) {
    if ((size_ + 1) * 4 > entries_.size() * 3) grow();
    const size_t i = locate(key);
    if (used_[i]) return {&entries_[i].value, false};
    used_[i] = 1;
    entries_[i] = Entry{key, Value{}};
    ++size_;
    return {&entries_[i].value, true};
  }

  bool erase(const Key& key) {
    size_t hole = locate(key);
    if (hole == kAbsent || !used_[hole]) return false;
    const size_t mask = entries_.size() - 1;
    for (size_t i = (hole + 1) & mask; used_[i]; i = (i + 1) & mask) {
      const size_t home = Hash{}(entries_[i].key) & mask;
      if (((i - home) & mask) < ((i - hole) & mask)) continue;
      entries_[hole] = entries_[i];
      hole = i;
    }
    used_[hole] = 0;
    --size_;
    return true;
  }

  void clear() {
    entries_.clear();
    used_.clear();
    size_ = 0;
  }

  template <class F>
  void for_each(F f) const {
    for (size_t i = 0; i < entries_.size(); ++i)
      if (used_[i]) f(entries_[i].key, entries_[i].value);
  }

 private:
  static constexpr size_t kAbsent = ~size_t{0};
  static_assert(std::is_trivially_copyable_v<Key> && std::is_trivially_copyable_v<Value>);

  size_t locate(const Key& key) const {
    if (entries_.empty()) return kAbsent;
    const size_t mask = entries_.size() - 1;
    size_t i = Hash{}(key)&mask;
    while (used_[i] && !(entries_[i].key == key)) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    std::vector<Entry> old_entries(entries_.empty() ? 16 : entries_.size() * 2);
    std::vector<uint8_t> old_used(old_entries.size());
    old_entries.swap(entries_);
    old_used.swap(used_);
    for (size_t i = 0; i < old_entries.size(); ++i) {
      if (!old_used[i]) continue;
      const size_t to = locate(old_entries[i].key);
      used_[to] = 1;
      entries_[to] = old_entries[i];
    }
  }

  std::vector<Entry> entries_;
  std::vector<uint8_t> used_;
  size_t size_ = 0;
};

}  // namespace cdr

#endif
