// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/region_stack.h"

#include <rapidcheck.h>

#include "tests/unit/catch.h"

namespace cdr::regions {
namespace {

void call(RegionStack& s, uint64_t time) {
  Frame f;
  f.start = time;
  f.loops = static_cast<uint32_t>(s.loop_count());
  s.push(f);
}

TEST_CASE("a time lies in the innermost region that is open since then") {
  RegionStack s;
  call(s, 0);
  s.open_loop(LoopId(1), 10);  // the outer loop,
  s.begin_iteration(20);       // its second iteration,
  s.open_loop(LoopId(2), 25);  // in it the inner one,
  s.begin_iteration(30);       // in its second iteration
  call(s, 40);                 // a call,
  s.open_loop(LoopId(3), 45);  // with a loop
  using Place = RegionStack::Place;
  CHECK(s.place_of(46) == Place{1, 2, false});
  CHECK(s.place_of(42) == Place{1, RegionStack::kNoLoop, false});
  CHECK(s.place_of(35) == Place{0, 1, false});
  CHECK(s.place_of(27) == Place{0, 1, true});
  CHECK(s.place_of(22) == Place{0, 0, false});
  CHECK(s.place_of(12) == Place{0, 0, true});
  CHECK(s.place_of(5) == Place{0, RegionStack::kNoLoop, false});
  CHECK(s.inner_start() == 45);
}

TEST_CASE("what is known of a region holds as long as that is open, for what happened in it") {
  RegionStack s;
  call(s, 0);
  s.open_loop(LoopId(1), 10);
  s.begin_iteration(20);
  const size_t former = s.reach_of(12);
  const uint64_t stamp = s.reaches()[former].stamp;
  CHECK(s.is_in_reach(10, former, stamp));
  CHECK(s.is_in_reach(19, former, stamp));
  CHECK_FALSE(s.is_in_reach(9, former, stamp));
  CHECK_FALSE(s.is_in_reach(20, former, stamp));
  s.begin_iteration(30);
  CHECK(s.is_in_reach(20, former, stamp));
  s.close_loop(40);
  CHECK_FALSE(s.is_in_reach(12, former, stamp));
  s.open_loop(LoopId(1), 50);  // the loop's next instance
  s.begin_iteration(60);
  CHECK_FALSE(s.is_in_reach(55, former, stamp));
  call(s, 70);
  const size_t own = s.reach_of(75);
  const uint64_t unnamed = s.stamp();
  CHECK(s.is_in_reach(75, own, unnamed));
  s.renamed();
  CHECK_FALSE(s.is_in_reach(75, own, unnamed));
}

TEST_CASE("deep stacks are searched the same way") {
  RegionStack s;
  for (uint64_t i = 0; i < 100; ++i) call(s, 10 * i);
  for (uint64_t i = 0; i < 100; ++i) CHECK(s.place_of(10 * i + 3).frame == i);
}

TEST_CASE("what was on the stack is gone when the stack pointer was above it") {
  RegionStack s;
  s.range = {0, 1000};
  s.sp_is(500, 0);
  s.sp_is(400, 5);
  CHECK_FALSE(s.was_released(450, 6));
  s.sp_is(460, 8);
  s.sp_is(300, 9);
  CHECK(s.was_released(450, 6));
  CHECK(s.was_released(450, 8));
  CHECK_FALSE(s.was_released(450, 9));
  CHECK_FALSE(s.was_released(470, 6));
  CHECK_FALSE(s.was_released(2000, 0));
}

TEST_CASE("what is known of reaches holds until regions are opened or closed, whatever iterations begin") {
  RegionStack s;
  call(s, 0);
  s.open_loop(LoopId(1), 10);
  const uint64_t version = s.version(), activations = s.frames_version();
  const uint64_t* const end = &s.reaches()[2].start;
  s.begin_iteration(20);
  s.begin_iteration(30);
  CHECK(s.version() == version);
  CHECK(*end == 30);
  s.open_loop(LoopId(2), 35);
  CHECK(s.version() != version);
  CHECK(s.frames_version() == activations);
  call(s, 40);
  CHECK(s.frames_version() != activations);
}

TEST_CASE("what was released is known by the address alone") {
  const auto holds = [] {
    RegionStack s;
    s.range = {100, 200};
    const auto steps = *rc::gen::inRange<uint64_t>(1, 40);
    for (uint64_t time = 1; time <= steps; ++time) s.sp_is(*rc::gen::inRange<uint64_t>(100, 200), time);
    for (uint64_t addr = 95; addr < 205; addr += 3)
      for (uint64_t t = 1; t <= steps; ++t) RC_ASSERT(s.was_released(addr, t) == (t <= s.released_until(addr)));
  };
  CHECK(rc::check(holds));
}

}  // namespace
}  // namespace cdr::regions
