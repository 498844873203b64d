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

#include "cdrgrind/analysis/regions/line_share.h"
#include "cdrgrind/analysis/regions/readers.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/large_pages.h"
#include "cdrgrind/base/range.h"

namespace cdr::regions {

class Shadow {
 public:
  static constexpr uint64_t kPageBytes = 4096;

  explicit Shadow(const LineShare& share = {1, 0}) : share_(share) {}

  // Whether the bytes may be of several parts.
  bool are_shared(uint64_t addr, uint64_t width) const {
    return !share_.is_all() && addr % kLineBytes + width > kLineBytes;
  }
  // f(cell, address) for the cells of [addr, addr + width), each of which lies in it as a whole; the part's only.
  template <class F>
  void for_cells(uint64_t addr, uint64_t width, F f) {
    if (share_.is_all()) return for_kept_cells(addr, width, f);
    for (uint64_t here = 0; width > 0; addr += here, width -= here) {
      here = std::min(width, kLineBytes - addr % kLineBytes);
      if (!share_.has(addr / kLineBytes)) continue;
      const uint64_t kept = share_.place_of(addr / kLineBytes) * kLineBytes + addr % kLineBytes;
      for_kept_cells(kept, here, [&](Cell& c, uint64_t at) { f(c, addr + (at - kept)); });
    }
  }
  // Forgets what is known of the bytes.
  void clear(AddrRange range);
  void clear();

  Readers readers;

 private:
  // Addresses from here on are those where a part keeps its lines.

  // The cell of just these bytes; null: there is none.
  Cell* cell(uint64_t addr, uint64_t width) {
    Page& page = page_at(addr);
    const uint64_t line = addr % kPageBytes / kLineBytes;
    const unsigned shift = page.shift[line];
    if (width != uint64_t{1} << shift || (addr & (width - 1)) != 0) [[unlikely]]
      return nullptr;
    return page.line(line) + (addr % kLineBytes >> shift);
  }
  template <class F>
  void for_kept_cells(uint64_t addr, uint64_t width, F f) {
    if (Cell* const c = cell(addr, width)) return f(*c, addr);
    for_cells_of_lines(addr, width, f);
  }
  static constexpr unsigned kCoarsest = 3;
  // The cells of 8 bytes of all lines; of those whose cells are smaller, the small ones.
  struct Page {
    std::array<uint8_t, kPageBytes / kLineBytes> shift;
    std::array<Cell*, kPageBytes / kLineBytes> small{};
    std::array<Cell, (kPageBytes >> kCoarsest)> cells;
    Page() { shift.fill(kCoarsest); }
    Cell* line(uint64_t number) {
      return shift[number] == kCoarsest ? &cells[number * (kLineBytes >> kCoarsest)] : small[number];
    }
    // Nothing is known of the line.
    bool blank(uint64_t number) {
      const Cell* const c = line(number);
      return shift[number] == kCoarsest &&
             std::all_of(c, c + (kLineBytes >> kCoarsest), [](const Cell& x) { return x.site == 0 && x.reader == 0; });
    }
  };
  struct Recent {
    uint64_t number = ~uint64_t{0};
    Page* page = nullptr;
  };

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
    const unsigned wanted = (edges & 7) == 0 ? kCoarsest : (edges & 3) == 0 ? 2 : 0;
    if (page.shift[line] > wanted) split(page, line, wanted);
  }
  void split(Page& page, uint64_t line, unsigned shift);
  void clear_line(AddrRange range);
  void clear_kept(AddrRange range);
  void clear_near(AddrRange range);
  void drop(Page& page, uint64_t line);
  Cell* new_cells(unsigned shift);

  static constexpr size_t kRecent = 256;
  const LineShare share_;
  LargePagePieces page_memory_;
  FlatMap<uint64_t, Page*> pages_;
  std::array<Recent, kRecent> recent_;
  std::array<std::vector<Cell*>, kCoarsest> free_;  // by shift
  std::vector<std::unique_ptr<Cell[]>> slabs_;
};

}  // namespace cdr::regions

#endif
