// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/path_predictor.h"

#include <random>

#include "tests/unit/catch.h"

using namespace cdr;

namespace {

constexpr uint32_t kFirst = 256;

struct Step {
  uint32_t thread, symbol;
  bool operator==(const Step&) const = default;
};

using Columns = std::array<ByteWriter, kPredictionColumns>;

Columns written(const std::vector<Step>& steps) {
  PredictionWriter writer(kFirst);
  std::vector<PathPredictor::Context> threads(8);
  for (const Step& s : steps) writer.put(threads[s.thread], s.symbol);
  Columns to;
  writer.write(to);
  return to;
}

PredictionReader reader_of(const Columns& from, uint32_t limit) {
  PredictionReader::Columns spans;
  for (size_t i = 0; i < from.size(); ++i) spans[i] = from[i].bytes();
  return {spans, kFirst, limit};
}

size_t bytes_of(const Columns& c) {
  size_t n = 0;
  for (const ByteWriter& w : c) n += w.size();
  return n;
}

void check_comes_back(const std::vector<Step>& steps, uint32_t limit) {
  const Columns columns = written(steps);
  PredictionReader reader = reader_of(columns, limit);
  std::vector<PathPredictor::Context> threads(8);
  for (size_t i = 0; i < steps.size(); ++i) {
    INFO("symbol " << i);
    REQUIRE(reader.get(threads[steps[i].thread]) == steps[i].symbol);
    REQUIRE(reader.ok());
  }
  CHECK(reader.at_end());
}

// Threads that mostly follow one of a few ways through `symbols` symbols.
std::vector<Step> wander(uint32_t seed, uint32_t symbols, size_t length, uint32_t surprise) {
  std::mt19937 random(seed);
  std::vector<uint32_t> last(8);
  std::vector<Step> steps;
  for (uint32_t thread = 0; steps.size() < length;) {
    if (random() % 50 == 0) thread = random() % 8;
    const uint32_t follower = (last[thread] * 7 + random() % (random() % surprise == 0 ? 5 : 1)) % symbols;
    last[thread] = random() % (20 * surprise) == 0 ? random() % symbols : follower;
    steps.push_back({thread, last[thread]});
  }
  return steps;
}

}  // namespace

TEST_CASE("any symbols of any threads come back from their predictor") {
  check_comes_back({}, 1);
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const uint32_t symbols = seed % 4 == 0 ? 3 : seed % 4 == 1 ? 300 : 60'000;
    INFO("seed " << seed);
    check_comes_back(wander(seed, symbols, 50'000, 1 + seed % 3 * 20), symbols);
  }
}

TEST_CASE("what goes on as before takes no space, from whichever thread") {
  std::vector<Step> steps;
  for (uint32_t i = 0; i < 100'000; ++i) steps.push_back({i / 1000 % 8, kFirst + i % 5});
  const Columns columns = written(steps);
  CHECK(bytes_of(columns) < 100);
  check_comes_back(steps, kFirst + 5);
}

TEST_CASE("a branch by chance takes about a bit") {
  std::mt19937 random(1);
  std::vector<Step> steps;
  for (uint32_t i = 0; i < 100'000; ++i) {
    steps.push_back({0, kFirst});
    steps.push_back({0, kFirst + 1 + static_cast<uint32_t>(random() % 2)});
  }
  const Columns columns = written(steps);
  CHECK(columns[kPredictionSymbols].size() < 10);
  CHECK(bytes_of(columns) < 100'000 / 8 * 2.2);
  check_comes_back(steps, kFirst + 3);
}

TEST_CASE("a predictor that many contexts meet grows, and both sides do") {
  std::vector<Step> steps;
  for (uint32_t round = 0; round < 4; ++round)
    for (uint32_t i = 0; i < 40'000; ++i) steps.push_back({0, kFirst + i * 11 % 40'000});
  check_comes_back(steps, kFirst + 40'000);
  // From the third time on all is known.
  const auto twice = std::vector<Step>(steps.begin(), steps.begin() + 80'000);
  CHECK(bytes_of(written(steps)) - bytes_of(written(twice)) < 80'000 / 8 * 1.5);
}

TEST_CASE("what a predictor wrote is not read beyond its end, nor left half read") {
  const std::vector<Step> steps = wander(3, 300, 3000, 3);
  const Columns columns = written(steps);
  PredictionReader early = reader_of(columns, 300);
  PathPredictor::Context context;
  CHECK_FALSE(early.at_end());
  early.get(context);
  CHECK_FALSE(early.at_end());

  for (size_t column = 0; column < columns.size(); ++column) {
    REQUIRE(columns[column].size() > 0);
    Columns cut = columns;
    const auto bytes = columns[column].bytes();
    cut[column].clear();
    cut[column].raw(bytes.data(), bytes.size() - 1);
    PredictionReader reader = reader_of(cut, 300);
    std::vector<PathPredictor::Context> threads(8);
    size_t same = 0;
    for (const Step& s : steps) {
      const uint32_t symbol = reader.get(threads[s.thread]);
      if (!reader.ok()) break;
      same += symbol == s.symbol;
    }
    INFO("column " << column);
    CHECK((same < steps.size() || !reader.at_end()));
  }
}

TEST_CASE("damage gives symbols that may be, or is noticed") {
  std::mt19937 random(7);
  const std::vector<Step> steps = wander(5, 300, 3000, 3);
  const Columns columns = written(steps);
  for (int i = 0; i < 300; ++i) {
    Columns damaged = columns;
    ByteWriter& c = damaged[random() % kPredictionColumns];
    std::vector<uint8_t> bytes(c.bytes().begin(), c.bytes().end());
    bytes[random() % bytes.size()] ^= static_cast<uint8_t>(1 + random() % 255);
    c.clear();
    c.raw(bytes.data(), bytes.size());
    PredictionReader reader = reader_of(damaged, 300);
    std::vector<PathPredictor::Context> threads(8);
    for (const Step& s : steps) {
      const uint32_t symbol = reader.get(threads[s.thread]);
      if (!reader.ok()) break;
      REQUIRE(symbol < 300);
    }
  }
}
