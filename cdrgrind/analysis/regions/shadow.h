// SPDX-License-Identifier: GPL-2.0-or-later
// What is known of every byte of memory: who wrote it last and when, and who has read it since. Bytes that were always
// accessed together share a cell: a line of 64 bytes has cells of 8, 4 or 1 bytes, as fine as its accesses want it.
#ifndef CDRGRIND_ANALYSIS_REGIONS_SHADOW_H
#define CDRGRIND_ANALYSIS_REGIONS_SHADOW_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/range.h"

namespace cdr::regions {

struct Reader {
  uint64_t time = 0;
  uint32_t site = 0;
  uint32_t next = 0;      // the one before it in time; 0: none
  uint32_t previous = 0;  // the one after it in time
  uint32_t older = 0;     // the site's, before it in time
};

// Lists of readers, the last first.
class Readers {
 public:
  const Reader& operator[](uint32_t r) const { return all_[r]; }
  // In front of `next`.
  uint32_t add(uint64_t time, uint32_t site, uint32_t next, uint32_t older) {
    uint32_t r = free_;
    if (r) {
      free_ = all_[r].next;
    } else {
      r = static_cast<uint32_t>(all_.size());
      all_.emplace_back();
    }
    all_[r] = {time, site, next, 0, older};
    if (next) all_[next].previous = r;
    return r;
  }
  // Takes the site's one that is older than `r`, which it has, out of the list.
  void remove_older(uint32_t r) {
    const uint32_t gone = all_[r].older;
    const Reader of = all_[gone];
    all_[r].older = of.older;
    all_[of.previous].next = of.next;
    if (of.next) all_[of.next].previous = of.previous;
    free_one(gone);
  }
  void free_list(uint32_t first) {
    while (first) {
      const uint32_t next = all_[first].next;
      free_one(first);
      first = next;
    }
  }
  uint32_t copy_list(uint32_t first);

 private:
  static constexpr uint64_t kFree = ~uint64_t{0};
  void free_one(uint32_t r) {
    all_[r].next = free_;
    all_[r].time = kFree;
    free_ = r;
  }

  std::deque<Reader> all_ = std::deque<Reader>(1);
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

  struct Line {
    unsigned shift = 3;
    Cell* cells = nullptr;
  };

  ~Shadow();

  // f(cell, address) for the cells of [addr, addr + width), each of which lies in it as a whole.
  template <class F>
  void for_cells(uint64_t addr, uint64_t width, F f) {
    while (width > 0) {
      const uint64_t offset = addr % kLineBytes, here = std::min(width, kLineBytes - offset);
      Line& line = fit(line_at(addr), offset, here);
      const uint64_t first = offset >> line.shift, last = (offset + here - 1) >> line.shift;
      for (uint64_t i = first; i <= last; ++i) f(line.cells[i], addr + ((i - first) << line.shift));
      addr += here;
      width -= here;
    }
  }
  // The site's last reader in the cell at this address; 0: there is none.
  uint32_t last_reader(const Cell& c, uint64_t addr, uint32_t site) {
    KnownReader& known = known_reader(addr, site);
    if (known.addr == addr && known.site == site && known.splits == splits_) {
      const Reader& r = readers[known.reader];
      return known.written == c.time && r.site == site && r.time == known.time ? known.reader : 0;
    }
    uint32_t r = c.readers;
    while (r && readers[r].site != site) r = readers[r].next;
    if (r) known = {addr, c.time, readers[r].time, site, r, splits_};
    return r;
  }
  // `older`: the site's last one so far.
  void add_reader(Cell& c, uint64_t addr, uint32_t site, uint64_t time, uint32_t older) {
    c.readers = readers.add(time, site, c.readers, older);
    known_reader(addr, site) = {addr, c.time, time, site, c.readers, splits_};
  }
  // Forgets what is known of the bytes.
  void clear(AddrRange range);
  void clear();

  Readers readers;

 private:
  struct Page {
    std::array<Line, kPageBytes / kLineBytes> lines;
  };
  struct Recent {
    uint64_t number = ~uint64_t{0};
    Page* page = nullptr;
  };

  // What a site has read is what it reads again: the lists of data that much code reads are long. Each reader that is
  // added is noted here, so what is known of a site and an address is its last one, whatever has become of it; but not
  // if lists were copied since.
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

  Page* find_page(uint64_t number);
  Page& page_at(uint64_t number);
  Line& line_at(uint64_t addr) {
    const uint64_t number = addr / kPageBytes;
    Recent& r = recent_[number % recent_.size()];
    if (r.number != number) r = {number, &page_at(number)};
    return r.page->lines[addr % kPageBytes / kLineBytes];
  }
  // The line, with cells no larger than the access wants them.
  Line& fit(Line& line, uint64_t offset, uint64_t width) {
    const uint64_t edges = offset | width;
    const unsigned wanted = (edges & 7) == 0 ? 3 : (edges & 3) == 0 ? 2 : 0;
    if (!line.cells || line.shift > wanted) split(line, wanted);
    return line;
  }
  void split(Line& line, unsigned shift);
  void clear_near(AddrRange range);
  void drop(Line& line);
  Cell* new_cells(unsigned shift);

  FlatMap<uint64_t, Page*> pages_;
  std::array<Recent, 64> recent_;
  std::vector<KnownReader> known_readers_ = std::vector<KnownReader>(size_t{1} << kKnownBits);
  uint64_t splits_ = 0;                     // that copied lists
  std::array<std::vector<Cell*>, 4> free_;  // by shift
  std::vector<std::unique_ptr<Cell[]>> slabs_;
};

}  // namespace cdr::regions

#endif
