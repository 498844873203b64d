// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/drain/regions.h"

#include <algorithm>

namespace cdr::drain {
namespace {

AddrRange range_of(const AddrRange& r) { return r; }
AddrRange range_of(const Regions::Mapping& m) { return m.range; }

template <class T>
AddrRange find(const std::vector<T>& in, uint64_t addr) {
  for (auto r = in.rbegin(); r != in.rend(); ++r)
    if (range_of(*r).contains(addr)) return range_of(*r);
  return {};
}

}  // namespace

void Regions::map(AddrRange r, uint64_t flags) {
  unmap(r);
  maps_.push_back({r, flags});
}

void Regions::unmap(AddrRange r) {
  std::vector<Mapping> tails;
  for (Mapping& mapping : maps_) {
    AddrRange& m = mapping.range;
    if (!m.overlaps(r)) continue;
    if (r.end < m.end && m.begin < r.begin) tails.push_back({{r.end, m.end}, mapping.flags});
    if (m.begin < r.begin)
      m.end = r.begin;
    else
      m.begin = std::min(m.end, r.end);
  }
  std::erase_if(maps_, [](const Mapping& m) { return m.range.empty(); });
  maps_.insert(maps_.end(), tails.begin(), tails.end());
}

std::vector<Regions::Mapping> Regions::mappings() const {
  std::vector<Mapping> sorted = maps_;
  std::sort(sorted.begin(), sorted.end(),
            [](const Mapping& a, const Mapping& b) { return a.range.begin < b.range.begin; });
  return sorted;
}

std::vector<Regions::HeapBlock> Regions::heap_blocks() const {
  std::vector<HeapBlock> sorted;
  heap_.for_each([&](uint64_t addr, uint64_t size) { sorted.push_back({addr, size}); });
  std::sort(sorted.begin(), sorted.end(), [](const HeapBlock& a, const HeapBlock& b) { return a.addr < b.addr; });
  return sorted;
}

AddrRange Regions::heap_block_around(uint64_t addr) const {
  AddrRange found;
  heap_.for_each([&](uint64_t begin, uint64_t size) {
    if (begin <= addr && addr < begin + size) found = {begin, begin + size};
  });
  return found;
}

Regions::Surroundings Regions::around(uint64_t sp) const {
  for (const uint64_t addr : {sp, sp - 1}) {
    if (const AddrRange r = find(registered_, addr); !r.empty()) return {r};
    if (const AddrRange r = heap_block_around(addr); !r.empty()) return {r};
    if (const AddrRange r = find(maps_, addr); !r.empty()) return {r, true};
  }
  return {};
}

}  // namespace cdr::drain
