// SPDX-License-Identifier: GPL-2.0-or-later
// Byte strings against a vector for each.
#include "cdrgrind/encode/byte_strings.h"

#include <random>
#include <vector>

#include "tests/unit/catch.h"

namespace cdr {
namespace {

struct Growing {
  uint32_t string = 0;
  uint8_t* at = nullptr;
  uint16_t room = 0;
  std::vector<int64_t> numbers;
};

void add(ByteStrings& strings, Growing& g, int64_t v) {
  if (!ByteStrings::has_room(g.room)) strings.make_room(g.string, g.at, g.room);
  ByteStrings::put(v, g.at, g.room);
  g.numbers.push_back(v);
}

std::vector<int64_t> read(const ByteStrings& strings, const Growing& g) {
  ByteWriter bytes;
  strings.write(g.string, g.at, bytes);
  CHECK(bytes.size() == strings.size(g.string, g.at));
  std::vector<int64_t> numbers;
  ByteReader from(bytes.bytes());
  while (!from.at_end()) numbers.push_back(from.svarint());
  CHECK(from.ok());
  return numbers;
}

TEST_CASE("byte strings that grow in turn hold what was put into each", "[encode]") {
  std::mt19937_64 random(7);
  ByteStrings strings;
  for (int round = 0; round < 2; ++round) {
    std::vector<Growing> all(50);
    for (Growing& g : all) g.string = strings.open();
    for (int i = 0; i < 60000; ++i) {
      // The first ones grow over many pieces, the last ones stay short or empty.
      const size_t which = std::min<uint64_t>(random() % 50, random() % 49);
      add(strings, all[which], static_cast<int64_t>(random()) >> (random() % 64));
    }
    size_t bytes = 0;
    for (const Growing& g : all) {
      CHECK(read(strings, g) == g.numbers);
      bytes += strings.size(g.string, g.at);
    }
    CHECK(all[0].numbers.size() > 1000);
    CHECK(all[49].numbers.empty());
    CHECK(strings.bytes() >= bytes);
    strings.clear();
    CHECK(strings.bytes() == 0);
  }
}

}  // namespace
}  // namespace cdr
