// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/path_walk.h"

#include <map>

#include "tests/unit/catch.h"
#include "tests/unit/trace/control_forms.h"
#include "tests/unit/trace/walking_program.h"

using namespace cdr;
using namespace cdr::test;
using namespace cdr::trace;

namespace {

// Holds what it is told against the events; passes over every n-th symbol that it may, 0: none.
struct Checker final : PathWalk::Reader {
  Checker(const std::vector<OwnedEvent>& all, uint32_t n) : events(all), every(n) {}

  void begin_epoch(uint32_t, EpochIndex& e, const PathShapes& s) override {
    epoch = &e;
    shapes = &s;
  }
  void end_epoch() override {}
  uint32_t pass(ThreadId thread, uint32_t symbol, uint32_t copies, uint64_t index) override {
    REQUIRE(index == next);
    const PathShape shape = shapes->of(symbol);
    REQUIRE(shape.plain);
    const StretchIndex& stretches = epoch->paths().stretches();
    if (every == 0 || ++asked % every != 0) return 0;
    const uint64_t size = is_rule(symbol) ? epoch->paths().sums().total(rule_of(symbol)).events
                                          : stretches.counts(stretch_of(symbol)).events;
    copies = asked % 3 == 0 ? 1 : copies;
    REQUIRE(events[index].event.block == shape.first);
    // Depth of frames above where it began, and the last block.
    int64_t depth = 0, lowest = 0;
    for (uint64_t i = 0; i < size; ++i) {
      const Event& e = events[index + i].event;
      REQUIRE(e.thread == thread);
      if (e.kind == EventKind::kCall) ++depth;
      if (e.kind == EventKind::kReturn) lowest = std::min(lowest, --depth);
    }
    REQUIRE(shape.effect.net == depth);
    REQUIRE(shape.effect.lowest == lowest);
    const Event& last = events[index + size - 1].event;
    REQUIRE((last.kind != EventKind::kBlock || last.block == shape.last));
    REQUIRE((last.kind == EventKind::kBlock && stretches.model(last.block).jumps) == shape.jumped);
    next += copies * size;
    passed += copies * size;
    return copies;
  }
  void block(ThreadId thread, BlockId id, uint64_t index) override {
    const Event& e = at(index);
    REQUIRE(e.kind == EventKind::kBlock);
    REQUIRE((e.thread == thread && e.block == id));
  }
  void follow(const Event& e, uint64_t index) override {
    const Event& want = at(index);
    REQUIRE((e.kind == want.kind && e.thread == want.thread));
    if (e.kind == EventKind::kCall) REQUIRE(e.ip == want.ip);
  }
  void event(const Event& e, uint64_t index) override {
    at(index);
    REQUIRE((OwnedEvent(e) == events[index]));
  }
  const Event& at(uint64_t index) {
    REQUIRE(index == next++);
    return events[index].event;
  }

  const std::vector<OwnedEvent>& events;
  EpochIndex* epoch = nullptr;
  const PathShapes* shapes = nullptr;
  uint32_t every, asked = 0;
  uint64_t next = 0, passed = 0;
};

}  // namespace

TEST_CASE("a walk over paths tells all events in order, but for those that its reader passes over") {
  uint64_t passed = 0;
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const WalkingProgram p = walking_program(seed, 400);
    const TraceFile file = open_bytes(record(p.tables, p.events, compact_in_form(seed, seed % 3 == 0 ? 90 : 1 << 24)));
    for (const uint32_t every : {0, 1, 2, 5}) {
      INFO("seed " << seed << ", every " << every);
      Seeker seeker(file);
      Checker checker(p.events, every);
      PathWalk(seeker).run(checker);
      REQUIRE(checker.next == p.events.size());
      passed += checker.passed;
    }
  }
  CHECK(passed > 1000);
}
