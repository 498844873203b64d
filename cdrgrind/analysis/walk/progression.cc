// SPDX-License-Identifier: GPL-2.0-or-later
//
// Access i of a and access j of b meet if and only if  -width_b < d(i, j) < width_a, where d = b.at(j) - a.at(i).
// With f(X) = number of (i, j) with d(i, j) <= X, the answer is f(width_a - 1) - f(-width_b). For a given i the j
// with d <= X are the first floor((X + a.at(i) - b.base) / b.stride) + 1, cut to [0, b.count]. That is 0 up to
// some i, b.count from some i on, and between them a sum of floors, which Euclid's algorithm gives.
#include "cdrgrind/analysis/walk/progression.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cdr::analysis {

namespace {

using Wide = __int128;
using UnsignedWide = unsigned __int128;
constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

uint64_t saturated(UnsignedWide v) { return v > kMost ? kMost : static_cast<uint64_t>(v); }

Wide floor_div(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }
Wide ceil_div(Wide a, Wide b) { return -floor_div(-a, b); }

// Sum of floor((step * i + start) / divisor) for i in [0, n); all >= 0.
UnsignedWide sum_of_floors(UnsignedWide n, UnsignedWide divisor, UnsignedWide step, UnsignedWide start) {
  UnsignedWide sum = 0;
  for (;;) {
    sum += n * (n - 1) / 2 * (step / divisor) + n * (start / divisor);
    step %= divisor;
    start %= divisor;
    const UnsignedWide top = step * n + start;
    if (n == 0 || top < divisor) return sum;
    n = top / divisor;
    start = top % divisor;
    std::swap(divisor, step);
  }
}

// The stride of a single access is never used; 1 saves a division by 0.
Wide stride_of(const Progression& p) { return p.stride ? static_cast<Wide>(p.stride) : 1; }

// Pairs (i, j), i < n, with b.at(j) - a.at(i) <= most.
UnsignedWide pairs_below(const Progression& a, uint64_t n, const Progression& b, Wide most) {
  const Wide shift = most + static_cast<Wide>(a.base) - static_cast<Wide>(b.base);
  const Wide a_stride = stride_of(a), b_stride = stride_of(b), count = n;
  const Wide from = std::clamp<Wide>(ceil_div(-shift, a_stride), 0, count);
  const Wide full =
      std::clamp<Wide>(ceil_div((static_cast<Wide>(b.count) - 1) * b_stride - shift, a_stride), from, count);
  UnsignedWide sum = static_cast<UnsignedWide>(count - full) * b.count;
  if (full > from) {
    const auto terms = static_cast<UnsignedWide>(full - from);
    sum += sum_of_floors(terms, static_cast<UnsignedWide>(b_stride), static_cast<UnsignedWide>(a_stride),
                         static_cast<UnsignedWide>(shift + from * a_stride)) +
           terms;
  }
  return sum;
}

// Meetings of the first n accesses of a, each counted once.
UnsignedWide meetings_of_first(const Progression& a, uint64_t n, const Progression& b) {
  if (n == 0) return 0;
  return pairs_below(a, n, b, static_cast<Wide>(a.width) - 1) - pairs_below(a, n, b, -static_cast<Wide>(b.width));
}

// The least n with more than `number` meetings among the first n accesses of a.
uint64_t least_with_more_than(const Progression& a, const Progression& b, UnsignedWide number) {
  uint64_t low = 0, high = a.count;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (meetings_of_first(a, middle, b) > number ? high : low) = middle;
  }
  return high;
}

// Address of the first access of b that ends behind `addr`.
uint64_t lowest_meeting(const Progression& b, uint64_t addr) {
  const Wide j =
      floor_div(static_cast<Wide>(addr) - static_cast<Wide>(b.width) - static_cast<Wide>(b.base), stride_of(b)) + 1;
  return b.at(static_cast<uint64_t>(std::max<Wide>(j, 0)));
}

}  // namespace

uint64_t saturating_multiply(uint64_t a, uint64_t b) { return saturated(static_cast<UnsignedWide>(a) * b); }
uint64_t saturating_add(uint64_t a, uint64_t b) { return a > kMost - b ? kMost : a + b; }

uint64_t meetings(const Progression& a, const Progression& b) {
  if (a.base >= b.end() || b.base >= a.end()) return 0;
  const uint64_t once = saturated(meetings_of_first(a, a.count, b));
  return saturating_multiply(once, saturating_multiply(a.times, b.times));
}

std::optional<Meeting> meeting_of(const Progression& a, const Progression& b) {
  if (a.base >= b.end() || b.base >= a.end()) return std::nullopt;
  const UnsignedWide all = meetings_of_first(a, a.count, b);
  if (all == 0) return std::nullopt;
  const uint64_t first = least_with_more_than(a, b, 0) - 1;
  const uint64_t last = least_with_more_than(a, b, all - 1) - 1;
  Meeting m;
  m.first_b = lowest_meeting(b, a.at(first));
  m.of_a = {.base = a.at(first), .width = a.width};
  if (last == first) return m;
  const uint64_t second = least_with_more_than(a, b, meetings_of_first(a, first + 1, b)) - 1;
  m.of_a.stride = (second - first) * a.stride;
  m.of_a.count = (last - first) / (second - first) + 1;
  return m;
}

Progression hull_of(const Progression& a, const Progression& b) {
  const uint64_t low = std::min(a.base, b.base), high = std::max(a.last(), b.last());
  Progression h{low, std::gcd(std::gcd(a.stride, b.stride), std::max(a.base, b.base) - low), 1,
                std::max(a.width, b.width), 1};
  if (h.stride) h.count = (high - low) / h.stride + 1;
  return h;
}

}  // namespace cdr::analysis
