// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/reader_sets.h"

namespace cdr::depend {

[[gnu::always_inline]] inline ReaderSets::Set ReaderSets::with_member(Ref rest, Ref newest) const {
  Set s;
  if (is_set(rest)) {
    s = sets_[set_index(rest)];
  } else {
    s.hash = mix64(rest);
    s.length = 1;
    s.limit = kLeastLimit;
    s.latest = context_of(rest);
    s.below_sp = is_below_sp(rest);
  }
  s.hash += mix64(newest);
  s.rest = rest;
  s.newest = newest;
  ++s.length;
  s.latest = std::max<ContextIndex>(s.latest, context_of(newest));
  s.below_sp |= is_below_sp(newest);
  return s;
}

// A set with a context that is in no set yet is new; it need not be found again but through the memo.
Ref ReaderSets::interned(Ref rest, Ref newest) {
  const Set s = with_member(rest, newest);
  const auto next = static_cast<uint32_t>(sets_.size());
  if (s.latest > latest_) {
    latest_ = s.latest;
  } else {
    const uint64_t mixed = mix64(s.hash);
    const auto tag = static_cast<uint32_t>(mixed >> 32);
    IndexSlot& known = index_[mixed % kIndex];
    if (known.set != 0 && known.tag == tag && sets_[known.set].hash == s.hash && sets_[known.set].length == s.length)
      return kSetBit | known.set;
    known = {next, tag};
  }
  sets_.push_back(s);
  return kSetBit | next;
}

bool ReaderSets::contains(Ref readers, Ref reader) const {
  for (uint32_t left = kLongestSearch; is_set(readers) && left != 0; --left) {
    const Set& s = sets_[set_index(readers)];
    if (s.latest < context_of(reader)) return false;
    if (s.newest == reader) return true;
    readers = s.rest;
  }
  return readers == reader;
}

Ref ReaderSets::extend(Ref readers, Ref reader) {
  if (is_set(readers) && (readers & kRaisedBit)) readers = map(readers, [](Ref r) { return r; });
  return contains(readers, reader) ? readers : interned(readers, reader);
}

void ReaderSets::sort_mapped() {
  std::sort(mapped_.begin(), mapped_.end());
  mapped_.erase(std::unique(mapped_.begin(), mapped_.end()), mapped_.end());
}

// Fetches the index entries of the sets that are about to be made into the cache, all at once.
void ReaderSets::fetch_entries() const {
  uint64_t hash = mix64(mapped_[0]);
  for (size_t i = 1; i < mapped_.size(); ++i) {
    hash += mix64(mapped_[i]);
    __builtin_prefetch(&index_[mix64(hash) % kIndex], 1);
  }
}

Ref ReaderSets::of_mapped(uint32_t limit) {
  sort_mapped();
  fetch_entries();
  Ref readers = mapped_[0];
  for (size_t i = 1; i < mapped_.size(); ++i) readers = interned(readers, mapped_[i]);
  if (is_set(readers)) {
    Set& s = sets_[set_index(readers)];
    s.limit = std::max({s.limit, limit ? limit : 2 * s.length});
  }
  return readers;
}

}  // namespace cdr::depend
