// SPDX-License-Identifier: GPL-2.0-or-later
// Meetings of progressions against enumeration.
#include "cdrgrind/analysis/walk/progression.h"

#include <limits>
#include <set>

#include "tests/unit/properties.h"

using cdr::analysis::Progression;

namespace {

Progression drawn() {
  Progression p;
  p.base = 100 + *rc::gen::inRange<uint64_t>(0, 40);
  p.width = *rc::gen::inRange<uint64_t>(1, 17);
  p.times = *rc::gen::inRange<uint64_t>(1, 4);
  p.count = *rc::gen::inRange<uint64_t>(1, 12);
  if (p.count > 1) p.stride = *rc::gen::inRange<uint64_t>(1, 20);
  return p;
}

bool meet(const Progression& a, uint64_t i, const Progression& b, uint64_t j) {
  return a.at(i) < b.at(j) + b.width && b.at(j) < a.at(i) + a.width;
}

}  // namespace

TEST_CASE("meetings of progressions are counted as enumeration counts them") {
  rc::prop("all widths, strides and skews", [] {
    const Progression a = drawn(), b = drawn();
    uint64_t n = 0;
    std::set<uint64_t> of_a;
    for (uint64_t i = 0; i < a.count; ++i)
      for (uint64_t j = 0; j < b.count; ++j)
        if (meet(a, i, b, j)) {
          ++n;
          of_a.insert(a.at(i));
        }
    RC_ASSERT(cdr::analysis::meetings(a, b) == n * a.times * b.times);
    RC_ASSERT(cdr::analysis::meetings(b, a) == n * a.times * b.times);
    const auto m = cdr::analysis::meeting_of(a, b);
    RC_ASSERT(m.has_value() == (n != 0));
    if (!m) return;
    RC_ASSERT(m->of_a.base == *of_a.begin());
    RC_ASSERT(m->of_a.last() <= *of_a.rbegin());
    RC_ASSERT(m->first_b < m->of_a.base + a.width);
    RC_ASSERT(m->of_a.base < m->first_b + b.width);
  });
}

TEST_CASE("long progressions are counted in closed form") {
  // Columns of two interleaved arrays, 2^40 elements each: every element meets one.
  const uint64_t n = uint64_t{1} << 40;
  const Progression a{1 << 20, 8, n, 4, 1}, b{(1 << 20) + 2, 8, n, 4, 1}, gap{(1 << 20) + 4, 8, n, 4, 1};
  CHECK(cdr::analysis::meetings(a, b) == n);
  CHECK(cdr::analysis::meetings(a, gap) == 0);
  const Progression every_third{1 << 20, 24, n / 3, 8, 1};
  CHECK(cdr::analysis::meetings(a, every_third) == n / 3);
  const Progression often{1 << 20, 0, 1, 8, std::numeric_limits<uint64_t>::max() / 2};
  CHECK(cdr::analysis::meetings(often, often) == std::numeric_limits<uint64_t>::max());
}

TEST_CASE("the racing addresses of two strides have a stride of their own") {
  const Progression a{1000, 8, 100, 8, 1}, b{1000, 12, 60, 4, 1};
  const auto m = cdr::analysis::meeting_of(a, b);
  REQUIRE(m.has_value());
  CHECK(m->of_a.base == 1000);
  const Progression c{1000, 24, 30, 4, 1};
  CHECK(cdr::analysis::meeting_of(a, c)->of_a == Progression{1000, 24, 30, 8, 1});
}
