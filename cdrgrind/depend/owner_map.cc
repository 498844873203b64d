// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/owner_map.h"

#include <algorithm>

#include "cdrgrind/depend/shadow.h"

namespace cdr::depend {

void OwnerMap::overlay(AddrRange range, StackIndex stack) {
  if (range.empty()) return;
  const auto first = std::lower_bound(segments_.begin(), segments_.end(), range.begin,
                                      [](const Segment& s, uint64_t addr) { return s.range.end <= addr; });
  auto last = first;
  Segment pieces[3];
  size_t count = 0;
  if (first != segments_.end() && first->range.begin < range.begin)
    pieces[count++] = {{first->range.begin, range.begin}, first->stack};
  pieces[count++] = {range, stack};
  while (last != segments_.end() && last->range.begin < range.end) ++last;
  if (last != first && (last - 1)->range.end > range.end)
    pieces[count++] = {{range.end, (last - 1)->range.end}, (last - 1)->stack};
  const auto at = segments_.erase(first, last);
  segments_.insert(at, pieces, pieces + count);
}

void OwnerMap::set_stack(StackIndex stack, AddrRange range) {
  if (stack >= ranges_.size()) {
    ranges_.resize(stack);
    ranges_.push_back(range);
    overlay(range, stack);
    return;
  }
  ranges_[stack] = range;
  segments_.clear();
  for (StackIndex i = 1; i < ranges_.size(); ++i) overlay(ranges_[i], i);
}

void OwnerMap::add_got(AddrRange range) {
  if (range.empty()) return;
  gots_.push_back(range);
  std::sort(gots_.begin(), gots_.end());
}

void OwnerMap::remove_got(AddrRange range) {
  const auto at = std::find(gots_.begin(), gots_.end(), range);
  if (at != gots_.end()) gots_.erase(at);
}

Owner OwnerMap::at(uint64_t addr) const {
  Owner o;
  o.end = ~uint64_t{0};
  const auto s = std::lower_bound(segments_.begin(), segments_.end(), addr,
                                  [](const Segment& x, uint64_t a) { return x.range.end <= a; });
  if (s != segments_.end()) {
    const bool inside = s->range.begin <= addr;
    o.stack = inside ? s->stack : 0;
    o.end = inside ? s->range.end : s->range.begin;
  }
  for (const AddrRange& g : gots_) {
    if (g.end <= addr) continue;
    const bool inside = g.begin <= addr;
    o.got = o.got || inside;
    o.end = std::min(o.end, inside ? g.end : g.begin);
    if (!inside) break;
  }
  return o;
}

uint32_t OwnerMap::meta_of_line(uint64_t addr) const {
  const Owner o = at(addr);
  if (o.end < addr + Line::kBytes) return Line::kMixed;
  return (o.got ? Line::kGot : 0) | o.stack << Line::kStackBit;
}

}  // namespace cdr::depend
