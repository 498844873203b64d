// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/shadow.h"

#include <map>

namespace cdr::regions {
namespace {

constexpr size_t count_of(unsigned shift) { return Shadow::kLineBytes >> shift; }

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

uint32_t Readers::copy_list(uint32_t first) {
  std::vector<uint32_t> list;
  for (uint32_t r = first; r; r = at(r).next) list.push_back(r);
  uint32_t copy = 0;
  std::map<uint32_t, uint32_t> last;  // by site
  for (size_t i = list.size(); i-- > 0;) {
    const Reader of = at(list[i]);
    uint32_t& mine = last[of.site];
    copy = mine = add(of.time, of.site, copy, mine);
  }
  return copy;
}

uint32_t Shadow::far_reader(uint32_t from, const Cell& c, uint64_t addr, uint32_t site) {
  const KnownReader known = known_reader(addr, site);
  if (known.addr == addr && known.site == site && known.splits == splits_ && known.written == c.time) {
    const Reader& r = readers[known.reader];
    if (r.site == site && r.time == known.time) return known.reader;
  }
  uint32_t r = from;
  while (r && readers[r].site != site) r = readers[r].next;
  if (r) note(r, c, addr);
  return r;
}

// A reader of the cell.
void Shadow::note(uint32_t reader, const Cell& c, uint64_t addr) {
  const Reader& r = readers[reader];
  readers.note(reader);
  known_reader(addr, r.site) = {addr, c.time, r.time, r.site, reader, splits_};
}

void Shadow::split(Page& page, uint64_t line, unsigned shift) {
  Cell* const cells = new_cells(shift);
  Cell* const old = page.line(line);
  const unsigned more = page.shift[line] - shift;
  for (size_t i = 0; i < count_of(shift); ++i) {
    cells[i] = old[i >> more];
    if (!cells[i].readers || i % (size_t{1} << more) == 0) continue;
    cells[i].readers = readers.copy_list(cells[i].readers);
    ++splits_;
  }
  if (page.shift[line] < 3) free_[page.shift[line]].push_back(old);
  page.small[line] = cells;
  page.shift[line] = static_cast<uint8_t>(shift);
}

void Shadow::drop(Page& page, uint64_t line) {
  Cell* const cells = page.line(line);
  const unsigned shift = page.shift[line];
  for (size_t i = 0; i < count_of(shift); ++i) {
    if (cells[i].readers) readers.free_list(cells[i].readers);
    cells[i] = {};
  }
  if (shift == 3) return;
  free_[shift].push_back(cells);
  page.shift[line] = 3;
  std::fill_n(page.line(line), count_of(3), Cell{});
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
      if (here == kLineBytes) {
        drop(*page, range.begin % kPageBytes / kLineBytes);
      } else if (!page->blank(range.begin % kPageBytes / kLineBytes)) {
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
    for (uint64_t line = 0; line < kPageBytes / kLineBytes; ++line) drop(*p, line);
  });
}

}  // namespace cdr::regions
