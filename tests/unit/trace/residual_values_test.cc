// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/residual_values.h"

#include <vector>

#include "tests/unit/properties.h"

using namespace cdr;
using namespace cdr::trace;

namespace {

struct Encoded {
  uint64_t before = 0;
  std::vector<uint64_t> values;
  ByteWriter bytes;
};

Encoded random_stream() {
  Encoded e;
  uint64_t last = e.before = *rc::gen::arbitrary<uint64_t>();
  const auto length = *rc::gen::inRange<uint64_t>(0, 5 * ResidualValues::kChunk);
  const auto step = *rc::gen::element<uint64_t>(1, 8, 1000, 1ull << 40);
  for (uint64_t i = 0; i < length; ++i) {
    const uint64_t value = last + step * ((i * 2654435761) % 7) - step;
    e.bytes.next_delta(value, last);
    e.values.push_back(value);
  }
  return e;
}

}  // namespace

TEST_CASE("values of residual streams are those that were written, whatever was asked for before") {
  rc::prop("as written", [] {
    std::vector<Encoded> all;
    for (int streams = *rc::gen::inRange(1, 5); streams > 0; --streams) all.push_back(random_stream());
    ResidualValues values(*rc::gen::inRange<uint32_t>(1, 8));
    for (int asked = 0; asked < 200; ++asked) {
      const auto number = *rc::gen::inRange<uint32_t>(0, static_cast<uint32_t>(all.size()));
      const Encoded& e = all[number];
      ResidualValues::Stream& s = values.of(7 * number, e.before, e.bytes.bytes());
      RC_ASSERT(s.length() == e.values.size());
      const auto n = *rc::gen::inRange<uint64_t>(0, e.values.size() + 1);
      RC_ASSERT(values.before(s, n) == (n == 0 ? e.before : e.values[n - 1]));
      if (n < e.values.size()) RC_ASSERT(values.value(s, n) == e.values[n]);
      ByteReader differences = values.differences(s, n);
      uint64_t last = values.before(s, n);
      for (uint64_t i = n; i < std::min<uint64_t>(n + 3, e.values.size()); ++i) {
        last += static_cast<uint64_t>(differences.svarint());
        RC_ASSERT(last == e.values[i]);
      }
    }
  });
}

TEST_CASE("a residual stream ends before what is damaged") {
  ByteWriter bytes;
  for (int i = 0; i < 100; ++i) bytes.svarint(i);
  const size_t whole = bytes.size();
  bytes.u8(0x80);
  ResidualValues values;
  ResidualValues::Stream& s = values.of(3, 5, bytes.bytes());
  CHECK(s.length() == 100);
  CHECK(values.value(s, 99) == 5 + 99 * 100 / 2);
  CHECK(values.differences(s, 100).position() <= whole);
  values.clear();
  CHECK(values.of(3, 1, bytes.bytes().first(1)).length() == 1);
}
