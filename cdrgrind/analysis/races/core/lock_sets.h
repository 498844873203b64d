// SPDX-License-Identifier: GPL-2.0-or-later
// Sets of locks that a thread or strand holds while it accesses something. Only those locks are in them that exclude
// and do not order: two accesses under a common one do not race, and that is all.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_LOCK_SETS_H
#define CDRGRIND_ANALYSIS_RACES_CORE_LOCK_SETS_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace cdr::races {

// An object, and whose it is.
using LockKey = std::pair<uint64_t, uint64_t>;
using LockSetId = uint32_t;  // 0: the empty one

class LockSets {
 public:
  LockSetId of(std::vector<LockKey> locks) {
    if (locks.empty()) return 0;
    std::sort(locks.begin(), locks.end());
    locks.erase(std::unique(locks.begin(), locks.end()), locks.end());
    const auto [found, added] = ids_.try_emplace(std::move(locks), static_cast<LockSetId>(ids_.size() + 1));
    if (added) all_.push_back(&found->first);
    return found->second;
  }
  LockSetId of_both(LockSetId a, LockSetId b) {
    if (a == 0 || b == 0 || a == b) return a | b;
    std::vector<LockKey> locks = *all_[a - 1];
    locks.insert(locks.end(), all_[b - 1]->begin(), all_[b - 1]->end());
    return of(std::move(locks));
  }
  bool have_common(LockSetId a, LockSetId b) const {
    if (a == 0 || b == 0) return false;
    const auto &x = *all_[a - 1], &y = *all_[b - 1];
    return std::any_of(x.begin(), x.end(), [&](const LockKey& k) { return std::binary_search(y.begin(), y.end(), k); });
  }

  LockSets() = default;
  // The list points into the map.
  LockSets(const LockSets& other) : ids_(other.ids_) { list(); }
  LockSets(LockSets&& other) noexcept : ids_(std::move(other.ids_)) { list(); }
  LockSets& operator=(LockSets other) noexcept {
    ids_.swap(other.ids_);
    list();
    return *this;
  }
  ~LockSets() = default;

 private:
  void list() {
    all_.resize(ids_.size());
    for (const auto& [locks, id] : ids_) all_[id - 1] = &locks;
  }
  std::map<std::vector<LockKey>, LockSetId> ids_;
  std::vector<const std::vector<LockKey>*> all_;  // by id, from 1
};

}  // namespace cdr::races

#endif
