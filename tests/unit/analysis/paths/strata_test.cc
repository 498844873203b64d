// SPDX-License-Identifier: GPL-2.0-or-later
// Cyclic paths and strata: the paper's example, a reference that does what is said word for word, and the way back.
#include <algorithm>
#include <string>

#include "cdrgrind/analysis/paths/strata_streams.h"
#include "tests/unit/properties.h"

using namespace cdr;
using namespace cdr::paths;

namespace {

struct Repeated {
  std::vector<Element> cycle;
  uint64_t count = 0;
  bool operator==(const Repeated&) const = default;
};

std::vector<Repeated> cut(const std::vector<Element>& sequence) {
  std::vector<Repeated> all;
  const auto take = [&](std::span<const Element> cycle, uint64_t count) {
    all.push_back({{cycle.begin(), cycle.end()}, count});
  };
  CycleCutter cutter;
  for (const Element& e : sequence) cutter.add(e, take);
  cutter.finish(take);
  return all;
}

// Slow and plain.
std::vector<Repeated> reference(const std::vector<Element>& sequence) {
  std::vector<Repeated> all;
  std::vector<Element> open;
  size_t before = 0;  // 1 + index of the one before
  const auto close = [&] {
    all.push_back({open, 1});
    before = all.size();
    open.clear();
  };
  for (const Element& e : sequence) {
    if (std::find(open.begin(), open.end(), e) != open.end()) close();
    open.push_back(e);
    if (before && all[before - 1].cycle == open) {
      ++all[before - 1].count;
      open.clear();
    }
    if (open.size() == 2048) close();
  }
  if (!open.empty()) close();
  return all;
}

std::vector<Element> elements(const std::vector<uint32_t>& ids) {
  std::vector<Element> sequence;
  for (const uint32_t id : ids) sequence.push_back({id, 1});
  return sequence;
}

std::string spelled(const std::string& letters) {
  std::vector<uint32_t> ids;
  for (const char c : letters) ids.push_back(static_cast<uint32_t>(c));
  std::string text;
  for (const Repeated& r : cut(elements(ids))) {
    text += '(';
    for (const Element& e : r.cycle) text += static_cast<char>(e.id);
    text += r.count == 1 ? ")" : "^" + std::to_string(r.count) + ")";
  }
  return text;
}

struct Kept {
  std::vector<std::vector<uint8_t>> streams;
  StrataStreams sink;
  Strata strata;

  explicit Kept(const StrataOptions& options)
      : sink(options.layers + 2,
             [this](unsigned stream, std::span<const uint8_t> bytes) {
               streams.resize(std::max<size_t>(streams.size(), stream + 1));
               streams[stream].insert(streams[stream].end(), bytes.begin(), bytes.end());
             }),
        strata(options, sink) {}
  void finish() {
    strata.finish();
    sink.finish();
  }
  std::vector<uint32_t> unfolded(uint32_t thread) const {
    const size_t levels = strata.levels();
    if (streams.size() < levels + thread) return {};
    return unfold_strata(std::span(streams).first(levels), streams[levels + thread - 1]);
  }
};

// Nested loops and noise, as programs make them.
std::vector<uint32_t> random_blocks() {
  std::vector<uint32_t> blocks;
  const auto parts = *rc::gen::inRange(0, 12);
  for (int p = 0; p < parts; ++p) {
    const auto body = *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange(0u, 6u));
    const auto times = *rc::gen::inRange(1, 9);
    const auto copy = *rc::gen::inRange(size_t{0}, blocks.size() + 1);
    for (int t = 0; t < times; ++t) blocks.insert(blocks.end(), body.begin(), body.end());
    const std::vector<uint32_t> again(blocks.begin() + static_cast<ptrdiff_t>(std::min(copy, blocks.size())),
                                      blocks.end());
    if (blocks.size() < 5000) blocks.insert(blocks.end(), again.begin(), again.end());
  }
  return blocks;
}

}  // namespace

TEST_CASE("the strata paper's example of paths") {
  CHECK(spelled("AABAABAAB") == "(A^2)(BA)(AB)(A^2)(B)");
  CHECK(spelled("") == "");
  CHECK(spelled("A") == "(A)");
  CHECK(spelled("ABCABCABCAB") == "(ABC^3)(AB)");
}

TEST_CASE("where the cutter is as it was, the same elements do the same again") {
  rc::prop("random bodies, many times each", [] {
    const auto runs = *rc::gen::container<std::vector<std::pair<std::vector<uint32_t>, uint32_t>>>(
        rc::gen::pair(rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange(0u, 4u)), rc::gen::inRange(0u, 9u)));
    std::vector<Repeated> all;
    std::vector<uint32_t> ids;
    const auto take = [&](std::span<const Element> cycle, uint64_t count) {
      all.push_back({{cycle.begin(), cycle.end()}, count});
    };
    CycleCutter cutter;
    for (const auto& [body, times] : runs) {
      for (uint32_t done = 0; done < times;) {
        CycleCutter::Place place;
        cutter.mark(place);
        const size_t out = all.size();
        for (const uint32_t id : body) cutter.add({id, 1}, take);
        ++done;
        if (!cutter.is_as(place, all.size() == out)) continue;
        const std::vector<Repeated> once(all.begin() + static_cast<ptrdiff_t>(out), all.end());
        cutter.again(place, times - done);
        for (; done < times; ++done) all.insert(all.end(), once.begin(), once.end());
      }
      for (uint32_t i = 0; i < times; ++i) ids.insert(ids.end(), body.begin(), body.end());
    }
    cutter.finish(take);
    RC_ASSERT(all == cut(elements(ids)));
  });
}

TEST_CASE("the strata paper's example of strata: pairs with different counts are different elements") {
  const std::vector<Repeated> strata = cut({{0, 7}, {1, 12}, {0, 5}, {1, 12}});
  REQUIRE(strata.size() == 2);
  CHECK(strata[0].cycle == std::vector<Element>{{0, 7}, {1, 12}, {0, 5}});
  CHECK(strata[1].cycle == std::vector<Element>{{1, 12}});
}

TEST_CASE("a path of 2,048 blocks goes out as it is") {
  std::vector<uint32_t> ids(5000);
  for (uint32_t i = 0; i < ids.size(); ++i) ids[i] = i;
  const std::vector<Repeated> paths = cut(elements(ids));
  REQUIRE(paths.size() == 3);
  CHECK(paths[0].cycle.size() == 2048);
  CHECK(paths[2].cycle.size() == 5000 - 2 * 2048);
}

TEST_CASE("cycles are those of a reference that takes the rules word for word") {
  rc::prop("equal", [] {
    const auto blocks = elements(random_blocks());
    RC_ASSERT(cut(blocks) == reference(blocks));
  });
}

TEST_CASE("each layer unfolds to its input, with tables of any size") {
  rc::prop("equal", [] {
    const unsigned layers = *rc::gen::inRange(0u, 6u);
    const size_t bytes = *rc::gen::element(size_t{0}, size_t{5000}, size_t{1} << 30);
    const auto first = random_blocks(), second = random_blocks();
    const auto cut_after = *rc::gen::inRange(size_t{0}, first.size() + 1);
    Kept kept({.layers = layers, .table_bytes = bytes});
    for (size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
      if (i == cut_after) kept.strata.cut(ThreadId());
      if (i < first.size()) kept.strata.block(ThreadId(1), first[i]);
      if (i < second.size()) kept.strata.block(ThreadId(2), second[i]);
    }
    kept.finish();
    RC_ASSERT(kept.unfolded(1) == first);
    RC_ASSERT(kept.unfolded(2) == second);
    RC_ASSERT(kept.strata.totals(0).elements == first.size() + second.size());
    for (unsigned level = 0; level < kept.strata.levels(); ++level) {
      const LayerTotals totals = kept.strata.totals(level);
      uint64_t cycles = 0;
      for (const auto& [point, n] : kept.strata.points(level)) cycles += n;
      RC_ASSERT(cycles == totals.unique);
      if (level + 1 < kept.strata.levels()) RC_ASSERT(kept.strata.totals(level + 1).elements == totals.repeated);
    }
  });
}

TEST_CASE("a nest of loops becomes one element of a high layer") {
  Kept kept({.layers = 2});
  for (int outer = 0; outer < 50; ++outer) {
    for (int middle = 0; middle < 20; ++middle) {
      for (int inner = 0; inner < 10; ++inner) kept.strata.block(ThreadId(1), 1), kept.strata.block(ThreadId(1), 2);
      kept.strata.block(ThreadId(1), 3);
    }
    kept.strata.block(ThreadId(1), 4);
  }
  kept.finish();
  CHECK(kept.strata.totals(0).unique < 8);
  CHECK(kept.strata.totals(1).consecutive() > 50 * 15);
  CHECK(kept.strata.totals(2).consecutive() > 40);
  CHECK(kept.streams.back().size() < 60);
}

TEST_CASE("streams that are no strata are refused") {
  const std::vector<std::vector<uint8_t>> none(2);
  CHECK(unfold_strata(none, {}).empty());
  CHECK_THROWS_AS(unfold_strata(none, std::vector<uint8_t>{0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(unfold_strata(none, std::vector<uint8_t>{0x80}), std::invalid_argument);
  CHECK_THROWS_AS(unfold_strata(std::vector<std::vector<uint8_t>>{{5, 1}, {}}, {}), std::invalid_argument);
}
