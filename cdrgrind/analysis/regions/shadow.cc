// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/shadow.h"

namespace cdr::regions {

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
  const size_t count = kWordBytes >> shift;
  if (free.empty()) {
    constexpr size_t kWords = 512;
    slabs_.push_back(std::make_unique<Cell[]>(kWords * count));
    for (size_t i = kWords; i-- > 0;) free.push_back(slabs_.back().get() + i * count);
  }
  Cell* cells = free.back();
  free.pop_back();
  return cells;
}

// Into smaller cells than it has.
void Shadow::split(Cell& word, unsigned shift) {
  Cell* const cells = new_cells(shift);
  const size_t count = kWordBytes >> shift;
  const bool was_split = word.is_split();
  const size_t old_count = was_split ? kWordBytes >> word.before : 1;
  const Cell* const old = was_split ? word.cells : &word;
  for (size_t i = 0; i < count; ++i) {
    cells[i] = old[i * old_count / count];
    if (i % (count / old_count) != 0) readers.part(cells[i]);
  }
  if (was_split) free_[word.before].push_back(word.cells);
  word.reader = Cell::kSplit;
  word.cells = cells;
  word.before = shift;
}

// Its first cell stands for all, of which the others have no readers.
void Shadow::join(Cell& word) {
  Cell* const cells = word.cells;
  free_[word.before].push_back(cells);
  word = cells[0];
}

void Shadow::clear(Cell& word) {
  if (word.is_split()) {
    for (Cell& c : std::span(word.cells, kWordBytes >> word.before)) readers.clear(c);
    free_[word.before].push_back(word.cells);
  } else {
    readers.clear(word);
  }
  word = {};
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
    while (range.begin < range.end && range.begin < page_end) {
      const uint64_t offset = range.begin % kWordBytes;
      const uint64_t here = std::min(range.end - range.begin, kWordBytes - offset);
      Cell& word = page->words[range.begin % kPageBytes / kWordBytes];
      if (here == kWordBytes) {
        clear(word);
      } else if (!word.is_blank()) {
        for_kept_cells<kReads>(range.begin, here, [&](Cell& c, uint64_t) {
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
    for (Cell& word : p->words) clear(word);
  });
}

}  // namespace cdr::regions
