// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/value_spans.h"

#include "tests/unit/properties.h"

namespace cdr::races {

namespace {

bool has(const ValueSpans& spans, uint64_t value) {
  const auto v = static_cast<int64_t>(value);
  return std::ranges::any_of(spans.spans(), [&](const ValueSpans::Span& s) { return s.least <= v && v <= s.most; });
}

}  // namespace

TEST_CASE("what lies near by is one span, and what lies far away another, below zero, too") {
  ValueSpans spans;
  spans.add({8, 8, 3, 1, 1});
  spans.add({48, 0, 1, 1, 1});
  spans.add({static_cast<uint64_t>(-1000), 0, 1, 1, 1});
  REQUIRE(spans.spans().size() == 2);
  CHECK(spans.spans()[0] == ValueSpans::Span{-1000, -1000});
  CHECK(spans.spans()[1] == ValueSpans::Span{8, 48});
  CHECK(spans.all() == ValueSpans::Span{-1000, 48});
}

TEST_CASE("a progression of few values far apart is no span from the first to the last") {
  ValueSpans spans;
  spans.add({static_cast<uint64_t>(-0x100000), 0x200000, 2, 1, 1});
  CHECK(spans.spans().size() == 2);
}

TEST_CASE("spans have all values, ascend with room between them, and are few") {
  rc::prop("any values", [] {
    ValueSpans spans;
    std::vector<Progression> all;
    const auto runs = *rc::gen::inRange(1, 60);
    for (int i = 0; i < runs; ++i) {
      Progression p;
      p.base = static_cast<uint64_t>(*rc::gen::inRange<int64_t>(-20'000, 20'000));
      p.count = *rc::gen::inRange<uint64_t>(1, 30);
      if (p.count > 1) p.stride = *rc::gen::inRange<uint64_t>(1, 200);
      spans.add(p);
      all.push_back(p);
    }
    for (const Progression& p : all)
      for (uint64_t i = 0; i < p.count; ++i) RC_ASSERT(has(spans, p.at(i)));
    RC_ASSERT(spans.spans().size() <= ValueSpans::kMost);
    for (size_t i = 1; i < spans.spans().size(); ++i) RC_ASSERT(spans.spans()[i - 1].most < spans.spans()[i].least);
  });
}

}  // namespace cdr::races
