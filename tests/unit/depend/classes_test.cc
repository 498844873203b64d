// SPDX-License-Identifier: GPL-2.0-or-later
// Location classes l, r, f, s, o.
#include "tests/unit/catch.h"
#include "tests/unit/depend/stream_builder.h"

using namespace depend_test;

namespace {
constexpr uint64_t kX = 0x100000;
constexpr uint8_t kEntry = cdr::kBlockFunctionEntry;
}  // namespace

TEST_CASE("call and ret of the same slot are linkage", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  s.call(0x1010).run(0x2000, {nothing()}).ret(0x2010);
  s.call(0x1020).run(0x2000, {nothing()}).ret(0x2010);
  CHECK(s.rows().empty());
  CHECK(s.rows('l') == Rows{"RAW l in 1000: 1010 -> 1010c x1", "WAW l in 1000: 1010 -> 1020 x1",
                            "WAR l in 1000: 1010c -> 1020 x1", "RAW l in 1000: 1020 -> 1020c x1"});
}

TEST_CASE("linkage needs both ends", "[depend]") {
  Stream s;
  s.run(0x1000, {linkage(store(kX)), load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1004 x1"});
}

TEST_CASE("the GOT of a mapped module is linkage, to the byte", "[depend]") {
  Stream s;
  cdr::Module m;
  m.got = {kX + 4, kX + 8};
  m.got_plt = {kX + 0x40, kX + 0x80};
  s.run(0x900, {store(kX, 16), store(kX + 0x40)});
  const cdr::ModuleId id = s.module(m);
  s.run(0x1000, {load(kX, 4), load(kX + 4, 4), load(kX + 8), load(kX + 0x40), load(kX + 2, 4)});
  CHECK(s.rows('l') ==
        Rows{"RAW l in 900: 900 -> 1004 x1", "RAW l in 900: 900 -> 1010 x1", "RAW l in 900: 904 -> 100c x1"});
  CHECK(s.rows() ==
        Rows{"RAW o in 900: 900 -> 1000 x1", "RAW o in 900: 900 -> 1008 x1", "RAW o in 900: 900 -> 1010 x1"});
  s.module_unmapped(id);
  s.run(0x2000, {load(kX + 4, 4)});
  CHECK(s.rows().count("RAW o in 900: 900 -> 2000 x1") == 1);
}

TEST_CASE("lazy binding: from the PLT's jump into ld.so until its jump out", "[depend]") {
  Stream s;
  const uint8_t dl = cdr::kBlockDynamicLinker;
  s.run(0x1000, {store(kX), store(kX + 8), store(kX + 16), store(kX + 24)});
  s.call(0x1010);
  s.flags(cdr::kBlockPlt).jumps().run(0x600, {load(kX)});
  s.flags(dl).run(0x7000, {load(kX)});
  s.call(0x7010);
  s.flags(dl | kEntry).run(0x7100, {load(kX + 8)});
  s.flags(dl).ret(0x7180);
  s.flags(dl).jumps().run(0x7020, {load(kX + 16)});
  s.flags(kEntry).run(0x2000, {load(kX + 24)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1010c x1", "RAW o in 1000: 100c -> 1010c x1"});
  const Rows l = s.rows('l');
  CHECK(l.count("RAW l in 1000: 1000 -> 1010c x1") == 1);
  CHECK(l.count("RAW l in 1000: 1004 -> 1010c x1") == 1);
  CHECK(l.count("RAW l in 1000: 1008 -> 1010c x1") == 1);
}

TEST_CASE("a call from the PLT into ld.so is no lazy binding", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kX)});
  s.flags(cdr::kBlockPlt).call(0x600);
  s.flags(cdr::kBlockDynamicLinker).run(0x7000, {load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 600c x1"});
}

TEST_CASE("recycled: freed and allocated again in between", "[depend]") {
  Stream s;
  s.alloc(kX, 24);
  s.run(0x1000, {store(kX), store(kX + 16), store(kX + 24), load(kX + 16)});
  s.free(kX, 24);
  s.run(0x1100, {load(kX)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 1100 x1", "RAW o in 1000: 1004 -> 100c x1"});
  s.alloc(kX, 12);
  s.run(0x2000, {store(kX), load(kX + 8, 8), store(kX + 16), load(kX + 24)});
  CHECK(s.rows('r') == Rows{"WAW r in 1000: 1000 -> 2000 x1"});
  s.free(kX, 12);
  s.alloc(kX, 32);
  s.run(0x3000, {load(kX), load(kX + 16), load(kX + 24)});
  CHECK(s.rows('r') == Rows{"WAW r in 1000: 1000 -> 2000 x1", "RAW r in 1000: 2000 -> 3000 x1"});
}

TEST_CASE("recycled readers, several of them", "[depend]") {
  Stream s;
  s.alloc(kX, 16);
  s.run(0x1000, {load(kX), load(kX)});
  s.free(kX, 16);
  s.run(0x1100, {load(kX)});
  s.alloc(kX, 16);
  s.run(0x1200, {load(kX), store(kX)});
  CHECK(s.rows('r') == Rows{"WAR r in 1000: 1000 -> 1204 x1", "WAR r in 1000: 1004 -> 1204 x1"});
  CHECK(s.rows('o') == Rows{"WAR o in 1000: 1100 -> 1204 x1", "WAR o in 1000: 1200 -> 1204 x1"});
}

TEST_CASE("a resize in place frees or allocates what it changes", "[depend]") {
  Stream s;
  s.alloc(kX, 16);
  s.run(0x1000, {store(kX), store(kX + 8)});
  s.resize(kX, 16, 12);
  s.resize(kX, 12, 32);
  s.run(0x2000, {load(kX), load(kX + 8, 4), load(kX + 12, 4)});
  CHECK(s.rows() ==
        Rows{"RAW o in 1000: 1000 -> 2000 x1", "RAW o in 1000: 1004 -> 2004 x1", "RAW r in 1000: 1004 -> 2008 x1"});
}

TEST_CASE("a frame's memory used again is false, a caller's variable is stack", "[depend]") {
  Stream s;
  s.run(0x1000, {add_sp(-64)});
  const uint64_t local = s.sp() + 8;
  s.call(0x1010).run(0x2000, {add_sp(-32), store(local), store(s.sp() - 16), add_sp(32)}).ret(0x2010);
  s.call(0x1020).run(0x3000, {add_sp(-32), load(local), store(s.sp() - 16), add_sp(32)}).ret(0x3010);
  CHECK(s.rows() == Rows{"RAW s in 1000: 1010c -> 1020c x1", "WAW f in 1000: 1010c -> 1020c x1"});
}

TEST_CASE("push, pop, push: false", "[depend]") {
  Stream s;
  const uint64_t sp = s.sp();
  s.run(0x1000,
        {store(sp - 8), joined(add_sp(-8)), load(sp - 8), joined(add_sp(8)), store(sp - 8), joined(add_sp(-8))});
  CHECK(s.rows() ==
        Rows{"RAW s in 1000: 1000 -> 1004 x1", "WAW f in 1000: 1000 -> 1008 x1", "WAR f in 1000: 1004 -> 1008 x1"});
}

TEST_CASE("the red zone is stack until SP rises", "[depend]") {
  Stream s;
  s.run(0x1000, {nothing()});
  s.call(0x1010);
  const uint64_t sp = s.sp();
  s.run(0x2000, {store(sp - 16), load(sp - 16), store(sp - 128), load(sp - 128), store(sp - 136), load(sp - 136),
                 store(sp - 132), load(sp - 132)});
  CHECK(s.rows() ==
        Rows{"RAW s in 2000: 2000 -> 2004 x1", "RAW s in 2000: 2008 -> 200c x1", "RAW o in 2000: 2010 -> 2014 x1",
             "WAW o in 2000: 2010 -> 2018 x1", "WAR o in 2000: 2014 -> 2018 x1", "WAW s in 2000: 2008 -> 2018 x1",
             "WAR s in 2000: 200c -> 2018 x1", "RAW o in 2000: 2018 -> 201c x1", "RAW s in 2000: 2018 -> 201c x1"});
}
