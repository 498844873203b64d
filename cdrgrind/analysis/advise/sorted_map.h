// SPDX-License-Identifier: GPL-2.0-or-later
// A map in one piece of memory, sorted: for maps of a few entries that are copied more often than they are changed.
#ifndef CDRGRIND_ANALYSIS_ADVISE_SORTED_MAP_H
#define CDRGRIND_ANALYSIS_ADVISE_SORTED_MAP_H

#include <algorithm>
#include <utility>
#include <vector>

namespace cdr::advise {

template <class Key, class Value>
class SortedMap {
 public:
  using Entry = std::pair<Key, Value>;

  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  auto find(const Key& key) const {
    const auto at = std::lower_bound(begin(), end(), key, is_less);
    return at != end() && at->first == key ? at : end();
  }
  bool contains(const Key& key) const { return find(key) != end(); }
  Value& operator[](const Key& key) {
    const auto at = std::lower_bound(begin(), end(), key, is_less);
    return at != end() && at->first == key ? at->second : entries_.insert(at, {key, Value()})->second;
  }
  template <class F>
  void erase_if(F f) {
    std::erase_if(entries_, f);
  }
  void clear() { entries_.clear(); }

 private:
  static bool is_less(const Entry& e, const Key& key) { return e.first < key; }

  std::vector<Entry> entries_;
};

}  // namespace cdr::advise

#endif
