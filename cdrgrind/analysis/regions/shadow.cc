// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/shadow.h"

#include <map>

namespace cdr::regions {
namespace {

constexpr size_t count_of(unsigned shift) { return Shadow::kLineBytes >> shift; }

}  // namespace

Shadow::~Shadow() {
  pages_.for_each([](uint64_t, Page* p) { delete p; });
}

Shadow::Page* Shadow::find_page(uint64_t number) {
  Page** known = pages_.find(number);
  return known ? *known : nullptr;
}

Shadow::Page& Shadow::page_at(uint64_t number) {
  const auto [page, is_new] = pages_.insert(number);
  if (is_new) *page = new Page;
  return **page;
}

Cell* Shadow::new_cells(unsigned shift) {
  auto& free = free_[shift];
  if (free.empty()) {
    constexpr size_t kLines = 256;
    slabs_.push_back(std::make_unique<Cell[]>(kLines * count_of(shift)));
    for (size_t i = kLines; i-- > 0;) free.push_back(slabs_.back().get() + i * count_of(shift));
  }
  Cell* cells = free.back();
  free.pop_back();
  return cells;
}

uint32_t Readers::copy_list(uint32_t first) {
  std::vector<uint32_t> list;
  for (uint32_t r = first; r; r = all_[r].next) list.push_back(r);
  uint32_t copy = 0;
  std::map<uint32_t, uint32_t> last;  // by site
  for (size_t i = list.size(); i-- > 0;) {
    const Reader of = all_[list[i]];
    uint32_t& mine = last[of.site];
    copy = mine = add(of.time, of.site, copy, mine);
  }
  return copy;
}

void Shadow::split(Line& line, unsigned shift) {
  Cell* cells = new_cells(shift);
  if (!line.cells) {
    std::fill_n(cells, count_of(shift), Cell{});
  } else {
    const unsigned more = line.shift - shift;
    for (size_t i = 0; i < count_of(shift); ++i) {
      const Cell& from = line.cells[i >> more];
      cells[i] = from;
      if (!from.readers || i % (size_t{1} << more) == 0) continue;
      cells[i].readers = readers.copy_list(from.readers);
      ++splits_;
    }
    free_[line.shift].push_back(line.cells);
  }
  line = {shift, cells};
}

void Shadow::drop(Line& line) {
  if (!line.cells) return;
  for (size_t i = 0; i < count_of(line.shift); ++i) readers.free_list(line.cells[i].readers);
  free_[line.shift].push_back(line.cells);
  line = {};
}

void Shadow::clear(AddrRange range) {
  if (range.end - range.begin > pages_.size() * kPageBytes) {
    std::vector<AddrRange> pages;
    pages_.for_each([&](uint64_t n, Page*) {
      const AddrRange here{std::max(n * kPageBytes, range.begin), std::min((n + 1) * kPageBytes, range.end)};
      if (!here.empty()) pages.push_back(here);
    });
    for (const AddrRange& p : pages) clear_near(p);
  } else {
    clear_near(range);
  }
}

void Shadow::clear_near(AddrRange range) {
  while (range.begin < range.end) {
    const uint64_t number = range.begin / kPageBytes;
    const uint64_t page_end = (number + 1) * kPageBytes;
    Page* const page = find_page(number);
    if (!page) {
      if (page_end <= range.begin) return;
      range.begin = page_end;
      continue;
    }
    for (; range.begin < range.end && range.begin < page_end;) {
      const uint64_t offset = range.begin % kLineBytes;
      const uint64_t here = std::min(range.end - range.begin, kLineBytes - offset);
      Line& line = page->lines[range.begin % kPageBytes / kLineBytes];
      if (here == kLineBytes) {
        drop(line);
      } else if (line.cells) {
        for_cells(range.begin, here, [&](Cell& c, uint64_t) {
          readers.free_list(c.readers);
          c = {};
        });
      }
      range.begin += here;
    }
  }
}

void Shadow::clear() {
  pages_.for_each([&](uint64_t, Page* p) {
    for (Line& line : p->lines) drop(line);
  });
}

}  // namespace cdr::regions
