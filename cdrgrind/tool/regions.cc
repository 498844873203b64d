// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/regions.h"

#include <algorithm>

namespace cdr::tool {
namespace {

AddrRange find(const std::vector<AddrRange>& in, uint64_t addr) {
  for (auto r = in.rbegin(); r != in.rend(); ++r)
    if (r->contains(addr)) return *r;
  return {};
}

}  // namespace

void Regions::map(AddrRange r) {
  unmap(r);
  maps_.push_back(r);
}

void Regions::unmap(AddrRange r) {
  std::vector<AddrRange> tails;
  for (AddrRange& m : maps_) {
    if (!m.overlaps(r)) continue;
    if (r.end < m.end && m.begin < r.begin) tails.push_back({r.end, m.end});
    if (m.begin < r.begin) m.end = r.begin;
    else m.begin = std::min(m.end, r.end);
  }
  std::erase_if(maps_, [](const AddrRange& m) { return m.empty(); });
  maps_.insert(maps_.end(), tails.begin(), tails.end());
}

AddrRange Regions::heap_block_around(uint64_t addr) const {
  AddrRange found;
  heap_.for_each([&](uint64_t begin, uint64_t size) {
    if (begin <= addr && addr < begin + size) found = {begin, begin + size};
  });
  return found;
}

AddrRange Regions::around(uint64_t sp) const {
  for (const uint64_t addr : {sp, sp - 1}) {
    if (const AddrRange r = find(registered_, addr); !r.empty()) return r;
    if (const AddrRange r = heap_block_around(addr); !r.empty()) return r;
    if (const AddrRange r = find(maps_, addr); !r.empty()) return r;
  }
  return {};
}

}  // namespace cdr::tool
