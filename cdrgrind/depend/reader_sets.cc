// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/reader_sets.h"

namespace cdr::depend {

uint32_t ReaderSets::interned(uint32_t rest, Ref newest) {
  const Set& r = sets_[rest];
  Set s;
  s.hash = r.hash + mix64(newest);
  s.rest = rest;
  s.newest = newest;
  s.length = r.length + 1;
  s.limit = std::max(r.limit, kLeastLimit);
  s.latest = std::max(r.latest, actor_of(newest));
  s.below_sp = r.below_sp || is_below_sp(newest);
  uint32_t& known = index_[mix64(s.hash) % kIndex];
  if (known != 0 && sets_[known].hash == s.hash && sets_[known].length == s.length) return known;
  known = static_cast<uint32_t>(sets_.size());
  sets_.push_back(s);
  return known;
}

bool ReaderSets::contains(uint32_t set, Ref reader) const {
  uint32_t left = kLongestSearch;
  for (uint32_t i = set; i != 0 && sets_[i].latest >= actor_of(reader); i = sets_[i].rest) {
    if (sets_[i].newest == reader) return true;
    if (--left == 0) return false;
  }
  return false;
}

Ref ReaderSets::extend(Ref readers, Ref reader) {
  if (!is_set(readers)) return kSetBit | interned(interned(0, readers), reader);
  const uint32_t set = set_index(readers);
  if (contains(set, reader)) return readers;
  return kSetBit | interned(set, reader);
}

Ref ReaderSets::of_mapped(uint32_t limit) {
  std::sort(mapped_.begin(), mapped_.end());
  mapped_.erase(std::unique(mapped_.begin(), mapped_.end()), mapped_.end());
  if (mapped_.size() == 1) return mapped_[0];
  uint32_t set = 0;
  for (Ref r : mapped_) set = interned(set, r);
  sets_[set].limit = std::max(limit ? limit : 2 * sets_[set].length, sets_[set].limit);
  return kSetBit | set;
}

}  // namespace cdr::depend
