// SPDX-License-Identifier: GPL-2.0-or-later
// Arithmetic progressions of addresses, and how two of them meet. A progression stands for `count` accesses of
// `width` bytes each, at base, base + stride, …, each `times` times. Two accesses meet if they have a byte in
// common:
//
//     a = {base 0, stride 8, count 3, width 4}   [0,4) [8,12) [16,20)
//     b = {base 2, stride 4, count 4, width 4}   [2,6) [6,10) [10,14) [14,18)      meetings(a, b) = 4
//
// Everything is exact for all widths and skews, in O(log of the addresses), however long they are.
#ifndef CDRGRIND_ANALYSIS_WALK_PROGRESSION_H
#define CDRGRIND_ANALYSIS_WALK_PROGRESSION_H

#include <compare>
#include <cstdint>
#include <optional>

namespace cdr::analysis {

// Invariant: count >= 1, width >= 1, times >= 1; stride 0 if and only if count is 1; no address beyond 2^62.
struct Progression {
  uint64_t base = 0;
  uint64_t stride = 0;
  uint64_t count = 1;
  uint64_t width = 1;
  uint64_t times = 1;

  uint64_t at(uint64_t i) const { return base + stride * i; }
  uint64_t last() const { return at(count - 1); }
  uint64_t end() const { return last() + width; }  // of the bytes
  auto operator<=>(const Progression&) const = default;
};

// f(addr, width) of all its bytes, at once if no more than `gap` lie from one access to the next, then with what is
// between; until f returns false, which is returned.
template <class F>
bool for_each_span(const Progression& p, uint64_t gap, F f) {
  if (p.stride <= gap) return f(p.base, p.end() - p.base);
  for (uint64_t i = 0; i < p.count; ++i)
    if (!f(p.at(i), p.width)) return false;
  return true;
}

// a * b, a + b; 2^64 - 1 instead of what does not fit.
uint64_t saturating_multiply(uint64_t a, uint64_t b);
uint64_t saturating_add(uint64_t a, uint64_t b);

// Pairs (access of a, access of b) with a byte in common; saturating.
uint64_t meetings(const Progression& a, const Progression& b);

// Those accesses of `a` that meet one of `b`, as far as one progression can tell: from the first to the last,
// at the distance from the first to the second. Exact if the bytes of a's accesses do not overlap one another.
struct Meeting {
  Progression of_a;      // times 1
  uint64_t first_b = 0;  // address of the lowest access of b that meets a's first
};
std::optional<Meeting> meeting_of(const Progression& a, const Progression& b);

// The shortest progression that has all addresses of both.
Progression hull_of(const Progression& a, const Progression& b);

}  // namespace cdr::analysis

#endif
