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

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/range.h"

namespace cdr::regions {

struct Reader {
  uint64_t time = 0;
  uint32_t site = 0;
  uint32_t next = 0;  // the one before it in time; 0: none
};

class Readers {
 public:
  Reader& operator[](uint32_t r) { return all_[r]; }
  uint32_t add(uint64_t time, uint32_t site, uint32_t next) {
    uint32_t r = free_;
    if (r) {
      free_ = all_[r].next;
    } else {
      r = static_cast<uint32_t>(all_.size());
      all_.emplace_back();
    }
    all_[r] = {time, site, next};
    return r;
  }
  void free_one(uint32_t r) {
    all_[r].next = free_;
    free_ = r;
  }
  void free_list(uint32_t first) {
    if (!first) return;
    uint32_t last = first;
    while (all_[last].next) last = all_[last].next;
    all_[last].next = free_;
    free_ = first;
  }
  uint32_t copy_list(uint32_t first) {
    uint32_t copy = 0;
    std::vector<uint32_t> list;
    for (uint32_t r = first; r; r = all_[r].next) list.push_back(r);
    for (size_t i = list.size(); i-- > 0;) copy = add(all_[list[i]].time, all_[list[i]].site, copy);
    return copy;
  }

 private:
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
  std::array<std::vector<Cell*>, 4> free_;  // by shift
  std::vector<std::unique_ptr<Cell[]>> slabs_;
};

}  // namespace cdr::regions

#endif
