// SPDX-License-Identifier: GPL-2.0-or-later
// Edges through memory itself: from the last write of a location to the read that sees it, through
// read-modify-writes between them. For atomic accesses, and for the flags of spin loops.
#ifndef CDRGRIND_ANALYSIS_RACES_ATOMIC_ORDER_H
#define CDRGRIND_ANALYSIS_RACES_ATOMIC_ORDER_H

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "cdrgrind/analysis/races/segments.h"

namespace cdr::analysis {

class AtomicOrder {
 public:
  AtomicOrder(Segments& segments, EdgeKind edge) : segments_(segments), edge_(edge) {}

  void read(ThreadId t, uint64_t addr, uint64_t width) {
    for_overlapping(addr, width, [&](auto at) {
      segments_.get(t, *at->second.given, edge_);
      return std::next(at);
    });
  }
  // What a read there would get, to be got later.
  using Gift = std::shared_ptr<const Knowledge>;
  void see(uint64_t addr, uint64_t width, std::vector<Gift>& to) {
    for_overlapping(addr, width, [&](auto at) {
      to.push_back(at->second.given);
      return std::next(at);
    });
  }
  void get(ThreadId t, const Gift& g) { segments_.get(t, *g, edge_); }
  // `keeps`: a read-modify-write; who reads it gets what the writes before it gave, too.
  void write(ThreadId t, uint64_t addr, uint64_t width, bool keeps) {
    Knowledge before;
    if (keeps)
      for_overlapping(addr, width, [&](auto at) {
        before.join(*at->second.given);
        return std::next(at);
      });
    forget(addr, width);
    Location& l = locations_[addr];
    l.width = width;
    Knowledge given = segments_.give(t);
    if (keeps) given.join(before);
    l.given = std::make_shared<const Knowledge>(std::move(given));
  }
  // Another write: who sees it sees none of ours.
  void forget(uint64_t addr, uint64_t width) {
    if (locations_.empty()) return;
    for_overlapping(addr, width, [&](auto at) { return locations_.erase(at); });
  }

 private:
  struct Location {
    uint64_t width = 0;
    Gift given;
  };
  static constexpr uint64_t kWidest = 64;

  // f(iterator) returns the next one.
  template <class F>
  void for_overlapping(uint64_t addr, uint64_t width, F f) {
    auto at = locations_.lower_bound(addr < kWidest ? 0 : addr - kWidest);
    while (at != locations_.end() && at->first < addr + width)
      at = at->first + at->second.width > addr ? f(at) : std::next(at);
  }

  Segments& segments_;
  EdgeKind edge_;
  std::map<uint64_t, Location> locations_;  // by address
};

}  // namespace cdr::analysis

#endif
