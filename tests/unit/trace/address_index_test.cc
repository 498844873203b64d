// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/address_index.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "cdrgrind/analysis/walk/stream_runs.h"
#include "cdrgrind/trace/index/seeker.h"
#include "tests/unit/properties.h"
#include "tests/unit/trace/memory_trace.h"

using namespace cdr;
using namespace cdr::test;
using namespace cdr::trace;
using analysis::Progression;

namespace {

// Nests, walks back and forth, random ones; 0 is absent in the guarded stream.
std::vector<uint64_t> random_words() {
  std::vector<uint64_t> words;
  for (int parts = *rc::gen::inRange(1, 5); parts > 0; --parts) {
    const auto base = *rc::gen::inRange<uint64_t>(1000, 1100), stride = *rc::gen::element<uint64_t>(0, 8, 24, -8ull);
    const int inner = *rc::gen::inRange(1, 12), outer = *rc::gen::inRange(1, 8), kind = *rc::gen::inRange(0, 4);
    for (int o = 0; o < outer; ++o)
      for (int i = 0; i < inner; ++i) {
        if (kind == 0)
          words.push_back(*rc::gen::inRange<uint64_t>(1, 5000));
        else
          words.push_back(kind == 1 && i % 3 == 1 ? 0
                                                  : base + (kind == 2 ? 100 * static_cast<uint64_t>(o) : 0) +
                                                        stride * static_cast<uint64_t>(i));
      }
  }
  return words;
}

TraceFile trace_of(const Tables& tables, uint32_t block, const std::vector<uint64_t>& words) {
  std::vector<OwnedEvent> events;
  for (const uint64_t w : words) {
    OwnedEvent e(event_of(EventKind::kBlock, 1));
    e.event.block = BlockId(block);
    e.words = {w};
    events.push_back(e);
  }
  RecordingOptions options;
  options.form = RecordingForm::kCompact;
  return open_bytes(record(tables, events, options));
}

// The words that a stream of the block has: the second block's is guarded.
std::vector<uint64_t> values_of(uint32_t block, const std::vector<uint64_t>& words) {
  std::vector<uint64_t> values;
  std::copy_if(words.begin(), words.end(), std::back_inserter(values),
               [block](uint64_t w) { return block == 1 || w != 0; });
  return values;
}

struct StreamOfTrace {
  StreamOfTrace(const Tables& tables, uint32_t block, const std::vector<uint64_t>& words)
      : file(trace_of(tables, block, words)), stream(index.directory().streams_of(ThreadId(1), BlockId(block))) {}

  const TraceFile file;
  Seeker seeker{file};
  const EpochPin epoch = seeker.epoch(0);
  AddressIndex& index = epoch->addresses();
  const AddressStream* const stream;  // null: the block was never executed
};

// A piece, value by value.
void unfold_piece(const AddressIndex& index, const AddressPiece& p, std::vector<uint64_t>& to) {
  if (p.rule == 0) {
    for (uint64_t i = 0; i < p.count; ++i) to.push_back(p.base + i * static_cast<uint64_t>(p.stride));
    return;
  }
  for (uint32_t c = 0; c < p.copies; ++c)
    index.open_rule(p.rule, p.base + c * index.sum(p.rule).diff,
                    [&](const AddressPiece& inner) { unfold_piece(index, inner, to); });
}

}  // namespace

TEST_CASE("pieces of a range of values are the values, with rules and without") {
  const Tables tables = two_blocks();
  rc::prop("as unfolded", [&] {
    const uint32_t block = *rc::gen::inRange<uint32_t>(1, 3);
    const std::vector<uint64_t> words = random_words(), values = values_of(block, words);
    const StreamOfTrace trace(tables, block, words);
    AddressIndex& index = trace.index;
    const AddressStream* const s = trace.stream;
    RC_ASSERT(s != nullptr);
    const auto first = *rc::gen::inRange<uint64_t>(0, words.size() + 1);
    const auto last = *rc::gen::inRange<uint64_t>(first, words.size() + 1);
    const uint64_t begin = index.values_before(*s, first), end = index.values_before(*s, last);
    uint64_t before = 0;
    for (uint64_t i = 0; i < first; ++i) before += block == 1 || words[i] != 0;
    RC_ASSERT(begin == before);
    const std::vector<uint64_t> expected(values.begin() + static_cast<ptrdiff_t>(begin),
                                         values.begin() + static_cast<ptrdiff_t>(end));
    for (const bool rules : {false, true}) {
      std::vector<uint64_t> got;
      index.pieces(*s, begin, end, rules, [&](const AddressPiece& p) {
        RC_ASSERT(rules || p.rule == 0);
        unfold_piece(index, p, got);
      });
      RC_ASSERT(got == expected);
    }
    // As a multiset of progressions.
    std::map<uint64_t, uint64_t> times, folded;
    for (const uint64_t v : expected) ++times[v];
    analysis::StreamRuns runs(index);
    for (const Progression& p : runs.of(*s, begin, end))
      for (uint64_t i = 0; i < p.count; ++i) folded[p.at(i)] += p.times;
    RC_ASSERT(folded == times);
  });
}

TEST_CASE("the hull of a stream goes from its lowest value to its highest, or is not told") {
  const Tables tables = two_blocks();
  uint64_t told = 0, far = 0, residual = 0;
  rc::prop("as unfolded", [&] {
    const uint32_t block = *rc::gen::inRange<uint32_t>(1, 3);
    std::vector<uint64_t> words = random_words();
    if (*rc::gen::arbitrary<bool>())
      for (uint64_t i = 0; i < 300; ++i) words.push_back(1 + i * i * 2654435761 % 1000003);
    if (*rc::gen::inRange(0, 3) == 0) words.push_back(uint64_t{1} << *rc::gen::inRange(56, 64));
    const std::vector<uint64_t> values = values_of(block, words);
    const StreamOfTrace trace(tables, block, words);
    if (!trace.stream || values.empty()) return;
    int64_t low = 0, high = 0;  // from the first one, modulo 2^64
    for (const uint64_t v : values) {
      low = std::min(low, static_cast<int64_t>(v - values[0]));
      high = std::max(high, static_cast<int64_t>(v - values[0]));
    }
    const std::optional<AddrRange> hull = trace.index.hull(*trace.stream);
    if (hull)
      RC_ASSERT((hull->begin == values[0] + static_cast<uint64_t>(low) &&
                 hull->end == values[0] + static_cast<uint64_t>(high) + 1));
    constexpr int64_t kFar = int64_t{1} << 59;
    const bool is_far = low < -kFar || high > kFar;
    const bool goes_on = trace.stream->form() == StreamForm::kFew && low != high;
    RC_ASSERT((hull.has_value() || is_far || goes_on));
    told += hull.has_value();
    far += is_far;
    residual += trace.stream->form() == StreamForm::kResidual;
  });
  CHECK(told > 0);
  CHECK(far > 0);
  CHECK(residual > 0);
}

TEST_CASE("values that come again at a distance are those that they are said to be") {
  const Tables tables = two_blocks();
  uint64_t found = 0, equal = 0;
  rc::prop("as unfolded", [&] {
    const uint32_t block = *rc::gen::inRange<uint32_t>(1, 3);
    std::vector<uint64_t> words = random_words();
    const auto of_round = static_cast<uint64_t>(
        std::count_if(words.begin(), words.end(), [&](uint64_t w) { return block == 1 || w != 0; }));
    const auto rounds = *rc::gen::inRange<size_t>(1, 5);
    for (size_t round = 1, n = words.size(); round < rounds; ++round)
      for (size_t i = 0; i < n; ++i) words.push_back(words[i]);
    // Behind values that never come again a stream has no grammar any more.
    if (*rc::gen::arbitrary<bool>()) {
      std::vector<uint64_t> noise;
      for (uint64_t i = 0; i < 300; ++i) noise.push_back(1 + i * i * 2654435761 % 1000003);
      words.insert(words.begin(), noise.begin(), noise.end());
    }
    const std::vector<uint64_t> values = values_of(block, words);
    const StreamOfTrace trace(tables, block, words);
    AddressIndex& index = trace.index;
    const AddressStream* const s = trace.stream;
    RC_ASSERT(s != nullptr);
    if (values.empty()) return;
    const auto check = [&](const AddressIndex::Repeat& r) {
      RC_ASSERT(r.begin < r.end && r.end <= values.size() && r.period > 0);
      RC_ASSERT(values[r.begin] == r.base);
      for (uint64_t v = r.begin; v + r.period < r.end; ++v) RC_ASSERT(values[v] == values[v + r.period]);
    };
    // What has one name, base, phase and length is equal.
    std::map<std::tuple<uint32_t, uint64_t, uint64_t, uint64_t>, std::vector<uint64_t>> known;
    for (int i = 0; i < 40; ++i) {
      const auto begin = *rc::gen::inRange<uint64_t>(0, values.size());
      const auto end = *rc::gen::inRange<uint64_t>(begin + 1, std::min<uint64_t>(begin + 20, values.size()) + 1);
      AddressIndex::Repeat r;
      const uint64_t periods[] = {std::max<uint64_t>(of_round, 1), 1, 2, 12};
      const uint64_t period = periods[*rc::gen::inRange<size_t>(0, 4)];
      const bool told = index.repeat(*s, begin, end, r);
      const bool residual = !told && index.residual_repeat(*s, begin, period, r);
      if (!told && !residual) continue;
      check(r);
      const bool fits = residual ? r.begin == begin && r.period == period : r.has(begin, end);
      RC_ASSERT(fits);
      if (!r.has(begin, end)) continue;
      const std::vector<uint64_t> there(values.begin() + static_cast<ptrdiff_t>(begin),
                                        values.begin() + static_cast<ptrdiff_t>(end));
      const auto [same, added] =
          known.try_emplace({r.symbol, r.base, (begin - r.begin) % r.period, end - begin}, there);
      RC_ASSERT(same->second == there);
      equal += !added;
      found += told;
    }
  });
  CHECK(found > 100);
  CHECK(equal > 10);
}

TEST_CASE("a stream that has no grammar any more repeats as far as its values do") {
  const Tables tables = two_blocks();
  const std::vector<uint64_t> round = {5000, 5008, 5100, 5004, 7000, 5000, 6001};
  std::vector<uint64_t> words;
  for (uint64_t i = 0; i < 300; ++i) words.push_back(1 + i * i * 2654435761 % 1000003);
  const uint64_t first = words.size();
  for (int rounds = 0; rounds < 6; ++rounds) words.insert(words.end(), round.begin(), round.end());
  words.push_back(9000);
  const StreamOfTrace trace(tables, 1, words);
  AddressIndex& index = trace.index;
  const AddressStream& s = *trace.stream;
  REQUIRE(s.form() == StreamForm::kResidual);
  AddressIndex::Repeat r, other;
  CHECK(!index.repeat(s, first, first + 7, r));
  REQUIRE(index.residual_repeat(s, first, 7, r));
  CHECK(r.begin == first);
  CHECK(r.end == first + 42);
  CHECK(r.period == 7);
  CHECK(r.base == 5000);
  REQUIRE(index.residual_repeat(s, first + 9, 14, other));
  CHECK(other.end == first + 42);
  CHECK(other.base == 5100);
  CHECK(other.symbol != r.symbol);
  CHECK(!index.residual_repeat(s, first, 5, r));       // comes again, the next value does not
  CHECK(!index.residual_repeat(s, first + 28, 7, r));  // not the whole of it
  CHECK(!index.residual_repeat(s, first, 42, r));      // nor once
  CHECK(!index.residual_repeat(s, 10, 7, r));
  CHECK(!index.residual_repeat(s, first, 0, r));
}

TEST_CASE("an array that is swept often is one progression, with the number of sweeps") {
  const Tables tables = two_blocks();
  std::vector<uint64_t> words;
  for (int round = 0; round < 40; ++round)
    for (uint64_t i = 0; i < 50; ++i) words.push_back(4096 + 8 * i);
  const StreamOfTrace trace(tables, 1, words);
  AddressIndex& index = trace.index;
  analysis::StreamRuns runs(index);
  uint64_t pieces = 0;
  for (const Progression& p : runs.of(*trace.stream, 0, words.size())) pieces += p.count > 1;
  CHECK(pieces <= 12);
}
