// SPDX-License-Identifier: GPL-2.0-or-later
// The memory table's storage: two levels of tables, allocated on touch, down to a *line* for each 64 bytes of
// memory that was accessed. A line consists of cells of equal size, 8 bytes as a rule; when accesses need
// smaller ones the line as a whole is refined, for its neighbours will need it too:
//
//     shift 3:  8 cells of 8 bytes, 72 bytes     shift 2: 16 of 4, 136 bytes     shift 0: 64 of 1, 520 bytes
//
// Per byte of memory that is 1.25, 2.3 or 8.3 bytes with the tables above. At the limit of memory nothing is
// made any more; the caller drops what it cannot store. Holds references (ref.h), knows nothing of their
// meaning.
#ifndef CDRGRIND_DEPEND_SHADOW_H
#define CDRGRIND_DEPEND_SHADOW_H

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/large_pages.h"
#include "cdrgrind/base/range.h"
#include "cdrgrind/depend/ref.h"

namespace cdr::depend {

struct Cell {
  Ref write = 0;
  Ref readers = 0;
  bool empty() const { return (write | readers) == 0; }
  bool operator==(const Cell& other) const {  // in one comparison
    return std::bit_cast<uint64_t>(*this) == std::bit_cast<uint64_t>(other);
  }
};

struct Line {
  static constexpr uint64_t kBytes = 64;
  static constexpr unsigned kMaxShift = 6;
  static constexpr unsigned kShiftBits = 3;
  static constexpr uint32_t kShiftMask = 7;
  static constexpr uint32_t kGot = 8;     // lies in a GOT
  static constexpr uint32_t kMixed = 16;  // its bytes differ in stack or GOT
  static constexpr unsigned kStackBit = 8;

  uint32_t version = 0;  // of the SP history up to which the cells' stack states are right
  uint32_t meta = 0;     // shift, flags, and from kStackBit on the stack

  Cell* cells() { return reinterpret_cast<Cell*>(this + 1); }
  const Cell* cells() const { return reinterpret_cast<const Cell*>(this + 1); }
  unsigned shift() const { return meta & kShiftMask; }
  uint32_t cell_count() const { return static_cast<uint32_t>(kBytes >> shift()); }
  uint32_t stack() const { return meta >> kStackBit; }
  bool plain() const { return (meta & ~kShiftMask) == 0; }
};
static_assert(sizeof(Line) == 8 && sizeof(Cell) == 8);

class Shadow {
 public:
  static constexpr unsigned kPageBits = 16;
  static constexpr uint64_t kPageBytes = uint64_t{1} << kPageBits;
  using Page = std::array<Line*, kPageBytes / Line::kBytes>;

  explicit Shadow(uint64_t limit_bytes);
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  // The line's place in its page; the page is made if it does not exist.
  Line*& slot(uint64_t addr) {
    Recent& r = recent_[(addr >> kPageBits) % recent_.size()];
    if (addr - r.base >= kPageBytes) [[unlikely]]
      r = {addr & ~(kPageBytes - 1), page(addr >> kPageBits)};
    return (*r.page)[(addr - r.base) / Line::kBytes];
  }
  // Null at the limit.
  Line* make(Line*& slot, unsigned shift, uint32_t meta);
  // Smaller cells. Invalidates pointers to the line. At the limit: null, and the line is forgotten.
  Line* refine(Line*& slot, unsigned shift);
  // The greatest cells up to `greatest` that tell the same; an empty line is freed.
  void coarsen(Line*& slot, unsigned greatest);
  void free(Line*& slot);
  // Forgets everything.
  void clear();

  // f(address of the line, Line*&) for every line that overlaps the range, ascending.
  template <class F>
  void for_each(AddrRange range, F f) {
    for_each_page(range, [&](uint64_t base, Page& page) {
      const uint64_t first = range.begin > base ? (range.begin - base) / Line::kBytes : 0;
      for (uint64_t i = first; i < page.size(); ++i) {
        if (base + i * Line::kBytes >= range.end) break;
        if (i + kAhead < page.size()) __builtin_prefetch(page[i + kAhead], 1);
        if (page[i]) f(base + i * Line::kBytes, page[i]);
      }
    });
  }
  static constexpr AddrRange kEverything{0, ~uint64_t{0}};

  uint64_t cells() const { return cells_; }
  uint64_t bytes() const { return bytes_; }

 private:
  // Near addresses, below 2^38, are found by table, others (in tests, mostly) by a map.
  static constexpr unsigned kRegionBits = 26;
  static constexpr uint64_t kAhead = 8;  // lines that for_each() fetches into the cache beforehand
  static constexpr unsigned kNearBits = 38;
  using Region = std::array<Page*, size_t{1} << (kRegionBits - kPageBits)>;
  struct Recent {
    uint64_t base = 0;  // of the page; at first one that belongs to another entry
    Page* page = nullptr;
  };

  Page* page(uint64_t number);
  Page* new_page();
  void* take(unsigned shift);
  void give_back(Line* line);
  std::vector<uint64_t> far_numbers() const;

  template <class F>
  void for_each_page(AddrRange range, F f) {
    if (range.empty()) return;
    const uint64_t last = (range.end - 1) >> kPageBits;
    uint64_t number = range.begin >> kPageBits;
    while (number <= last && number >> (kNearBits - kPageBits) == 0) {
      const Region* region = near_[number >> (kRegionBits - kPageBits)].get();
      const uint64_t in_region = number % std::tuple_size_v<Region>;
      if (!region) {
        number += std::tuple_size_v<Region> - in_region;
        continue;
      }
      if (Page* p = (*region)[in_region]) f(number << kPageBits, *p);
      ++number;
    }
    if (far_.empty()) return;
    for (uint64_t n : far_numbers())
      if (n >= number && n <= last) f(n << kPageBits, **far_.find(n));
  }

  uint64_t limit_;
  Page nothing_{};  // stands for all pages beyond the limit: stays empty
  std::array<std::unique_ptr<Region>, size_t{1} << (kNearBits - kRegionBits)> near_;
  FlatMap<uint64_t, Page*> far_;
  std::array<Recent, 256> recent_{};
  LargePagePieces pieces_;  // pages and slabs
  std::vector<Page*> pages_;
  std::array<Line*, Line::kMaxShift + 1> free_{};  // linked through their first cell
  std::byte* next_ = nullptr;
  size_t left_ = 0;
  uint64_t cells_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace cdr::depend

#endif
