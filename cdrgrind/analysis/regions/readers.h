// SPDX-License-Identifier: GPL-2.0-or-later
// Who has read a cell since it was written, and when. Of each site those times are kept that a later store can tell
// apart. Mostly one site reads a cell, and two times are enough: these stand in the cell itself.
#ifndef CDRGRIND_ANALYSIS_REGIONS_READERS_H
#define CDRGRIND_ANALYSIS_REGIONS_READERS_H

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/base/large_pages.h"

namespace cdr::regions {

// The times at which one site has read, descending: `last`, `before`, and a chain; 0: none.
struct SiteReads {
  uint64_t last = 0, before = 0;
  uint32_t site = 0, older = 0;
};

// Sites that have read one cell, in no order; some only before it was written last: those read it again, mostly. Long
// lists have an index behind their entries.
class alignas(SiteReads) ReaderList {
 public:
  SiteReads* begin() { return entries(); }
  SiteReads* end() { return entries() + count_; }
  // Null: there is none of that site.
  SiteReads* find(uint32_t site) {
    // What was asked for comes again, in the same order.
    if (entries()[hint_].site == site) return &entries()[hint_];
    if (hint_ + 1 < count_ && entries()[hint_ + 1].site == site) return &entries()[++hint_];
    return find_elsewhere(site);
  }

 private:
  friend class Readers;
  static constexpr unsigned kIndexed = 4;  // the first size with an index
  static constexpr std::array<uint32_t, kIndexed> kRooms = {2, 4, 10, 20};

  explicit ReaderList(uint32_t size) : size_(size) {}
  static uint32_t room_of(uint32_t size) { return size < kIndexed ? kRooms[size] : uint32_t{32} << (size - kIndexed); }
  static size_t bytes_of(uint32_t size) {
    return sizeof(ReaderList) + room_of(size) * (sizeof(SiteReads) + (size < kIndexed ? 0 : 2 * sizeof(uint32_t)));
  }
  SiteReads* entries() { return reinterpret_cast<SiteReads*>(this + 1); }
  uint32_t* slots() { return reinterpret_cast<uint32_t*>(entries() + room_of(size_)); }  // number of an entry + 1
  uint32_t slot_of(uint32_t site) const { return (site * 0x9e3779b1u) >> (32 - slot_bits()); }
  unsigned slot_bits() const { return 6 + size_ - kIndexed; }
  [[gnu::noinline]] SiteReads* find_elsewhere(uint32_t site);
  void add(const SiteReads& reads);
  bool replace(const SiteReads& reads);

  uint32_t size_, count_ = 0, hint_ = 0;
};

// Who wrote the bytes of a cell last, and who has read them since.
struct Cell {
  static constexpr uint32_t kMany = ~uint32_t{0}, kSplit = kMany - 1;
  uint64_t time = 0;    // of the last write
  uint32_t site = 0;    // that made it; 0: none is known
  uint32_t reader = 0;  // the only site that has read it; 0: none has, kMany: a list says which; kSplit: smaller cells
                        // have what is known
  union {
    uint64_t last = 0;  // as of SiteReads
    ReaderList* list;
    Cell* cells;
  };
  uint64_t before = 0;  // if it is split, log2 of the bytes of each of the cells

  bool is_split() const { return reader == kSplit; }
  // Nothing is known.
  bool is_blank() const { return site == 0 && reader == 0; }
};

class Readers {
 public:
  // f(site, time) for all of them.
  template <class F>
  void for_all(const Cell& c, F f) const {
    if (c.reader == 0) return;
    if (c.reader != Cell::kMany) {
      f(c.reader, c.last);
      if (c.before) f(c.reader, c.before);
      return;
    }
    for (const SiteReads& r : *c.list) {
      if (!r.last) continue;
      f(r.site, r.last);
      if (r.before) f(r.site, r.before);
      for (uint32_t o = r.older; o; o = older(o).next) f(r.site, older(o).time);
    }
  }
  // The site reads, later than ever; which changes nothing if it has at `since` or later. start(t): of its times from
  // then on only the last is kept, which is t.
  template <class F>
  void add(Cell& c, uint32_t site, uint64_t time, uint64_t since, F start) {
    if (c.reader == 0) {
      c.reader = site;
      c.last = time;
    } else if (c.reader != site) {
      add_to_list(c, site, time, since, start);
    } else if (c.last < since) {
      if (c.before && c.before < start(c.last)) return add_to_list(c, site, time, since, start);
      c.before = c.last;
      c.last = time;
    }
  }
  // The cell is written: nobody has read it since.
  void written(Cell& c) {
    if (c.reader == Cell::kMany) return written(*c.list, c);
    c.reader = 0;
    c.before = 0;
  }
  void clear(Cell& c) {
    if (c.reader == Cell::kMany) free_list(c.list);
    c.reader = 0;
    c.before = 0;
  }
  // The cell was copied: it gets lists of its own.
  void part(Cell& copy);

 private:
  struct Older {
    uint64_t time = 0;
    uint32_t next = 0;
  };
  static constexpr uint32_t kChunk = 1 << 14;
  static constexpr uint32_t kSizes = 28;

  const Older& older(uint32_t o) const { return chunks_[o / kChunk][o % kChunk]; }
  Older& older(uint32_t o) { return chunks_[o / kChunk][o % kChunk]; }
  [[gnu::noinline]] uint32_t add_older(uint64_t time, uint32_t next);
  void free_older(uint32_t o) {
    older(o).next = free_older_;
    free_older_ = o;
  }

  template <class F>
  void add_to_list(Cell& c, uint32_t site, uint64_t time, uint64_t since, F start) {
    if (c.reader != Cell::kMany) make_list(c);
    SiteReads* const r = c.list->find(site);
    if (!r) return add_site(c, {time, 0, site, 0});
    if (r->last >= since) return;
    if (r->before) {
      const uint64_t from = start(r->last);
      if (r->before < from)
        r->older = add_older(r->before, r->older);
      else
        free_chain(*r, from);
    }
    r->before = r->last;
    r->last = time;
  }
  // Instead of its only site.
  [[gnu::noinline]] void make_list(Cell& c);
  [[gnu::noinline]] void add_site(Cell& c, const SiteReads& reads);
  ReaderList* new_list(uint32_t size);
  [[gnu::noinline]] void written(ReaderList& list, Cell& c);
  // From that time on.
  [[gnu::noinline]] void free_chain(SiteReads& r, uint64_t from = 0) {
    while (r.older && older(r.older).time >= from) {
      const uint32_t gone = r.older;
      r.older = older(gone).next;
      free_older(gone);
    }
  }
  void free_list(ReaderList* list);

  LargePagePieces memory_;
  std::vector<std::unique_ptr<std::byte[]>> large_;          // lists that no piece holds
  std::array<std::vector<ReaderList*>, kSizes> free_lists_;  // by size
  std::vector<std::unique_ptr<Older[]>> chunks_;
  uint32_t made_older_ = 1, free_older_ = 0;  // the first stands for none
};

}  // namespace cdr::regions

#endif
