// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/byte_model.h"

#include <random>

#include "cdrgrind/format/columns.h"
#include "cdrgrind/trace/read/columns.h"
#include "tests/unit/catch.h"

using namespace cdr;

namespace {

using Bytes = std::vector<uint8_t>;

// Numbers up to `most`, as varints; small ones come more often, and after a great one the same small one.
Bytes numbers(size_t bytes, uint32_t most, uint32_t seed) {
  std::minstd_rand random(seed);
  ByteWriter to;
  while (to.size() < bytes) {
    to.varint(random() % (random() % most + 1));
    if (random() % 4 == 0) to.varint(most), to.varint(2);
  }
  return {to.bytes().begin(), to.bytes().begin() + static_cast<ptrdiff_t>(bytes)};
}

Bytes read_back(const Bytes& bytes) {
  Bytes back;
  REQUIRE(read_modelled(modelled(bytes), bytes.size(), back));
  return back;
}

constexpr int kLevel = 19;

}  // namespace

TEST_CASE("what was modelled reads back, whatever it was") {
  for (const size_t size : {0, 1, 2, 3, 4, 5, 63, 1000, static_cast<int>(kMostModelled)})
    for (const uint32_t most : {1, 5, 200, 100000}) {
      const Bytes bytes = numbers(size, most, static_cast<uint32_t>(size) + most);
      CHECK(read_back(bytes) == bytes);
    }
  for (const uint8_t byte : {0, 1, 127, 128, 255}) {
    const Bytes bytes(kMostModelled, byte);
    CHECK(read_back(bytes) == bytes);
    CHECK(modelled(bytes).size() < 64);
  }
  std::minstd_rand random(7);
  for (int i = 0; i < 200; ++i) {
    Bytes bytes(random() % 300);
    const uint32_t bits = random() % 8 + 1;
    for (uint8_t& b : bytes) b = static_cast<uint8_t>(random() & ((1u << bits) - 1));
    CHECK(read_back(bytes) == bytes);
  }
}

TEST_CASE("a model's bytes are the same on every machine") {
  const Bytes bytes = {1, 2, 3, 1, 2, 3, 1, 2, 3, 130, 1, 130, 1, 130, 1, 0, 0, 0, 0, 0};
  CHECK(modelled(bytes) == Bytes{1, 255, 185, 0, 190, 27, 254, 191, 8, 111, 46, 25, 166, 54, 8, 41});
}

TEST_CASE("short columns are smaller modelled than as zstd frames, and read back from their payload") {
  std::vector<Bytes> columns;
  for (uint32_t i = 0; i < 8; ++i) columns.push_back(numbers(200 + 700 * i, 40 << i, i));
  columns.push_back(numbers(kMostModelled + 1, 40, 9));
  columns.push_back({7});
  const std::vector<std::span<const uint8_t>> spans(columns.begin(), columns.end());
  Compressor with(kLevel, true), without(kLevel);
  for (size_t i = 0; i < 8; ++i)
    CHECK(with.compress_column(spans[i]).size() * 100 < without.compress_column(spans[i]).size() * 97);
  CHECK_FALSE(is_modelled(with.compress_column(spans[8])));
  for (const auto& span : spans) CHECK_FALSE(is_modelled(without.compress_column(span)));

  ByteWriter payload;
  write_columns(spans, with, payload);
  trace::Columns read;
  REQUIRE(read.read(payload.bytes(), 1 << 20));
  REQUIRE(read.size() == columns.size());
  for (size_t i = 0; i < columns.size(); ++i) CHECK(Bytes(read[i].begin(), read[i].end()) == columns[i]);
}

TEST_CASE("damaged modelled bytes are refused or give other bytes of that length") {
  const Bytes bytes = numbers(500, 300, 3);
  const Bytes stored = modelled(bytes);
  Bytes to;
  CHECK_FALSE(read_modelled({}, 4, to));
  CHECK_FALSE(read_modelled(Bytes{kModelled + 1, 3}, 4, to));
  CHECK_FALSE(read_modelled(stored, kMostModelled + 1, to));
  CHECK_FALSE(read_modelled(stored, bytes.size() / 4, to));
  for (size_t i = 1; i < stored.size(); ++i) {
    Bytes other = stored;
    other[i] ^= static_cast<uint8_t>(1 << i % 8);
    if (read_modelled(other, bytes.size(), to)) CHECK(to.size() == bytes.size());
    other.resize(i);
    if (read_modelled(other, bytes.size(), to)) CHECK(to.size() == bytes.size());
  }
}
