// SPDX-License-Identifier: GPL-2.0-or-later
// What is known of every byte of memory: who wrote it last and when, and who has read it since. Bytes that were always
// accessed together share a cell: a line of 64 bytes has cells of 8, 4 or 1 bytes, as fine as its accesses want it.
#ifndef CDRGRIND_ANALYSIS_REGIONS_SHADOW_H
#define CDRGRIND_ANALYSIS_REGIONS_SHADOW_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/large_pages.h"
#include "cdrgrind/base/range.h"

namespace cdr::regions {

struct Reader {
  uint64_t time = 0;
  uint32_t site = 0;
  uint32_t next = 0;           // the one before it in time; 0: none
  uint32_t previous : 31 = 0;  // the one after it in time
  uint32_t noted : 1 = 0;      // in Shadow's table
  uint32_t older = 0;          // the site's, before it in time
};

// Lists of readers, the last first.
class Readers {
 public:
  Readers() { add_chunk(); }

  const Reader& operator[](uint32_t r) const { return chunks_[r / kChunk][r % kChunk]; }
  // In front of `next`.
  uint32_t add(uint64_t time, uint32_t site, uint32_t next, uint32_t older) {
    uint32_t r = free_;
    if (r)
      free_ = at(r).next;
    else
      r = fresh();
    Reader& added = at(r);
    added.time = time;
    added.site = site;
    added.next = next;
    added.previous = 0;
    added.noted = 0;
    added.older = older;
    if (next) at(next).previous = r;
    return r;
  }
  void note(uint32_t r) { at(r).noted = 1; }
  // Takes the site's one that is older than `r`, which it has, out of the list.
  void remove_older(uint32_t r) {
    const uint32_t gone = at(r).older;
    const Reader of = at(gone);
    at(r).older = of.older;
    at(of.previous).next = of.next;
    if (of.next) at(of.next).previous = of.previous;
    free_one(gone);
  }
  // The first of a list, whose site's older one is the second, reads again: as remove_older() and add().
  void repeat(uint32_t first, uint64_t time) {
    Reader& r = at(first);
    at(r.older).time = r.time;
    r.time = time;
  }
  void free_list(uint32_t first) {
    while (first) {
      const uint32_t next = at(first).next;
      free_one(first);
      first = next;
    }
  }
  uint32_t copy_list(uint32_t first);

 private:
  static constexpr uint32_t kChunk = 1 << 16;
  static constexpr uint64_t kFree = ~uint64_t{0};
  Reader& at(uint32_t r) { return chunks_[r / kChunk][r % kChunk]; }
  uint32_t fresh() {
    if (made_ == chunks_.size() * kChunk) add_chunk();
    at(made_) = {};
    return made_++;
  }
  void free_one(uint32_t r) {
    at(r).next = free_;
    at(r).time = kFree;
    free_ = r;
  }

  void add_chunk() { chunks_.push_back(reinterpret_cast<Reader*>(memory_.take(kChunk * sizeof(Reader)))); }

  LargePagePieces memory_;
  std::vector<Reader*> chunks_;
  uint32_t made_ = 1;  // the first stands for none
  uint32_t free_ = 0;
};

struct Cell {
  uint64_t time = 0;     // of the last write
  uint32_t site = 0;     // that made it; 0: none is known
  uint32_t readers = 0;  // since, the last first
};

class Shadow {
 public:
  static constexpr uint64_t kLineBytes = 64, kPageBytes = 4096;

  // f(cell, address) for the cells of [addr, addr + width), each of which lies in it as a whole.
  template <class F>
  void for_cells(uint64_t addr, uint64_t width, F f) {
    Page& page = page_at(addr);
    const uint64_t offset = addr % kPageBytes;
    if (((addr | width) & 7) == 0 && width == 8 && page.shift[offset / kLineBytes] == 3) [[likely]]
      return f(page.cells[offset / 8], addr);
    for_cells_of_lines(addr, width, f);
  }
  // The site's last reader in the cell at this address; 0: there is none.
  uint32_t last_reader(const Cell& c, uint64_t addr, uint32_t site) {
    uint32_t r = c.readers;
    for (int near = 0; near < kNear && r; ++near, r = readers[r].next)
      if (readers[r].site == site) return r;
    return r ? far_reader(r, c, addr, site) : 0;
  }
  // `older`: the site's last one so far.
  void add_reader(Cell& c, uint64_t addr, uint32_t site, uint64_t time, uint32_t older) {
    const bool noted = older && readers[older].noted;
    c.readers = readers.add(time, site, c.readers, older);
    if (noted) note(c.readers, c, addr);
  }
  // Readers::repeat().
  void repeat_first(Cell& c, uint64_t addr, uint64_t time) {
    readers.repeat(c.readers, time);
    if (readers[c.readers].noted) note(c.readers, c, addr);
  }
  // Forgets what is known of the bytes.
  void clear(AddrRange range);
  void clear();

  Readers readers;

 private:
  // The cells of 8 bytes of all lines; of those whose cells are smaller, the small ones.
  struct Page {
    std::array<uint8_t, kPageBytes / kLineBytes> shift;
    std::array<Cell*, kPageBytes / kLineBytes> small{};
    std::array<Cell, kPageBytes / 8> cells;
    Page() { shift.fill(3); }
    Cell* line(uint64_t number) { return shift[number] == 3 ? &cells[number * (kLineBytes / 8)] : small[number]; }
    // Nothing is known of the line.
    bool blank(uint64_t number) {
      const Cell* const c = line(number);
      return shift[number] == 3 &&
             std::all_of(c, c + kLineBytes / 8, [](const Cell& x) { return x.site == 0 && x.readers == 0; });
    }
  };
  struct Recent {
    uint64_t number = ~uint64_t{0};
    Page* page = nullptr;
  };

  // The lists of data that much code reads are long, and what a site has read is what it reads again: a site's reader
  // that was found far behind is noted, and from then on each that follows it. So what is known of a site and an
  // address is its last one, whatever has become of it; but not if lists were copied since.
  static constexpr int kNear = 8;
  struct KnownReader {
    uint64_t addr = ~uint64_t{0};
    uint64_t written = 0;  // the cell, when
    uint64_t time = 0;     // the reader's
    uint32_t site = 0;
    uint32_t reader = 0;
    uint64_t splits = 0;
  };
  static constexpr unsigned kKnownBits = 15;
  KnownReader& known_reader(uint64_t addr, uint32_t site) {
    return known_readers_[static_cast<size_t>(mix64(addr ^ uint64_t{site} << 40) >> (64 - kKnownBits))];
  }
  uint32_t far_reader(uint32_t from, const Cell& c, uint64_t addr, uint32_t site);
  void note(uint32_t reader, const Cell& c, uint64_t addr);

  template <class F>
  void for_cells_of_lines(uint64_t addr, uint64_t width, F f) {
    while (width > 0) {
      const uint64_t offset = addr % kLineBytes, here = std::min(width, kLineBytes - offset);
      Page& page = page_at(addr);
      const uint64_t line = addr % kPageBytes / kLineBytes;
      fit(page, line, offset, here);
      Cell* const cells = page.line(line);
      const unsigned shift = page.shift[line];
      const uint64_t first = offset >> shift, last = (offset + here - 1) >> shift;
      for (uint64_t i = first; i <= last; ++i) f(cells[i], addr + ((i - first) << shift));
      addr += here;
      width -= here;
    }
  }
  Page* find_page(uint64_t number);
  Page& make_page(uint64_t number);
  Page& page_at(uint64_t addr) {
    const uint64_t number = addr / kPageBytes;
    Recent& r = recent_[number % kRecent];
    if (r.number != number) [[unlikely]]
      r = {number, &make_page(number)};
    return *r.page;
  }
  // The line gets cells no larger than the access wants them.
  void fit(Page& page, uint64_t line, uint64_t offset, uint64_t width) {
    const uint64_t edges = offset | width;
    const unsigned wanted = (edges & 7) == 0 ? 3 : (edges & 3) == 0 ? 2 : 0;
    if (page.shift[line] > wanted) split(page, line, wanted);
  }
  void split(Page& page, uint64_t line, unsigned shift);
  void clear_near(AddrRange range);
  void drop(Page& page, uint64_t line);
  Cell* new_cells(unsigned shift);

  static constexpr size_t kRecent = 256;
  LargePagePieces page_memory_;
  FlatMap<uint64_t, Page*> pages_;
  std::array<Recent, kRecent> recent_;
  std::vector<KnownReader> known_readers_ = std::vector<KnownReader>(size_t{1} << kKnownBits);
  uint64_t splits_ = 0;                     // that copied lists
  std::array<std::vector<Cell*>, 3> free_;  // by shift
  std::vector<std::unique_ptr<Cell[]>> slabs_;
};

}  // namespace cdr::regions

#endif
