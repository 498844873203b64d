// SPDX-License-Identifier: GPL-2.0-or-later
// What is known of every byte of memory: who wrote it last and when, and who has read it since. A word of 8 bytes has
// one cell, or cells of 4 bytes or of 1, as fine as its accesses want it: a write of all of them makes one of them
// again.
#ifndef CDRGRIND_ANALYSIS_REGIONS_SHADOW_H
#define CDRGRIND_ANALYSIS_REGIONS_SHADOW_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
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
  void for_cells(uint64_t addr, uint64_t width, const F& f) {
    for_part<kReads>(addr, width, f);
  }
  // The same for a write, behind which cells of a word are alike: of cells that are alike before, f is given the first.
  template <class F>
  void for_written_cells(uint64_t addr, uint64_t width, const F& f) {
    for_part<kWrites>(addr, width, f);
  }
  // Forgets what is known of the bytes.
  void clear(AddrRange range);
  void clear();

  Readers readers;

 private:
  enum Mode { kReads, kWrites };
  static constexpr uint64_t kWordBytes = 8;
  static constexpr unsigned kHalves = 2;  // log2 of the bytes of a cell

  template <Mode kMode, class F>
  void for_part(uint64_t addr, uint64_t width, const F& f) {
    if (share_.is_all()) return for_kept_cells<kMode>(addr, width, f);
    for (uint64_t here = 0; width > 0; addr += here, width -= here) {
      here = std::min(width, kLineBytes - addr % kLineBytes);
      if (!share_.has(addr / kLineBytes)) continue;
      const uint64_t kept = share_.place_of(addr / kLineBytes) * kLineBytes + addr % kLineBytes;
      for_kept_cells<kMode>(kept, here, [&](Cell& c, uint64_t at) { f(c, addr + (at - kept)); });
    }
  }

  // Addresses from here on are those where a part keeps its lines.

  template <Mode kMode, class F>
  void for_kept_cells(uint64_t addr, uint64_t width, const F& f) {
    do {
      Cell& word = word_at(addr);
      const uint64_t offset = addr % kWordBytes;
      Cell* cell = nullptr;
      uint64_t here = kWordBytes;
      if (!word.is_split()) {
        if (width >= kWordBytes && offset == 0) cell = &word;
      } else if (width == uint64_t{1} << word.before && offset % width == 0) {
        cell = &word.cells[offset >> word.before];
        here = width;
      }
      if (!cell) return for_cells_of_words<kMode>(addr, width, f);
      f(*cell, addr);
      addr += here;
      width -= here;
    } while (width > 0);
  }
  struct Page {
    std::array<Cell, kPageBytes / kWordBytes> words;
  };
  struct Recent {
    uint64_t number = ~uint64_t{0};
    Page* page = nullptr;
  };

  template <Mode kMode, class F>
  [[gnu::noinline]] void for_cells_of_words(uint64_t addr, uint64_t width, const F& f) {
    for (uint64_t here = 0; width > 0; addr += here, width -= here) {
      Cell& word = word_at(addr);
      const uint64_t offset = addr % kWordBytes;
      here = std::min(width, kWordBytes - offset);
      if (here < kWordBytes) {
        fit(word, offset, here);
      } else if (!word.is_split()) {
        f(word, addr);
        continue;
      }
      const uint64_t shift = word.before;
      const std::span<Cell> cells(word.cells + (offset >> shift), ((here - 1) >> shift) + 1);
      if (kMode == kWrites && cells.size() > 1)
        write_alike(word, cells, addr, shift, f);
      else
        for (size_t i = 0; i < cells.size(); ++i) f(cells[i], addr + (i << shift));
    }
  }
  template <class F>
  void write_alike(Cell& word, std::span<Cell> cells, uint64_t addr, uint64_t shift, const F& f) {
    Cell before;
    for (size_t i = 0; i < cells.size(); ++i)
      if (i == 0 || !are_alike(cells[i], before)) {
        before = cells[i];
        f(cells[i], addr + (i << shift));
      }
    for (Cell& c : cells.subspan(1)) readers.clear(c);
    if (cells.size() == kWordBytes >> shift) return join(word);
    readers.clear(cells[0]);
    for (Cell& c : cells.subspan(1)) c = cells[0];
  }
  // Lists of readers are not compared.
  static bool are_alike(const Cell& a, const Cell& b) {
    return a.time == b.time && a.site == b.site && a.reader == b.reader && a.reader != Cell::kMany &&
           (a.reader == 0 || (a.last == b.last && a.before == b.before));
  }
  Page* find_page(uint64_t number);
  [[gnu::noinline]] Page& make_page(uint64_t number);
  Cell& word_at(uint64_t addr) {
    const uint64_t number = addr / kPageBytes;
    Recent& r = recent_[number % kRecent];
    if (r.number != number) [[unlikely]]
      r = {number, &make_page(number)};
    return r.page->words[addr % kPageBytes / kWordBytes];
  }
  // The word gets cells no larger than the access wants them.
  void fit(Cell& word, uint64_t offset, uint64_t width) {
    const unsigned wanted = ((offset | width) & 3) == 0 ? kHalves : 0;
    if (!word.is_split() || word.before > wanted) split(word, wanted);
  }
  void split(Cell& word, unsigned shift);
  void join(Cell& word);
  void clear(Cell& word);
  void clear_line(AddrRange range);
  void clear_kept(AddrRange range);
  void clear_near(AddrRange range);
  Cell* new_cells(unsigned shift);

  static constexpr size_t kRecent = 1024;
  const LineShare share_;
  LargePagePieces page_memory_;
  FlatMap<uint64_t, Page*> pages_;
  std::array<Recent, kRecent> recent_;
  std::array<std::vector<Cell*>, kHalves + 1> free_;  // by shift
  std::vector<std::unique_ptr<Cell[]>> slabs_;
};

}  // namespace cdr::regions

#endif
