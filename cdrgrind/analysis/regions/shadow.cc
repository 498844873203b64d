// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/shadow.h"

namespace cdr::regions {
namespace {

constexpr size_t count_of(unsigned shift) { return kLineBytes >> shift; }

}  // namespace

Shadow::Page* Shadow::find_page(uint64_t number) {
  Page** known = pages_.find(number);
  return known ? *known : nullptr;
}

Shadow::Page& Shadow::make_page(uint64_t number) {
  const auto [page, is_new] = pages_.insert(number);
  static_assert(sizeof(Page) % 16 == 0 && std::is_trivially_destructible_v<Page>);
  if (is_new) *page = new (page_memory_.take(sizeof(Page))) Page;
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

void Shadow::split(Page& page, uint64_t line, unsigned shift) {
  Cell* const cells = new_cells(shift);
  Cell* const old = page.line(line);
  const unsigned more = page.shift[line] - shift;
  for (size_t i = 0; i < count_of(shift); ++i) {
    cells[i] = old[i >> more];
    if (i % (size_t{1} << more) != 0) readers.part(cells[i]);
  }
  if (page.shift[line] < kCoarsest) free_[page.shift[line]].push_back(old);
  page.small[line] = cells;
  page.shift[line] = static_cast<uint8_t>(shift);
}

void Shadow::drop(Page& page, uint64_t line) {
  Cell* const cells = page.line(line);
  const unsigned shift = page.shift[line];
  for (size_t i = 0; i < count_of(shift); ++i) {
    readers.clear(cells[i]);
    cells[i] = {};
  }
  if (shift == kCoarsest) return;
  free_[shift].push_back(cells);
  page.shift[line] = kCoarsest;
  std::fill_n(page.line(line), count_of(kCoarsest), Cell{});
}

void Shadow::clear(AddrRange range) {
  if (share_.is_all()) return clear_kept(range);
  constexpr uint64_t kGroupBytes = LineShare::kGroup * kLineBytes;
  const auto clear_lines = [&](AddrRange some) {
    while (some.begin < some.end) {
      const uint64_t here = std::min(some.end - some.begin, kLineBytes - some.begin % kLineBytes);
      clear_line({some.begin, some.begin + here});
      some.begin += here;
    }
  };
  const uint64_t first = range.begin / kGroupBytes + 1, end = range.end / kGroupBytes;
  if (first >= end) return clear_lines(range);
  clear_lines({range.begin, first * kGroupBytes});
  clear_kept({share_.first_place(first) * kLineBytes, share_.first_place(end) * kLineBytes});
  clear_lines({end * kGroupBytes, range.end});
}

// Within one line.
void Shadow::clear_line(AddrRange range) {
  const uint64_t line = range.begin / kLineBytes;
  if (!share_.has(line)) return;
  const uint64_t kept = share_.place_of(line) * kLineBytes + range.begin % kLineBytes;
  clear_kept({kept, kept + (range.end - range.begin)});
}

void Shadow::clear_kept(AddrRange range) {
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
      if (here == kLineBytes) {
        drop(*page, range.begin % kPageBytes / kLineBytes);
      } else if (!page->blank(range.begin % kPageBytes / kLineBytes)) {
        for_kept_cells(range.begin, here, [&](Cell& c, uint64_t) {
          readers.clear(c);
          c = {};
        });
      }
      range.begin += here;
    }
  }
}

void Shadow::clear() {
  pages_.for_each([&](uint64_t, Page* p) {
    for (uint64_t line = 0; line < kPageBytes / kLineBytes; ++line) drop(*p, line);
  });
}

}  // namespace cdr::regions
