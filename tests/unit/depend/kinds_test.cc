// SPDX-License-Identifier: GPL-2.0-or-later
// Which pairs are dependences: kinds, bytes, executions, counts.
#include "tests/unit/catch.h"
#include "tests/unit/depend/stream_builder.h"

using namespace depend_test;

namespace {
constexpr uint64_t kX = 0x100000;
}

TEST_CASE("a load after a store is RAW, a second load is RAW again", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX), load(kX), load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1004 x1", "RAW o in 1000: 1000 -> 1008 x1"});
}

TEST_CASE("a write after a read after a write is WAR and WAW", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX), load(kX), store(kX)});
  CHECK(s.rows() ==
        Rows{"RAW o in 1000: 1000 -> 1004 x1", "WAW o in 1000: 1000 -> 1008 x1", "WAR o in 1000: 1004 -> 1008 x1"});
}

TEST_CASE("loads alone depend on nothing; all readers since the write count", "[depend]") {
  Stream s;
  s.run(0x1000, {load(kX), load(kX), nothing(), store(kX), store(kX)});
  CHECK(s.rows() ==
        Rows{"WAR o in 1000: 1000 -> 100c x1", "WAR o in 1000: 1004 -> 100c x1", "WAW o in 1000: 100c -> 1010 x1"});
}

TEST_CASE("an access counts once for a key, whatever its width and however many readers", "[depend]") {
  Stream s;
  for (int i = 0; i < 8; ++i) s.run(0x1000, {load(kX + i, 1)});
  s.run(0x2000, {store(kX)});
  CHECK(s.rows() == Rows{"WAR o in 1000: 1000 -> 2000 x1"});
}

TEST_CASE("mixed widths depend by the byte", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX, 4), store(kX + 4, 4), store(kX + 6, 1)});
  s.run(0x2000, {load(kX, 8), load(kX + 3, 2), load(kX + 7, 1), load(kX + 8, 8)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 2000 x1", "RAW o in 1000: 1000 -> 2004 x1",
                         "RAW o in 1000: 1004 -> 2000 x1", "RAW o in 1000: 1004 -> 2004 x1",
                         "RAW o in 1000: 1004 -> 2008 x1", "WAW o in 1000: 1004 -> 1008 x1",
                         "RAW o in 1000: 1008 -> 2000 x1"});
}

TEST_CASE("accesses may be wide, unaligned and cross lines and pages", "[depend]") {
  Stream s;
  const uint64_t edge = 0x110000;
  s.run(0x1000, {store(edge - 3, 8), store(edge + 64, 32), store(edge + 61, 5)});
  s.run(0x2000, {load(edge - 16, 16), load(edge, 64), load(edge + 64, 1)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 2000 x1", "RAW o in 1000: 1000 -> 2004 x1",
                         "WAW o in 1000: 1004 -> 1008 x1", "RAW o in 1000: 1008 -> 2004 x1",
                         "RAW o in 1000: 1008 -> 2008 x1"});
}

TEST_CASE("the load and the store of one execution of an instruction make no dependence", "[depend]") {
  Stream s;
  s.run(0x1000, {load(kX), joined(store(kX))});
  CHECK(s.rows().empty());
  s.run(0x1000, {load(kX), joined(store(kX))});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1000 x1", "WAW o in 1000: 1000 -> 1000 x1"});
}

TEST_CASE("the elements of a rep are executions of their own", "[depend]") {
  Stream s;
  // movs with overlap: element i loads what element i - 1 stored
  for (uint64_t i = 0; i < 4; ++i) s.run(0x1000, {load(kX + 8 * i), joined(store(kX + 8 + 8 * i))});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1000 x3"});
}

TEST_CASE("overlapping accesses of one execution", "[depend]") {
  Stream s;
  SECTION("a load before a store that covers half of it joins the readers with the rest") {
    s.run(0x1000, {load(kX, 8), joined(store(kX + 4, 8))});
    s.run(0x2000, {store(kX, 4), store(kX + 4, 4)});
    CHECK(s.rows() == Rows{"WAR o in 1000: 1000 -> 2000 x1", "WAW o in 1000: 1000 -> 2004 x1"});
  }
  SECTION("a load after the store joins the readers, and does not depend on it") {
    s.run(0x1000, {store(kX), joined(load(kX, 4))});
    CHECK(s.rows().empty());
    s.run(0x2000, {store(kX, 4)});
    CHECK(s.rows() == Rows{"WAR o in 1000: 1000 -> 2000 x1", "WAW o in 1000: 1000 -> 2000 x1"});
  }
  SECTION("two stores: the later one stays, without a dependence on the first") {
    s.run(0x500, {load(kX)});
    s.run(0x1000, {store(kX), joined(store(kX + 4, 8))});
    s.run(0x2000, {load(kX, 16)});
    CHECK(s.rows() == Rows{"WAR o in 500: 500 -> 1000 x1", "RAW o in 500: 1000 -> 2000 x1"});
  }
  SECTION("what others read before is still a source") {
    s.run(0x500, {load(kX)});
    s.run(0x1000, {load(kX), joined(store(kX))});
    CHECK(s.rows() == Rows{"WAR o in 500: 500 -> 1000 x1"});
  }
}

TEST_CASE("atomic updates: two loads and a store that may fail", "[depend]") {
  Stream s;
  const auto update = [&](uint64_t to) { s.run(0x1000, {load(kX), joined(load(kX)), joined(guarded(store(to)))}); };
  for (int i = 0; i < 5; ++i) update(kX);
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1000 x8", "WAW o in 1000: 1000 -> 1000 x4"});
  SECTION("their loads are no readers") {
    s.run(0x2000, {store(kX)});
    CHECK(s.rows() ==
          Rows{"RAW o in 1000: 1000 -> 1000 x8", "WAW o in 1000: 1000 -> 1000 x4", "WAW o in 1000: 1000 -> 2000 x1"});
  }
  SECTION("but where the store fails") {
    update(0);
    update(kX);
    CHECK(s.rows() ==
          Rows{"RAW o in 1000: 1000 -> 1000 x12", "WAR o in 1000: 1000 -> 1000 x1", "WAW o in 1000: 1000 -> 1000 x5"});
  }
}

TEST_CASE("a guarded access that did not happen is none", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX), guarded(load(0)), guarded(load(kX)), joined(guarded(store(0)))});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1008 x1"});
  s.run(0x2000, {store(kX)});
  CHECK(s.rows() ==
        Rows{"RAW o in 1000: 1000 -> 1008 x1", "WAW o in 1000: 1000 -> 2000 x1", "WAR o in 1000: 1008 -> 2000 x1"});
}

TEST_CASE("a partial block makes the accesses of the instructions that completed", "[depend]") {
  Stream s;
  s.run(0x500, {store(kX), store(kX + 8)});
  s.run_partly(0x1000, {load(kX), load(kX + 8)}, 1);
  CHECK(s.rows() == Rows{"RAW o in 500: 500 -> 1000 x1"});
}

TEST_CASE("blocks of shims have no accesses", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX)});
  s.flags(cdr::kBlockShim).run(0x2000, {load(kX)});
  CHECK(s.rows().empty());
}

TEST_CASE("mapping and unmapping forget the bytes, and only those", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX), store(kX + 8), store(kX + 0x20000)});
  SECTION("map") { s.map(kX + 4, 0x20000); }
  SECTION("unmap") { s.unmap(kX + 4, 0x20000); }
  s.run(0x2000, {load(kX, 4), load(kX + 4, 4), load(kX + 8), load(kX + 0x20000)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 2000 x1", "RAW o in 1000: 1008 -> 200c x1"});
}

TEST_CASE("no dependence crosses the end of a gap", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX)});
  s.gap_begin();
  s.gap_end();
  s.run(0x2000, {load(kX), store(kX), load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 2004 -> 2008 x1", "WAR o in 1000: 2000 -> 2004 x1"});
}

TEST_CASE("granularity 8 joins neighbours, and reports so", "[depend]") {
  Stream s(8);
  s.run(0x1000, {store(kX, 1), load(kX + 7, 1), load(kX + 8, 1), store(kX + 6, 4)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1004 x1", "WAW o in 1000: 1000 -> 100c x1",
                         "WAR o in 1000: 1004 -> 100c x1", "WAR o in 1000: 1008 -> 100c x1"});
  CHECK(s.engine().results().granularity() == 8);
}

TEST_CASE("granularity 64 with accesses of one instruction that come to overlap", "[depend]") {
  Stream s(64);
  s.run(0x1000, {load(kX, 1), joined(store(kX + 40, 1))});
  s.run(0x2000, {load(kX + 70, 1), store(kX + 63, 2)});
  CHECK(s.rows() == Rows{"WAW o in 1000: 1000 -> 2004 x1", "WAR o in 1000: 2000 -> 2004 x1"});
}

TEST_CASE("system calls: one access a span, all of one execution, at their ip", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX), store(kX + 0x100, 4)});
  s.syscall(0x1ffe, {{kX, 0x40, false}, {kX + 0x20, 0x1000, true}});
  s.run(0x2000, {load(kX + 0x20), store(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1ffe x1", "WAW o in 1000: 1000 -> 2004 x1",
                         "WAW o in 1000: 1004 -> 1ffe x1", "RAW o in 1000: 1ffe -> 2000 x1",
                         "WAR o in 1000: 1ffe -> 2004 x1"});
}

TEST_CASE("a system call's spans are accesses of their own", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX), store(kX + 0x100)});
  s.run(0x1000, {store(kX + 0x200), store(kX + 0x300)});
  s.syscall(0x1ffe, {{kX, 8, false}, {kX + 0x200, 8, false}});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1ffe x2"});
}

TEST_CASE("the witness is the first pair: instructions, lowest byte, width", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX + 4, 4), store(kX + 64, 1)});
  s.run(0x2000, {load(kX, 8)});
  s.run(0x2000, {load(kX + 4, 8)});
  const auto rows = s.engine().results().rows();
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].count == 2);
  CHECK(rows[0].witness == cdr::depend::Witness{{{}, 0x1000}, {{}, 0x2000}, kX + 4, 8, 2});
}
