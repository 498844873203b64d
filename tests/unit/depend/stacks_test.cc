// SPDX-License-Identifier: GPL-2.0-or-later
// Threads, coroutines and other stacks: where they hang, and what their SP says of a byte.
#include "tests/unit/catch.h"
#include "tests/unit/depend/stream_builder.h"

using namespace depend_test;

namespace {

constexpr uint64_t kX = 0x100000;
constexpr uint8_t kEntry = cdr::kBlockFunctionEntry;
constexpr cdr::AddrRange kMainStack{kMainStackBegin, kMainStackEnd};
constexpr cdr::AddrRange kSecond{0x900000, 0x910000};
constexpr cdr::AddrRange kThird{0x920000, 0x930000};

// A switch as swapcontext makes it: the last block on the old stack loads the new SP.
void swap_to(Stream& s, uint64_t pc, uint32_t stack, cdr::AddrRange range, uint64_t sp) {
  const uint64_t old = s.sp();
  s.run(pc, {nothing(), sp_to(sp)});
  s.sp() = old;
  s.stack_switch(stack, range, sp);
}

}  // namespace

TEST_CASE("threads meet in main, at the instruction before their creation", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()}).create(2);
  s.start(2, 2, kSecond, kSecond.end - 0x100).run(0x2000, {store(kX), store(kX + 8)});
  s.turn(1).run(0x1010, {load(kX), nothing()}).create(3);
  s.start(3, 3, kThird, kThird.end - 0x100).run(0x3000, {load(kX + 8), load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000c -> 1010 x1 2>1", "RAW o in 1000: 1000c -> 1014c x2 2>3"});
}

TEST_CASE("the frame that created a thread stays its ancestor after it has ended", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()}).call(0x1010);
  s.flags(kEntry).run(0x2000, {nothing()}).create(2);
  s.call(0x2010).flags(kEntry).run(0x2100, {store(kX), nothing()}).ret(0x2180);
  s.ret(0x2020);
  s.call(0x1020).flags(kEntry).run(0x4000, {store(kX + 8)}).ret(0x4080);
  s.start(2, 2, kSecond, kSecond.end - 0x100).run(0x3000, {load(kX), load(kX + 8)});
  CHECK(s.rows() == Rows{"RAW o in 2000: 2010c -> 2000c x1 1>2", "RAW o in 1000: 1020c -> 1010c x1 1>2"});
}

TEST_CASE("when the thread has ended its creator's frame is folded", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()}).call(0x1010);
  s.flags(kEntry).run(0x2000, {nothing()}).create(2);
  s.ret(0x2020);
  s.start(2, 2, kSecond, kSecond.end - 0x100).run(0x3000, {store(kX)}).end_thread();
  s.turn(1).run(0x1020, {load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1010c -> 1020 x1 2>1"});
}

TEST_CASE("hiddenness that comes after a thread was created below the frame", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()}).call(0x1010);
  s.flags(kEntry).jumps().run(0x2000, {nothing()}).create(2);
  s.start(2, 2, kSecond, kSecond.end - 0x100).run(0x3000, {store(kX), load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 3000: 3000 -> 3004 x1 2>2"});
  s.turn(1).flags(kEntry | cdr::kBlockHidden).run(0x9000, {nothing()});
  s.turn(2).run(0x3000, {store(kX), load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 3000: 3000 -> 3004 x1 2>2", "RAW o in 3000h: 3000 -> 3004 x1 2>2",
                         "WAW o in 3000h: 3000 -> 3000 x1 2>2", "WAR o in 3000h: 3004 -> 3000 x1 2>2"});
}

TEST_CASE("a frame of another stack is renamed between two dependences on it", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()}).create(2);
  s.start(2, 2, kSecond, kSecond.end - 0x100);
  s.call(0x3f00).jumps().flags(kEntry).run(0x3000, {store(kX)});
  s.turn(1).run(0x1010, {load(kX)});
  s.turn(2).flags(kEntry | cdr::kBlockHidden).run(0x9000, {nothing()});
  s.turn(1).run(0x1010, {load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000c -> 1010 x1 2>1", "RAW o in 1000: 1000h -> 1010 x1 2>1"});
}

TEST_CASE("the ancestor on another stack is renamed between two dependences in it", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()}).call(0x1010);
  s.flags(kEntry).jumps().run(0x2000, {store(kX)}).create(2);
  s.start(2, 2, kSecond, kSecond.end - 0x100);
  for (int i = 0; i < 3; ++i) s.run(0x3000, {load(kX)});
  s.turn(1).flags(kEntry).run(0x9000, {nothing()});
  for (int i = 0; i < 2; ++i) s.turn(2).run(0x3000, {load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 2000: 2000 -> 2000c x3 1>2", "RAW o in 9000: 2000 -> 2000c x2 1>2"});
}

TEST_CASE("coroutines keep their frames and SP, in either order of addresses", "[depend]") {
  const bool above = GENERATE(true, false);
  CAPTURE(above);
  const cdr::AddrRange other = above ? cdr::AddrRange{0x900000, 0x910000} : cdr::AddrRange{0x300000, 0x310000};
  Stream s;
  s.run(0x1000, {add_sp(-64)});
  const uint64_t local = s.sp() + 16;
  const uint64_t main_sp = s.sp();
  s.run(0x1100, {store(local)});
  const uint64_t sp = other.end - 0x100;
  swap_to(s, 0x1200, 2, other, sp);
  s.run(0x2000, {add_sp(-32)});
  const uint64_t mine = s.sp() + 8;
  s.run(0x2100, {store(mine), load(local)});
  const uint64_t co_sp = s.sp();
  swap_to(s, 0x2200, 1, kMainStack, main_sp);
  s.run(0x1300, {load(local), load(mine)});
  swap_to(s, 0x1400, 2, other, co_sp);
  s.run(0x2300, {load(mine), load(local)});
  CHECK(s.rows() == Rows{"RAW s in 1000: 1100 -> 1204c x1", "RAW s in 1000: 1100 -> 1300 x1",
                         "RAW s in 1000: 1100 -> 1404c x1", "RAW s in 1000: 1204c -> 1304 x1",
                         "RAW s in 2000: 2100 -> 2300 x1"});
}

TEST_CASE("a thread's end frees its stack", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()}).create(2);
  const uint64_t sp = kSecond.end - 0x100;
  s.start(2, 2, kSecond, sp).run(0x2000, {add_sp(-64), store(sp - 32), nothing()});
  s.turn(1).run(0x1010, {load(sp - 32), nothing()});
  s.turn(2).end_thread();
  s.turn(1).run(0x1020, {load(sp - 32), nothing()}).create(3);
  s.start(3, 3, kSecond, sp).run(0x3000, {add_sp(-64), store(sp - 32)});
  CHECK(s.rows() == Rows{"RAW s in 1000: 1000c -> 1010 x1 2>1", "RAW f in 1000: 1000c -> 1020 x1 2>1",
                         "WAR f in 1000: 1010 -> 1024c x1 1>3", "WAW f in 1000: 1000c -> 1024c x1 2>3",
                         "WAR o in 1000: 1020 -> 1024c x1 1>3"});
}

TEST_CASE("what was written before the memory became a stack is other", "[depend]") {
  Stream s;
  s.run(0x1000, {store(0x90fe00)});
  swap_to(s, 0x1100, 2, kSecond, 0x90fe00);
  s.run(0x2000, {load(0x90fe00)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1104c x1"});
}

TEST_CASE("a coroutine that another thread resumes", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()}).create(2);
  swap_to(s, 0x1100, 3, kThird, kThird.end - 64);
  s.run(0x5000, {store(kX)});
  const uint64_t co_sp = s.sp();
  swap_to(s, 0x5100, 1, kMainStack, kMainSp);
  s.start(2, 2, kSecond, kSecond.end - 64).run(0x2000, {nothing()});
  swap_to(s, 0x2100, 3, kThird, co_sp);
  s.run(0x5000, {store(kX), load(kX)});
  CHECK(s.rows() == Rows{"WAW o in 5000: 5000 -> 5000 x1 1>2", "RAW o in 5000: 5000 -> 5004 x1 2>2"});
}

namespace {

constexpr cdr::AddrRange kAlternate{0x200000, 0x210000};
constexpr uint64_t kEntrySp = 0x20f000;

// A handler on the alternate stack, which interrupts main at `ip`.
template <class Body>
void handler(Stream& s, uint64_t ip, Body body) {
  const uint64_t sp = s.sp();
  s.stack_switch(9, kAlternate, kEntrySp).signal_enter(ip, kEntrySp);
  s.flags(kEntry).run(0x5000, {nothing()});
  body();
  s.signal_leave(ip, sp).stack_switch(1, kMainStack, sp);
}

}  // namespace

TEST_CASE("a handler on an alternate stack hangs below what it interrupts, each time anew", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  const auto touch = [&] { s.run(0x5010, {load(kX), store(kX + 8)}); };
  handler(s, 0x1010, touch);
  s.run(0x1020, {store(kX)});
  handler(s, 0x1030, touch);
  s.run(0x1040, {load(kX + 8)});
  CHECK(s.rows() == Rows{"WAR o in 1000: 1010c -> 1020 x1", "RAW o in 1000: 1020 -> 1030c x1",
                         "WAW o in 1000: 1010c -> 1030c x1", "RAW o in 1000: 1030c -> 1040 x1"});
}

TEST_CASE("a handler that jumped out leaves its frame to the next one", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  const uint64_t sp = s.sp();
  s.stack_switch(9, kAlternate, kEntrySp).signal_enter(0x1010, kEntrySp);
  s.flags(kEntry).run(0x5000, {store(kX)});
  s.stack_switch(1, kMainStack, sp).run(0x1020, {load(kX)});
  s.stack_switch(9, kAlternate, kEntrySp).pop(1).signal_enter(0x1030, kEntrySp);
  s.flags(kEntry).run(0x5000, {load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1010c -> 1020 x1", "RAW o in 1000: 1010c -> 1030c x1"});
}

TEST_CASE("a handler that interrupts one on the same alternate stack hangs below it", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  handler(s, 0x1010, [&] {
    s.run(0x5010, {store(kX)});
    s.signal_enter(0x5020, kEntrySp - 0x400);
    s.flags(kEntry).run(0x6000, {load(kX)}).signal_leave(0x5020, kEntrySp);
  });
  CHECK(s.rows() == Rows{"RAW o in 5000: 5010 -> 5020c x1"});
}

TEST_CASE("a handler on an alternate stack while a coroutine runs", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  swap_to(s, 0x1100, 2, kSecond, kSecond.end - 64);
  s.run(0x2000, {store(kX)});
  const uint64_t sp = s.sp();
  s.stack_switch(9, kAlternate, kEntrySp).signal_enter(0x2010, kEntrySp);
  s.flags(kEntry).run(0x5000, {load(kX), store(kX + 8)}).signal_leave(0x2010, sp).stack_switch(2, kSecond, sp);
  swap_to(s, 0x2100, 1, kMainStack, kMainSp);
  s.run(0x1200, {load(kX + 8)});
  CHECK(s.rows() == Rows{"RAW o in 2000: 2000 -> 2010c x1", "RAW o in 1000: 1104c -> 1200 x1"});
}

TEST_CASE("two accesses on a coroutine's stack meet there, whoever resumed it", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()}).call(0x1010);
  s.flags(kEntry).run(0x1500, {nothing()});
  swap_to(s, 0x1600, 2, kSecond, kSecond.end - 64);
  s.run(0x2000, {store(kX), store(kX + 8)});
  uint64_t co = s.sp();
  swap_to(s, 0x2100, 1, kMainStack, kMainSp - 8);
  s.ret(0x1700).run(0x1020, {load(kX + 8), nothing()});
  swap_to(s, 0x1100, 2, kSecond, co);
  s.run(0x2200, {load(kX), store(kX + 8)});
  swap_to(s, 0x2300, 1, kMainStack, kMainSp);
  s.run(0x1200, {load(kX + 8)});
  // The first resumption was made in the function that main called at 1010, the second one in main.
  CHECK(s.rows() == Rows{"RAW o in 1000: 1010c -> 1020 x1", "RAW o in 2000: 2000 -> 2200 x1",
                         "WAR o in 1000: 1020 -> 1104c x1", "WAW o in 2000: 2004 -> 2204 x1",
                         "RAW o in 1000: 1104c -> 1200 x1"});
}

TEST_CASE("a coroutine that resumes another: one that is around is gone back to", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  swap_to(s, 0x1100, 2, kSecond, kSecond.end - 64);
  s.run(0x2000, {store(kX)});
  const uint64_t sp = s.sp();
  swap_to(s, 0x2100, 3, kThird, kThird.end - 64);
  s.run(0x3000, {load(kX), store(kX + 8)});
  SECTION("back to the one that resumed it") {
    swap_to(s, 0x3100, 2, kSecond, sp);
    s.run(0x2200, {load(kX + 8)});
    CHECK(s.rows() == Rows{"RAW o in 2000: 2000 -> 2104c x1", "RAW o in 2000: 2104c -> 2200 x1"});
  }
  SECTION("to main, and from there to the first") {
    swap_to(s, 0x3100, 1, kMainStack, kMainSp);
    s.run(0x1200, {nothing()});
    swap_to(s, 0x1300, 2, kSecond, sp);
    s.run(0x2200, {load(kX + 8)});
    CHECK(s.rows() == Rows{"RAW o in 2000: 2000 -> 2104c x1", "RAW o in 2000: 2104c -> 2200 x1"});
  }
}

TEST_CASE("a stack that moves between threads is one, and hangs from who resumes it", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()}).create(2);
  s.run(0x1010, {store(kX + 16)});
  swap_to(s, 0x1100, 3, kThird, kThird.end - 64);
  s.run(0x5000, {store(kX), store(kX + 8)});
  const uint64_t co = s.sp();
  swap_to(s, 0x5100, 1, kMainStack, kMainSp);
  s.start(2, 2, kSecond, kSecond.end - 64).run(0x2000, {store(kX + 24)});
  swap_to(s, 0x2100, 3, kThird, co);
  s.run(0x5200, {load(kX), load(kX + 16), load(kX + 24)});
  s.turn(1).run(0x1200, {load(kX + 8)});
  CHECK(s.rows() == Rows{"RAW o in 5000: 5000 -> 5200 x1 1>2", "RAW o in 1000: 1010 -> 1000c x1 1>2",
                         "RAW o in 2000: 2000 -> 2104c x1 2>2", "RAW o in 1000: 1104c -> 1200 x1"});
}

// As no recorder writes it, but a damaged file can.
TEST_CASE("two threads on one stack, which one of them finishes", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()}).create(2);
  s.start(2, 2, kSecond, kSecond.end - 64).run(0x2000, {store(kX)});
  swap_to(s, 0x2100, 1, kMainStack, kMainSp);
  s.end_thread();
  s.turn(1).run(0x1010, {store(kX + 8)}).call(0x1020);
  s.flags(kEntry).run(0x3000, {load(kX + 8)}).ret(0x3010);
  CHECK(s.rows() == Rows{"RAW o in 1010: 1010 -> 1020c x1 2>2"});
}
