// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sharing/may_share.h"

#include "tests/unit/catch.h"

namespace cdr::sharing {
namespace {

using races::Knowledge;
using races::Segments;

constexpr ThreadId kA(1), kB(2);

struct TwoThreads {
  Segments segments;
  std::vector<MayThread> line = {MayThread(kA), MayThread(kB)};

  void access(ThreadId t, uint16_t offset, uint16_t width, bool store, uint64_t count, uint32_t life = 0) {
    MayPiece p;
    p.segment = segments.use(t, {0, 0});
    p.offset = offset;
    p.width = width;
    p.store = store;
    p.life = life;
    p.count = count;
    line[t.value - 1].add(p);
  }
  void order(ThreadId before, ThreadId after) { segments.get(after, segments.give(before), races::EdgeKind::kSync); }
  // False and true sharing.
  std::pair<uint64_t, uint64_t> weights() {
    const std::vector<MayPair> pairs = may_share(segments, line);
    return pairs.empty() ? std::pair<uint64_t, uint64_t>() : std::pair(pairs[0].false_sharing, pairs[0].true_sharing);
  }
};

TEST_CASE("counters side by side may be shared falsely, by the smaller number of accesses") {
  TwoThreads t;
  t.access(kA, 0, 8, true, 100);
  t.access(kB, 8, 8, true, 60);
  CHECK(t.weights() == std::pair<uint64_t, uint64_t>(60, 0));
}

TEST_CASE("a pair tells two concurrent segments in which they meet") {
  TwoThreads t;
  t.access(kA, 0, 8, true, 1);
  t.order(kA, kB);
  t.access(kB, 8, 8, true, 1);
  t.order(kB, kA);
  t.access(kA, 0, 8, true, 1);
  t.order(kA, kB);
  t.access(kB, 8, 8, true, 1);
  t.segments.give(kB);
  t.access(kB, 8, 8, true, 1);
  t.access(kA, 16, 8, true, 1);
  t.segments.give(kA);
  t.access(kA, 16, 8, true, 1);
  const std::vector<MayPair> pairs = may_share(t.segments, t.line);
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].first_in == 3);
  CHECK(pairs[0].second_in == 2);
}

TEST_CASE("what is ordered is not shared, and only that") {
  TwoThreads t;
  t.access(kA, 0, 8, true, 100);
  t.order(kA, kB);
  t.access(kB, 8, 8, true, 60);
  CHECK(t.weights() == std::pair<uint64_t, uint64_t>());
  t.access(kA, 0, 8, true, 7);
  CHECK(t.weights() == std::pair<uint64_t, uint64_t>(7, 0));
}

TEST_CASE("bytes that both threads touch are true sharing, and no layout parts them") {
  TwoThreads t;
  for (const ThreadId thread : {kA, kB}) {
    t.access(thread, 0, 8, true, 10);
    t.access(thread, 8, 8, true, 10);
  }
  CHECK(t.weights() == std::pair<uint64_t, uint64_t>(0, 20));
}

TEST_CASE("loads share nothing with loads") {
  TwoThreads t;
  t.access(kA, 0, 8, false, 10);
  t.access(kB, 0, 8, false, 10);
  t.access(kB, 8, 8, false, 10);
  CHECK(t.weights() == std::pair<uint64_t, uint64_t>());
}

TEST_CASE("who only loads what stands beside a store is disturbed by it") {
  TwoThreads t;
  t.access(kA, 0, 8, true, 10);
  t.access(kB, 8, 8, false, 30);
  CHECK(t.weights() == std::pair<uint64_t, uint64_t>(10, 0));
  CHECK(t.line[1].pieces[0].in_false);
}

TEST_CASE("two lives of the same bytes have nothing in common") {
  TwoThreads t;
  t.access(kA, 0, 8, true, 10, 1);
  t.access(kB, 0, 8, true, 10, 2);
  CHECK(t.weights() == std::pair<uint64_t, uint64_t>());
}

TEST_CASE("equal accesses of a segment are counted together") {
  TwoThreads t;
  for (int i = 0; i < 5; ++i) {
    t.access(kA, 0, 8, false, 1);
    t.access(kA, 0, 8, true, 1);
  }
  CHECK(t.line[0].pieces.size() == 2);
  CHECK(t.line[0].pieces[0].count == 5);
}

}  // namespace
}  // namespace cdr::sharing
