// SPDX-License-Identifier: GPL-2.0-or-later
// Which labels the bytes of memory hold. What holds none takes nothing: lines of 64 bytes are kept while they hold
// some, one number where all bytes hold the same.
#ifndef CDRGRIND_ANALYSIS_SLICE_LABEL_MEMORY_H
#define CDRGRIND_ANALYSIS_SLICE_LABEL_MEMORY_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/slice/label_sets.h"
#include "cdrgrind/base/range.h"

namespace cdr::slice {

class LabelMemory {
 public:
  static constexpr uint64_t kLine = 64;
  // False for most of what holds none.
  bool may_hold(uint64_t addr, uint64_t width) const {
    if (lines_ == 0) return false;
    for (uint64_t line = addr / kLine; line <= (addr + width - 1) / kLine; ++line)
      if (filter_[filter_of(line)] != 0) return true;
    return false;
  }
  bool empty() const { return lines_ == 0; }
  // False: it holds none.
  bool any_in(AddrRange range) const;
  // Of all the bytes.
  template <class Table>
  Labels at(uint64_t addr, uint64_t width, Table& table) const;
  // Whether f(its labels) holds for each byte.
  template <class F>
  bool all_of(uint64_t addr, uint64_t width, F f) const;
  void set(uint64_t addr, uint64_t width, Labels labels);
  void clear(AddrRange range);
  // What stands there, byte by byte; the two have nothing in common.
  void copy(uint64_t from, AddrRange to);
  void clear();

 private:
  static constexpr uint64_t kLinesOfPage = 64, kPage = kLine * kLinesOfPage;
  using Line = std::array<Labels, kLine>;
  struct Page {
    uint64_t held = 0;                            // lines that hold some
    uint64_t mixed = 0;                           // of these: not the same in all bytes
    std::array<uint32_t, kLinesOfPage> labels{};  // or the number of the mixed line
  };

  static size_t filter_of(uint64_t line) { return line % kFilter; }
  void set_in_line(uint64_t line, uint64_t begin, uint64_t end, Labels labels);
  void hold(uint64_t line, Page& page, uint64_t bit);
  void drop(uint64_t line, Page& page, uint64_t bit);
  void tidy(uint64_t line, Page& page, uint64_t bit);
  uint32_t new_line(Labels labels);
  Page* find(uint64_t number) const;
  Labels of_byte(const Page& page, uint64_t addr) const {
    const uint64_t i = addr / kLine % kLinesOfPage;
    if (!(page.held >> i & 1)) return 0;
    return page.mixed >> i & 1 ? mixed_[page.labels[i]][addr % kLine] : page.labels[i];
  }
  std::vector<uint64_t> pages_in(AddrRange range) const;

  static constexpr size_t kFilter = 1 << 16;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;  // by address / kPage
  std::vector<Line> mixed_;
  std::vector<uint32_t> unused_;                                   // of mixed_
  std::vector<uint32_t> filter_ = std::vector<uint32_t>(kFilter);  // lines that hold some, by the lower part
  size_t lines_ = 0;
  mutable uint64_t last_number_ = ~uint64_t{0};
  mutable Page* last_page_ = nullptr;
};

template <class Table>
Labels LabelMemory::at(uint64_t addr, uint64_t width, Table& table) const {
  Labels all = 0;
  for (uint64_t end = addr + width; addr < end;) {
    const uint64_t line = addr / kLine, stop = std::min(end, (line + 1) * kLine), in_page = line % kLinesOfPage;
    const Page* page = find(line / kLinesOfPage);
    if (page && page->held >> in_page & 1) {
      if (!(page->mixed >> in_page & 1)) {
        all = table.unite(all, page->labels[in_page]);
      } else {
        const Line& bytes = mixed_[page->labels[in_page]];
        for (uint64_t b = addr % kLine; b < stop - line * kLine; ++b) all = table.unite(all, bytes[b]);
      }
    }
    addr = stop;
  }
  return all;
}

template <class F>
bool LabelMemory::all_of(uint64_t addr, uint64_t width, F f) const {
  for (const uint64_t end = addr + width; addr < end; ++addr) {
    const Page* page = find(addr / kPage);
    if (!f(page ? of_byte(*page, addr) : 0)) return false;
  }
  return true;
}

}  // namespace cdr::slice

#endif
