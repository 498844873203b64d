// SPDX-License-Identifier: GPL-2.0-or-later
// Ancestors, endpoints and names.
#include "tests/unit/catch.h"
#include "tests/unit/depend/stream_builder.h"

using namespace depend_test;

namespace {
constexpr uint64_t kX = 0x100000;
constexpr uint8_t kEntry = cdr::kBlockFunctionEntry;
constexpr uint8_t kHidden = cdr::kBlockFunctionEntry | cdr::kBlockHidden;

// A call of a function that executes `ops` and returns.
void call(Stream& s, uint64_t site, uint64_t function, const std::vector<Op>& ops, uint8_t flags = kEntry) {
  s.call(site);
  s.flags(flags).run(function, ops);
  s.ret(function + 0x80);
}
}  // namespace

TEST_CASE("two calls depend through their call sites", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  call(s, 0x1010, 0x2000, {store(kX)});
  call(s, 0x1020, 0x3000, {load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1010c -> 1020c x1"});
}

TEST_CASE("an access of the ancestor itself has no code", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX)});
  call(s, 0x1010, 0x2000, {load(kX), store(kX)});
  s.run(0x1020, {load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1010c x1", "WAW o in 1000: 1000 -> 1010c x1",
                         "RAW o in 1000: 1010c -> 1020 x1", "WAR o in 2000: 2000 -> 2004 x1"});
}

TEST_CASE("the ancestor is the innermost common frame", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  s.call(0x1010);
  s.flags(kEntry).run(0x2000, {nothing()});
  call(s, 0x2010, 0x3000, {store(kX)});
  call(s, 0x2020, 0x3000, {load(kX)});
  s.ret(0x2030);
  s.call(0x1010);
  s.flags(kEntry).run(0x2000, {nothing()});
  call(s, 0x2010, 0x3000, {load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1010c -> 1010c x1", "RAW o in 2000: 2010c -> 2020c x1"});
}

TEST_CASE("a recursive function is its own ancestor by name", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  s.call(0x1010);
  s.flags(kEntry).run(0x2000, {store(kX)});
  s.call(0x2010);
  s.flags(kEntry).run(0x2000, {store(kX)});
  s.call(0x2010);
  s.flags(kEntry).run(0x2000, {store(kX)});
  CHECK(s.rows() == Rows{"WAW o in 2000: 2000 -> 2010c x2"});
}

TEST_CASE("hidden frames give h to the ends and cell_access the ancestor", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  s.call(0x1010);
  s.flags(kEntry).run(0x2000, {nothing()});
  call(s, 0x2010, 0x9000, {store(kX)}, kHidden);
  s.ret(0x2030);
  s.run(0x1020, {load(kX)});
  SECTION("the end") { CHECK(s.rows() == Rows{"RAW o in 1000: 1010h -> 1020 x1"}); }
  SECTION("the ancestor, and one below it") {
    s.call(0x1030);
    s.flags(kHidden).run(0x9000, {store(kX + 8), load(kX + 8)});
    s.call(0x9010);
    s.flags(kEntry).run(0xa000, {load(kX + 8), store(kX + 16), load(kX + 16)});
    CHECK(s.rows() == Rows{"RAW o in 1000: 1010h -> 1020 x1", "RAW o in 9000h: 9000 -> 9004 x1",
                           "RAW o in 9000h: 9000 -> 9010c x1", "RAW o in a000h: a004 -> a008 x1"});
  }
}

TEST_CASE("a hidden target", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX)});
  s.call(0x1010);
  s.flags(kHidden).run(0x9000, {nothing()});
  call(s, 0x9010, 0xa000, {load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1010h x1"});
}

TEST_CASE("a function entry reached by a jump renames the frame", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  s.call(0x1010);
  s.flags(kEntry).jumps().run(0x2000, {store(kX), load(kX)});
  SECTION("a tail call") {
    s.flags(kEntry).run(0x3000, {load(kX)});
    CHECK(s.rows() == Rows{"RAW o in 2000: 2000 -> 2004 x1", "RAW o in 3000: 2000 -> 3000 x1"});
  }
  SECTION("the same code again, under another name") {
    s.flags(kEntry).jumps().run(0x3000, {nothing()});
    s.jumps().run(0x2040, {store(kX), load(kX)});
    s.flags(kEntry).jumps().run(0x4000, {nothing()});
    s.jumps().run(0x2040, {store(kX), load(kX)});
    CHECK(s.rows() == Rows{"RAW o in 2000: 2000 -> 2004 x1", "WAW o in 3000: 2000 -> 2040 x1",
                           "WAR o in 3000: 2004 -> 2040 x1", "RAW o in 3000: 2040 -> 2044 x1",
                           "WAW o in 4000: 2040 -> 2040 x1", "RAW o in 4000: 2040 -> 2044 x1",
                           "WAR o in 4000: 2044 -> 2040 x1"});
  }
  SECTION("to a hidden function") {
    s.flags(kHidden).run(0x9000, {load(kX)});
    s.ret(0x9010);
    s.run(0x1020, {load(kX), store(kX)});
    CHECK(s.rows() == Rows{"WAR o in 1000: 1010h -> 1024 x1", "WAW o in 1000: 1010h -> 1024 x1",
                           "RAW o in 1000: 1010h -> 1020 x1", "WAR o in 1000: 1020 -> 1024 x1",
                           "RAW o in 2000: 2000 -> 2004 x1", "RAW o in 9000h: 2000 -> 9000 x1"});
  }
}

TEST_CASE("a function entry not reached by a jump does not rename", "[depend]") {
  Stream s;
  s.flags(kEntry).run(0x1000, {store(kX)});
  s.flags(kEntry).run(0x2000, {load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 2000 x1"});
}

TEST_CASE("in a gap Enter names the frame", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  s.gap_begin();
  s.enter_frame(0x1010);
  s.flags(kHidden).enter_in_gap(0x9000);
  s.gap_end();
  s.run(0x9010, {store(kX), load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 9000h: 9010 -> 9014 x1"});
}

TEST_CASE("longjmp closes frames", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  const uint64_t sp = s.sp();
  s.call(0x1010);
  s.flags(kEntry).run(0x2000, {nothing()});
  s.call(0x2010);
  s.flags(kEntry).run(0x3000, {store(kX), sp_to(sp)});
  s.pop(2);
  s.run(0x1020, {load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1010c -> 1020 x1"});
}

TEST_CASE("a signal's handler is called by the interrupted instruction", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX)});
  const uint64_t sp = s.sp();
  s.signal_enter(0x1040, sp - 1024);
  s.flags(kEntry).run(0x5000, {load(kX), store(kX + 8)});
  s.signal_leave(0x1040, sp);
  s.run(0x1040, {load(kX + 8)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1040c x1", "RAW o in 1000: 1040c -> 1040 x1"});
}

TEST_CASE("an address is named by the module of its block", "[depend]") {
  Stream s;
  cdr::Module m;
  m.path = "/bin/x";
  m.text = {0x4000, 0x5000};
  const cdr::ModuleId id = s.module(m);
  s.run(0x1000, {nothing()});
  s.enter_frame(0x4010);  // in a gap, say: no block contains it
  s.flags(kEntry).run(0x2000, {store(kX)});
  s.pop(1);
  s.run(0x1004, {load(kX)});
  REQUIRE(s.engine().results().rows().size() == 1);
  const cdr::depend::Key& key = s.engine().results().rows()[0].key;
  CHECK(key.source.at == cdr::CodeAddr{id, 0x4010});
  CHECK(key.target.at == cdr::CodeAddr{{}, 0x1004});
}
