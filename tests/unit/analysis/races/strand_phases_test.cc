// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/strand_phases.h"

#include "cdrgrind/analysis/races/source/sharing.h"
#include "tests/unit/catch.h"

namespace cdr::races {
namespace {

using strands::StrandKind;

constexpr ThreadId kFirst(1), kSecond(2);

strands::Strand strand(StrandKind kind, uint64_t team, bool undeferred = false) {
  strands::Strand s;
  s.kind = kind;
  s.team = team;
  s.undeferred = undeferred;
  return s;
}

// A team of two threads, and one line of memory that they touch.
struct Run {
  StrandPhases phases;
  Sharing sharing;

  Run() { begin_region(7); }
  void begin_region(uint64_t team) {
    phases.region_begins(kFirst, team);
    for (const ThreadId t : {kFirst, kSecond}) phases.begins(t, strand(StrandKind::kImplicit, team));
  }
  void end_region(uint64_t team) {
    for (const ThreadId t : {kFirst, kSecond}) phases.ends(t);
    phases.region_ends(kFirst, team);
  }
  void pass(uint64_t barriers) {
    for (const ThreadId t : {kFirst, kSecond}) phases.passes(t, barriers);
  }
  bool touch(ThreadId t, bool store, bool in_turn = false) {
    const StrandPhases::Actor by = phases.actor(t, in_turn);
    sharing.touch_since(ThreadId(by.number), by.floor, kAddr, 8, store);
    return sharing.shared(kAddr, 8);
  }
  bool free(ThreadId t) {
    const StrandPhases::Actor by = phases.actor(t, false);
    sharing.touch_known_since(ThreadId(by.number), by.floor, kAddr, 8);
    return sharing.shared(kAddr, 8);
  }
  static constexpr uint64_t kAddr = 0x1000;
};

}  // namespace

TEST_CASE("memory is shared that two members of a team touch between two barriers, one with a store") {
  Run run;
  CHECK_FALSE(run.touch(kFirst, true));
  SECTION("without a barrier") { CHECK(run.touch(kSecond, false)); }
  SECTION("the same member") { CHECK_FALSE(run.touch(kFirst, false)); }
  SECTION("behind a barrier") {
    run.pass(1);
    CHECK_FALSE(run.touch(kSecond, true));
    CHECK(run.touch(kFirst, false));
  }
  SECTION("one has passed the barrier before the other says so") {
    run.phases.passes(kFirst, 1);
    CHECK_FALSE(run.touch(kFirst, true));
    run.phases.passes(kSecond, 1);
    CHECK(run.touch(kSecond, false));
  }
  SECTION("loads alone, and a store behind the barrier") {
    run.pass(1);
    CHECK_FALSE(run.touch(kFirst, false));
    CHECK_FALSE(run.touch(kSecond, false));
    run.pass(2);
    CHECK_FALSE(run.touch(kSecond, true));
    CHECK(run.phases.hold());
  }
}

TEST_CASE("what is behind a region, and the next region, comes behind it") {
  Run run;
  run.touch(kSecond, true);
  run.end_region(7);
  CHECK_FALSE(run.touch(kFirst, true));
  run.begin_region(8);
  CHECK_FALSE(run.touch(kSecond, true));
  CHECK(run.touch(kFirst, false));
  CHECK(run.phases.hold());
}

TEST_CASE("a chunk and a task are others than whose thread executes them, but for its stack") {
  for (const StrandKind kind : {StrandKind::kPart, StrandKind::kTask}) {
    Run run;
    run.touch(kFirst, true);
    run.phases.begins(kFirst, strand(kind, 7));
    CHECK(run.touch(kFirst, false));
  }
  Run run;
  run.touch(kFirst, true, true);
  run.phases.begins(kFirst, strand(StrandKind::kPart, 7));
  CHECK_FALSE(run.touch(kFirst, false, true));
}

TEST_CASE("a region in a region lies in one phase of the outer one, whatever its own barriers") {
  Run run;
  run.pass(1);
  run.touch(kSecond, true);
  run.phases.region_begins(kFirst, 9);
  run.phases.begins(kFirst, strand(StrandKind::kImplicit, 9));
  run.phases.passes(kFirst, 1);
  CHECK(run.touch(kFirst, false));
  CHECK(run.phases.hold());
}

TEST_CASE("freed memory is shared with who touched it in the same phase") {
  Run run;
  run.touch(kFirst, false);
  SECTION("in the same one") { CHECK(run.free(kSecond)); }
  SECTION("behind a barrier") {
    run.pass(1);
    CHECK_FALSE(run.free(kSecond));
  }
}

TEST_CASE("phases do not hold where something is in no order with them") {
  Run run;
  SECTION("a thread of the program's own") { run.phases.actor(ThreadId(3), false); }
  SECTION("that begins a region") { run.phases.region_begins(ThreadId(3), 9); }
  SECTION("a cancelled barrier") { run.phases.is_cancelled(); }
  SECTION("a task of no team for which nobody waits") { run.phases.begins(kSecond, strand(StrandKind::kTask, 0)); }
  CHECK_FALSE(run.phases.hold());
  Run other;
  other.end_region(7);
  other.phases.begins(kFirst, strand(StrandKind::kTask, 0, true));
  CHECK(other.phases.hold());
}

}  // namespace cdr::races
