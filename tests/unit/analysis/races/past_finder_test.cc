// SPDX-License-Identifier: GPL-2.0-or-later
// When accesses of segments are forgotten, and what is found of them before.
#include "cdrgrind/analysis/races/core/past_finder.h"

#include "cdrgrind/analysis/races/core/pairing.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::races;

namespace {

constexpr ThreadId kMain(1), kFirst(2), kSecond(3);

// Threads that store, each time that they are told to, what is in memory of one block.
struct Threads {
  Collected c;
  PastFinder finder{c, 1};
  StreamId stream = 0;
  uint64_t steps = 0;
  Knowledge created;

  Threads() {
    Event e;
    e.kind = EventKind::kAlloc;
    e.thread = kMain;
    e.addr = 4096;
    e.size = 4096;
    c.generations.event(e, 0);
    Site s;
    s.store = true;
    stream = c.sites.stream(c.sites.site(s), c.generations.at(4096).id, false);
    start(kMain);
  }
  void start(ThreadId t) {
    tell(EventKind::kThreadStart, t, [&](Event& e) { e.value = 1000 + t.value; });
  }
  void create(ThreadId t) {
    created = c.segments.give(kMain);
    tell(EventKind::kThreadCreate, kMain, [&](Event& e) { e.child = t; });
  }
  void begin(ThreadId t) {
    c.segments.get(t, created, EdgeKind::kSync);
    start(t);
  }
  void join(EventKind kind, ThreadId t) {
    tell(kind, kMain, [&](Event& e) {
      e.sync.op = SyncOp::kThreadJoin;
      e.sync.object = 1000 + t.value;
    });
  }
  void wait(EventKind kind, ThreadId t) {
    tell(kind, t, [](Event& e) { e.sync.op = SyncOp::kCondWait; });
  }
  void end(ThreadId t) {
    tell(EventKind::kThreadEnd, t, [](Event&) {});
  }
  void store(ThreadId t, uint64_t addr) {
    const SegmentNumber before = static_cast<SegmentNumber>(c.segments.count(t));
    const SegmentNumber n = c.segments.use(t, {++steps, 0});
    if (n != before) finder.segment_begins(t);
    c.sets.resize(std::max<size_t>(c.sets.size(), t.value + 1));
    c.sets[t.value].add({stream, n, {addr, 0, 1, 8, 1}});
    finder.added(1);
  }
  void barrier(std::initializer_list<ThreadId> all) {
    Knowledge k;
    for (const ThreadId t : all) c.segments.give_to(t, k);
    for (const ThreadId t : all) c.segments.get(t, k, EdgeKind::kSync);
  }
  void find() {
    if (finder.prepare()) finder.find();
  }
  uint64_t instances() const {
    const analysis::Watch nobody;
    analysis::WatchedPart part(nobody, "", 0);
    uint64_t n = 0;
    for (const StreamPair& p : racing_pairs(c, Order::kFull, false, part)) n += p.instances;
    return n;
  }
  // Main creates two threads.
  void create_both() {
    for (const ThreadId t : {kFirst, kSecond}) {
      create(t);
      begin(t);
    }
  }

 private:
  template <class F>
  void tell(EventKind kind, ThreadId t, F more) {
    Event e;
    e.kind = kind;
    e.thread = t;
    more(e);
    finder.event(e);
  }
};

}  // namespace

TEST_CASE("what all threads know to be past is forgotten, and races of it are not") {
  Threads t;
  t.create_both();
  for (int round = 0; round < 5; ++round) {
    t.store(kFirst, 4096 + 64 * round);
    t.store(kSecond, 4104 + 64 * round);
    if (round == 2) t.store(kSecond, 4096 + 64 * round);
    t.barrier({kMain, kFirst, kSecond});
    t.find();
    CHECK(t.c.past.of(kFirst) == static_cast<SegmentNumber>(round + 1));
    // A stream that raced stays.
    CHECK(t.c.sets[kFirst.value].size() == (round < 2 ? 0 : static_cast<size_t>(round - 1)));
  }
  CHECK(t.instances() == 1);
  CHECK_FALSE(t.finder.went_wrong());
}

TEST_CASE("what one thread does not know is not forgotten") {
  Threads t;
  t.create_both();
  t.store(kFirst, 4096);
  t.store(kSecond, 4104);
  t.barrier({kFirst, kSecond});
  t.find();
  CHECK(t.c.past.until.empty());
  CHECK(t.c.sets[kFirst.value].size() == 1);
  // Nor while a thread has been created that may know less than all that are there.
  t.create(ThreadId(4));
  t.barrier({kMain, kFirst, kSecond});
  t.store(kFirst, 4096);
  t.store(kFirst, 4096);
  t.find();
  CHECK(t.c.past.until.empty());
  t.begin(ThreadId(4));
  t.barrier({kMain, kFirst, kSecond, ThreadId(4)});
  for (int i = 0; i < 6; ++i) t.store(kFirst, 4096 + 8 * i);
  t.find();
  CHECK(t.c.past.of(kFirst) == 0);  // most of it is not past
  t.barrier({kMain, kFirst, kSecond, ThreadId(4)});
  t.store(kSecond, 4096);
  for (int i = 0; i < 10; ++i) t.store(kSecond, 8000);
  t.barrier({kMain, kFirst, kSecond, ThreadId(4)});
  t.find();
  CHECK(t.c.past.of(kFirst) == 3);
  CHECK(t.instances() == 0);
}

TEST_CASE("who waits for a thread to end knows what that one knows, or nothing is forgotten after all") {
  for (const bool waits_in_vain : {false, true}) {
    Threads t;
    t.store(kMain, 4000);
    t.create_both();
    t.join(EventKind::kSyncEnter, kFirst);
    t.store(kFirst, 4096);
    t.store(kSecond, 4104);
    t.barrier({kFirst, kSecond});
    t.find();
    CHECK(t.c.past.of(kFirst) == 1);
    CHECK(t.c.past.of(kSecond) == 1);
    if (!waits_in_vain) {
      t.end(kFirst);
      t.barrier({kMain, kFirst});
    }
    t.join(EventKind::kSyncLeave, kFirst);
    t.store(kMain, 4096);
    CHECK(t.finder.went_wrong() == waits_in_vain);
  }
}

TEST_CASE("who waits for long is woken by somebody who knows what is past, or nothing is forgotten after all") {
  for (const bool wakes_by_itself : {false, true}) {
    Threads t;
    t.create_both();
    t.create(ThreadId(4));
    t.begin(ThreadId(4));
    t.store(ThreadId(4), 6000);
    t.barrier({kMain, kFirst, kSecond, ThreadId(4)});
    t.wait(EventKind::kSyncEnter, ThreadId(4));
    const auto round = [&] {
      t.store(kFirst, 4096);
      t.store(kSecond, 4104);
      t.barrier({kMain, kFirst, kSecond});
      t.find();
    };
    round();  // it may have been woken just now
    CHECK(t.c.past.of(kFirst) == 0);
    round();
    CHECK(t.c.past.of(kFirst) == 2);
    if (!wakes_by_itself) t.barrier({kFirst, ThreadId(4)});
    t.wait(EventKind::kSyncLeave, ThreadId(4));
    t.store(ThreadId(4), 4096);
    CHECK(t.finder.went_wrong() == wakes_by_itself);
    CHECK(t.instances() == 0);
  }
}
