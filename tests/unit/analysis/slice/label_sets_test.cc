// SPDX-License-Identifier: GPL-2.0-or-later
// Sets of labels and what holds them, against sets and maps of the standard library.
#include "cdrgrind/analysis/slice/label_sets.h"

#include <map>
#include <random>
#include <set>

#include "cdrgrind/analysis/slice/label_memory.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::slice;

namespace {

std::set<LabelId> labels_of(const LabelSets& sets, LabelSets::Set s) {
  std::set<LabelId> all;
  LabelId last = 0;
  sets.for_each(s, [&](LabelId l) {
    CHECK((all.empty() || l > last));
    all.insert(last = l);
  });
  return all;
}

}  // namespace

TEST_CASE("united sets are what sets are, and equal ones are one") {
  std::mt19937 random(7);
  const auto below = [&](uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(random); };
  LabelSets sets;
  std::vector<LabelSets::Set> some = {0};
  std::map<std::set<LabelId>, LabelSets::Set> known = {{{}, 0}};
  for (int i = 0; i < 3000; ++i) {
    const uint32_t range = 1u << below(33 - 1);
    const LabelSets::Set a = some[below(static_cast<uint32_t>(some.size()))];
    const LabelSets::Set b = below(3) ? some[below(static_cast<uint32_t>(some.size()))] : sets.single(below(range));
    const LabelSets::Set both = sets.unite(a, b);
    std::set<LabelId> want = labels_of(sets, a);
    want.merge(labels_of(sets, b));
    REQUIRE(labels_of(sets, both) == want);
    REQUIRE(known.try_emplace(want, both).first->second == both);
    for (const LabelId l : want) CHECK(sets.has(both, l));
    const LabelId other = below(range);
    CHECK(sets.has(both, other) == (want.count(other) != 0));
    if (want.size() < 40) some.push_back(both);
  }
}

TEST_CASE("sets that grow by a label each take no more than the ways to it") {
  LabelSets sets;
  LabelSets::Set all = 0;
  constexpr LabelId kLabels = 20000;
  for (LabelId l = 0; l < kLabels; ++l) all = sets.unite(all, sets.single(l));
  CHECK(labels_of(sets, all).size() == kLabels);
  CHECK(sets.size() < 12 * kLabels);
}

TEST_CASE("what is known and what is known weakly stay apart") {
  LabelTable table(1000);
  const Labels a = table.single(1), b = table.weaken(table.single(2));
  const Labels both = table.unite(a, b);
  CHECK(labels_of(table.sets(), table.known(both)) == std::set<LabelId>{1});
  CHECK(labels_of(table.sets(), table.weak(both)) == std::set<LabelId>{2});
  CHECK(labels_of(table.sets(), table.weak(table.weaken(both))) == std::set<LabelId>{1, 2});
  CHECK(table.known(table.weaken(both)) == 0);
  CHECK(table.unite(b, a) == both);
  CHECK_FALSE(table.full());
  CHECK(LabelTable(0).full() == false);
  LabelTable small(1);
  small.single(1);
  CHECK(small.full());
}

TEST_CASE("memory holds for each byte what was set last") {
  std::mt19937 random(11);
  const auto below = [&](uint64_t n) { return std::uniform_int_distribution<uint64_t>(0, n - 1)(random); };
  LabelTable table(1 << 20);
  LabelMemory memory;
  std::map<uint64_t, Labels> bytes;
  constexpr uint64_t kBegin = 0x10000 - 100, kBytes = 9000;
  for (int i = 0; i < 20000; ++i) {
    const uint64_t at = kBegin + below(kBytes), width = below(10) ? 1 + below(16) : 1 + below(300);
    const auto labels = below(3) ? table.single(static_cast<LabelId>(below(5))) : Labels{0};
    if (labels == 0 && below(2))
      memory.clear({at, at + width});
    else
      memory.set(at, width, labels);
    for (uint64_t b = at; b < at + width; ++b)
      if (labels == 0)
        bytes.erase(b);
      else
        bytes[b] = labels;
    const uint64_t from = kBegin + below(kBytes), size = 1 + below(20);
    Labels want = 0;
    for (uint64_t b = from; b < from + size; ++b)
      if (const auto held = bytes.find(b); held != bytes.end()) want = table.unite(want, held->second);
    REQUIRE(memory.at(from, size, table) == want);
    if (want) REQUIRE(memory.may_hold(from, size));
    REQUIRE(memory.empty() == bytes.empty());
  }
  memory.clear({0, ~uint64_t{0}});
  CHECK(memory.empty());
  CHECK_FALSE(memory.may_hold(kBegin, kBytes));
}
