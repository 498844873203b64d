// SPDX-License-Identifier: GPL-2.0-or-later
// Sets of readers, shared by all cells that have the same ones. A set is a chain: its newest member and the
// set without it. Chains are interned by a hash of their members that does not depend on their order:
//
//     cell 1 was read by a, b, c; cell 2 by b, a, c:   a ── {a,b} ── {a,b,c}     two entries, two cells
//
// so a table of millions of cells read by the same few sites has few sets, and joining a set is one look-up in
// a small memo. Two different sets of equal length with equal 64-bit hashes would be taken for one.
#ifndef CDRGRIND_DEPEND_READER_SETS_H
#define CDRGRIND_DEPEND_READER_SETS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/large_pages.h"
#include "cdrgrind/depend/ref.h"

namespace cdr::depend {

class ReaderSets {
 public:
  ReaderSets() : sets_(1), index_(kIndex), memo_(std::make_unique<std::array<Memo, kMemo>>()) {}

  // `readers` is one reader or a set, and so is the result. `fold` gives the reference that stands for a member whose
  // activation has ended, `same` says whether two of these mean the same: the newest members are folded, up to one that
  // has been or cannot be, so that readers of one kind that come one after the other stay few.
  template <class F, class G>
  Ref add(Ref readers, Ref reader, F fold, G same) {
    if (readers == reader) return reader;
    if (is_set(readers)) {
      if ((readers & kRaisedBit) || contains(readers, reader)) return extend(readers, reader);
      if (sets_[set_index(readers)].length > kFew) return interned(readers, reader);
    }
    mapped_.clear();
    Ref at = readers;
    for (; is_set(at); at = sets_[set_index(at)].rest) {
      const Ref newest = sets_[set_index(at)].newest;
      const Ref folded = fold(newest);
      if (folded == newest) break;
      mapped_.push_back(folded);
    }
    if (!is_set(at)) at = fold(at);
    at = with_mapped(at, same);
    return at == reader ? reader : interned(at, reader);
  }
  // f(Ref) for every member, newest first.
  template <class F>
  void for_each(Ref readers, F f) const {
    const bool raised = is_set(readers) && (readers & kRaisedBit);
    while (is_set(readers)) {
      const Set& s = sets_[set_index(readers)];
      f(raised ? after_rise(s.newest) : s.newest);
      readers = s.rest;
    }
    f(raised ? after_rise(readers) : readers);
  }
  // The set of f(member).
  template <class F>
  Ref map(Ref readers, F f) {
    if (!is_set(readers)) return f(readers);
    const uint32_t limit = sets_[set_index(readers)].limit;
    mapped_.clear();
    for_each(readers, [&](Ref r) { mapped_.push_back(f(r)); });
    return of_mapped(limit);
  }
  // The same set, as add() has it, with all members folded.
  template <class F, class G>
  Ref folded(Ref readers, F fold, G same) {
    mapped_.clear();
    size_t changed = 0;
    Ref base = readers, at = readers;
    for (; is_set(at); at = sets_[set_index(at)].rest) {
      const Ref newest = sets_[set_index(at)].newest;
      mapped_.push_back(fold(newest));
      if (mapped_.back() == newest) continue;
      changed = mapped_.size();
      base = sets_[set_index(at)].rest;
    }
    if (const Ref oldest = fold(at); oldest != at) {
      base = oldest;
      changed = mapped_.size();
    }
    mapped_.resize(changed);
    Ref result = with_mapped(base, same);
    if (is_set(result)) {
      Set& s = sets_[set_index(result)];
      s.limit = std::max(s.limit, 2 * s.length);
    }
    return result;
  }
  // The set of f(member of another table's set).
  template <class F>
  Ref moved(Ref readers, const ReaderSets& from, F f) {
    mapped_.clear();
    from.for_each(readers, [&](Ref r) { mapped_.push_back(f(r)); });
    return of_mapped(0);
  }
  // map() with a result that is right for the set now and later.
  template <class F>
  Ref map_memo(Ref readers, uint32_t operation, F f) {
    if (!is_set(readers)) return f(readers);
    if (const Ref known = recall(readers, operation)) return known;
    const Ref result = map(readers, f);
    remember(readers, operation, result);
    return result;
  }
  // Whether folding is due; its cost is spread over the additions since the last one.
  bool is_long(Ref readers) const {
    return is_set(readers) && sets_[set_index(readers)].length > sets_[set_index(readers)].limit;
  }
  // The readers after SP was above all of them.
  Ref raised(Ref readers) const { return is_set(readers) ? readers | kRaisedBit : after_rise(readers); }
  // Whether a member was made below SP, so that a rise of SP has to be compared member by member.
  bool has_below_sp(Ref set) const { return sets_[set_index(set)].below_sp; }

  // Numbers for `operation` and the memo of joins: no context has them.
  enum Operation : uint32_t { kFree = 1, kAlloc = 2, kForeign = 3 };
  Ref recall(Ref readers, uint32_t with) const {
    const Memo& m = (*memo_)[place(readers, with)];
    return m.readers == readers && m.with == with ? m.result : 0;
  }
  void remember(Ref readers, uint32_t with, Ref result) { (*memo_)[place(readers, with)] = {readers, with, result}; }

  // Empty again; keeps its memory.
  void clear() {
    sets_.resize(1);
    std::fill(index_.begin(), index_.end(), IndexSlot{});
    memo_->fill({});
    latest_ = 0;
  }

  uint32_t count() const { return static_cast<uint32_t>(sets_.size()); }
  size_t bytes() const { return sets_.capacity() * sizeof(Set) + index_.size() * sizeof(IndexSlot) + sizeof(*memo_); }

 private:
  struct Set {
    uint64_t hash = 0;  // sum of the members' hashes
    Ref rest = 0;       // one reader or a set
    Ref newest = 0;
    uint32_t length = 0;
    uint32_t limit = 0;            // length at which folding is due
    ContextIndex latest : 31 = 0;  // greatest context: a later one cannot be a member
    uint32_t below_sp : 1 = 0;
  };
  struct IndexSlot {
    uint32_t set = 0;
    uint32_t tag = 0;  // of its hash: most sets that are looked for are new, and the one here is far away
  };
  struct Memo {
    Ref readers = 0;
    uint32_t with = 0;
    Ref result = 0;
  };
  static constexpr size_t kMemo = size_t{1} << 12;
  static constexpr size_t kIndex = size_t{1} << 13;
  static constexpr uint32_t kFew = 20;  // where sets are longer, folding waits for their limit
  static constexpr uint32_t kLeastLimit = 24;
  static constexpr uint32_t kLongestSearch = 64;  // beyond: a member may be entered twice, until folding

  static size_t place(Ref readers, uint32_t with) {
    return (((uint64_t{readers} << 32 | with) * 0x9e3779b97f4a7c15u) >> 40) % kMemo;
  }
  Ref extend(Ref readers, Ref reader);
  // With the folded members in mapped_, which has the oldest one last.
  template <class G>
  Ref with_mapped(Ref readers, G same) {
    for (size_t i = mapped_.size(); i-- > 0;) readers = with_folded(readers, mapped_[i], same);
    return readers;
  }
  template <class G>
  Ref with_folded(Ref readers, Ref folded, G same) {
    if (readers == folded) return readers;
    if (const Ref known = recall(readers, folded)) return known;
    Ref at = readers;
    while (is_set(at) && !same(sets_[set_index(at)].newest, folded)) at = sets_[set_index(at)].rest;
    const Ref result = is_set(at) || same(at, folded) ? readers : interned(readers, folded);
    remember(readers, folded, result);
    return result;
  }
  bool contains(Ref readers, Ref reader) const;
  Set with_member(Ref rest, Ref newest) const;
  Ref interned(Ref rest, Ref newest);
  void sort_mapped();
  void fetch_entries() const;
  // 0: it may double before the next folding.
  Ref of_mapped(uint32_t limit);

  LargeVector<Set> sets_;
  std::vector<IndexSlot> index_;  // by hash, lossy: an old set may be made again
  std::unique_ptr<std::array<Memo, kMemo>> memo_;
  ContextIndex latest_ = 0;  // greatest context in any set
  std::vector<Ref> mapped_;
};

}  // namespace cdr::depend

#endif
