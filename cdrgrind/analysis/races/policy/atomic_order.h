// SPDX-License-Identifier: GPL-2.0-or-later
// Edges through memory itself: from the last write of a location to the read that sees it, through
// read-modify-writes between them. For atomic accesses, and for the flags of spin loops.
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_ATOMIC_ORDER_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_ATOMIC_ORDER_H

#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/base/flat_map.h"

namespace cdr::races {

// Locations do not overlap: a write makes one of its own bytes, and no other has any of them.
class AtomicOrder {
 public:
  AtomicOrder(Segments& segments, EdgeKind edge) : segments_(segments), edge_(edge), locations_(1) {}

  void read(ThreadId t, uint64_t addr, uint64_t width) {
    for_overlapping(addr, width, [&](const Location& l) { segments_.get(t, *l.given, edge_); });
  }
  // What a read there would get, to be got later.
  using Gift = std::shared_ptr<const Knowledge>;
  void see(uint64_t addr, uint64_t width, std::vector<Gift>& to) {
    for_overlapping(addr, width, [&](const Location& l) { to.push_back(l.given); });
  }
  void get(ThreadId t, const Gift& g) { segments_.get(t, *g, edge_); }
  // `keeps`: a read-modify-write; who reads it gets what the writes before it gave, too.
  void write(ThreadId t, uint64_t addr, uint64_t width, bool keeps) {
    if (Location* same = find(addr, width)) return write_again(t, *same, keeps);
    auto given = std::make_shared<Knowledge>();
    if (keeps) for_overlapping(addr, width, [&](const Location& l) { given->join(*l.given); });
    forget(addr, width);
    segments_.give_to(t, *given);
    add(addr, width, std::move(given));
  }
  // Another write: who sees it sees none of ours.
  void forget(uint64_t addr, uint64_t width) {
    if (locations_.size() == 1) return;
    for_lines(addr, width, [&](uint32_t* link) {
      while (*link) {
        Location& l = locations_[*link];
        if (l.overlaps(addr, width)) {
          const uint32_t gone = *link;
          *link = l.next;
          l.given.reset();
          l.next = free_;
          free_ = gone;
        } else {
          link = &l.next;
        }
      }
    });
  }

 private:
  static constexpr uint64_t kWidest = 64;
  static constexpr unsigned kLineBits = 6;
  static constexpr size_t kMaybe = size_t{1} << 16;
  struct Location {
    uint64_t addr = 0, width = 0;
    std::shared_ptr<Knowledge> given;
    uint32_t next = 0;  // of the line, or free
    bool overlaps(uint64_t from, uint64_t bytes) const {
      return addr + kWidest >= from && addr + width > from && addr < from + bytes;
    }
  };

  // f(where the number of the line's first location stands)
  template <class F>
  void for_lines(uint64_t addr, uint64_t width, F f) {
    const uint64_t first = addr >> kLineBits, last = (addr + width - 1) >> kLineBits;
    for (uint64_t line = first - (across_lines_ && first ? 1 : 0); line <= last; ++line) {
      if (!maybe_[mix64(line) % kMaybe]) continue;
      if (uint32_t* link = lines_.find(line)) f(link);
    }
  }
  template <class F>
  void for_overlapping(uint64_t addr, uint64_t width, F f) {
    for_lines(addr, width, [&](const uint32_t* link) {
      for (uint32_t i = *link; i; i = locations_[i].next)
        if (locations_[i].overlaps(addr, width)) f(locations_[i]);
    });
  }
  Location* find(uint64_t addr, uint64_t width) {
    const uint32_t* link = lines_.find(addr >> kLineBits);
    for (uint32_t i = link ? *link : 0; i; i = locations_[i].next)
      if (locations_[i].addr == addr && locations_[i].width == width) return &locations_[i];
    return nullptr;
  }
  void add(uint64_t addr, uint64_t width, std::shared_ptr<Knowledge> given) {
    if (!free_) {
      free_ = static_cast<uint32_t>(locations_.size());
      locations_.emplace_back();
    }
    const uint32_t i = free_;
    free_ = locations_[i].next;
    maybe_[mix64(addr >> kLineBits) % kMaybe] = true;
    uint32_t& first = lines_[addr >> kLineBits];
    locations_[i] = {addr, width, std::move(given), first};
    first = i;
    across_lines_ |= (addr + width - 1) >> kLineBits != addr >> kLineBits;
  }
  // Others may have got what it gave, and keep it.
  void write_again(ThreadId t, Location& l, bool keeps) {
    if (l.given.use_count() > 1)
      l.given = keeps ? std::make_shared<Knowledge>(*l.given) : std::make_shared<Knowledge>();
    else if (!keeps)
      *l.given = {};
    segments_.give_to(t, *l.given);
  }

  Segments& segments_;
  EdgeKind edge_;
  FlatMap<uint64_t, uint32_t> lines_;  // address >> kLineBits: one of its locations, the others behind it
  std::vector<Location> locations_;    // [0]: none
  uint32_t free_ = 0;
  std::bitset<kMaybe> maybe_;  // by the line's hash, few kilobytes: most stores are to lines without locations
  bool across_lines_ = false;  // some location is in two lines
};

}  // namespace cdr::races

#endif
