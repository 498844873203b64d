// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/shadow.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace cdr::depend {
namespace {

constexpr size_t kSlab = 64 * 1024;

constexpr size_t line_bytes(unsigned shift) { return sizeof(Line) + (Line::kBytes >> shift) * sizeof(Cell); }

// Free lines are linked through their first cell.
Line* next_free(const Line* line) {
  Line* next;
  std::memcpy(&next, line->cells(), sizeof next);
  return next;
}

}  // namespace

Shadow::Shadow(uint64_t limit_bytes) : limit_(limit_bytes), bytes_(sizeof(Shadow)) { recent_[0].base = kPageBytes; }
Shadow::~Shadow() = default;

Shadow::Page* Shadow::new_page() {
  if (bytes_ + sizeof(Page) > limit_) return &nothing_;
  pages_.push_back(new (pieces_.take(sizeof(Page))) Page{});
  bytes_ += sizeof(Page);
  return pages_.back();
}

[[gnu::noinline]] Shadow::Page* Shadow::page(uint64_t number) {
  if (number >> (kNearBits - kPageBits) != 0) {
    if (Page** known = far_.find(number)) return *known;
    Page* p = new_page();
    if (p != &nothing_) far_[number] = p;
    return p;
  }
  std::unique_ptr<Region>& region = near_[number >> (kRegionBits - kPageBits)];
  if (!region) {
    if (bytes_ + sizeof(Region) > limit_) return &nothing_;
    region = std::make_unique<Region>();
    bytes_ += sizeof(Region);
  }
  Page*& p = (*region)[number % std::tuple_size_v<Region>];
  if (p) return p;
  Page* made = new_page();
  if (made != &nothing_) p = made;
  return made;
}

void* Shadow::take(unsigned shift) {
  if (Line* line = free_[shift]) {
    free_[shift] = next_free(line);
    return line;
  }
  const size_t size = line_bytes(shift);
  if (left_ < size) {
    if (bytes_ + kSlab > limit_) return nullptr;
    next_ = pieces_.take(kSlab);
    left_ = kSlab;
    bytes_ += kSlab;
  }
  std::byte* p = next_;
  next_ += size;
  left_ -= size;
  return p;
}

void Shadow::give_back(Line* line) {
  const unsigned shift = line->shift();
  cells_ -= line->cell_count();
  std::memcpy(static_cast<void*>(line->cells()), &free_[shift], sizeof(Line*));
  free_[shift] = line;
}

Line* Shadow::make(Line*& slot, unsigned shift, uint32_t meta) {
  void* place = take(shift);
  if (!place) return nullptr;
  Line* line = new (place) Line;
  line->meta = (meta & ~Line::kShiftMask) | shift;
  std::memset(static_cast<void*>(line->cells()), 0, line->cell_count() * sizeof(Cell));
  cells_ += line->cell_count();
  slot = line;
  return line;
}

Line* Shadow::refine(Line*& slot, unsigned shift) {
  Line* old = slot;
  if (old->shift() <= shift) return old;
  Line* line = make(slot, shift, old->meta);
  if (!line) {
    free(slot);
    return nullptr;
  }
  line->version = old->version;
  const unsigned by = old->shift() - shift;
  for (uint32_t i = 0; i < line->cell_count(); ++i) line->cells()[i] = old->cells()[i >> by];
  give_back(old);
  return line;
}

void Shadow::coarsen(Line*& slot, unsigned greatest) {
  Line* old = slot;
  const Cell* cells = old->cells();
  const uint32_t count = old->cell_count();
  if (std::all_of(cells, cells + count, [](const Cell& c) { return c.empty(); })) return free(slot);
  unsigned by = 0;
  for (; old->shift() + by < greatest; ++by) {
    const uint32_t step = uint32_t{1} << by;
    bool same = true;
    for (uint32_t i = 0; i < count && same; i += 2 * step) same = cells[i] == cells[i + step];
    if (!same) break;
  }
  if (by == 0) return;
  Line* line = make(slot, old->shift() + by, old->meta);
  if (!line) return;
  line->version = old->version;
  for (uint32_t i = 0; i < line->cell_count(); ++i) line->cells()[i] = cells[i << by];
  give_back(old);
}

void Shadow::free(Line*& slot) {
  give_back(slot);
  slot = nullptr;
}

void Shadow::clear() {
  for (Page* page : pages_)
    for (Line*& line : *page)
      if (line) free(line);
}

std::vector<uint64_t> Shadow::far_numbers() const {
  std::vector<uint64_t> numbers;
  far_.for_each([&](uint64_t n, Page*) { numbers.push_back(n); });
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace cdr::depend
