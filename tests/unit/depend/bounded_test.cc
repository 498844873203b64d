// SPDX-License-Identifier: GPL-2.0-or-later
// Memory stays bounded however long the program runs, and what does not fit is counted.
#include "tests/unit/catch.h"
#include "tests/unit/depend/stream_builder.h"

using namespace depend_test;

namespace {

constexpr uint64_t kX = 0x100000;

// nfib as a compiler makes it: frame of 32 bytes, an argument slot, two calls.
void nfib(Stream& s, int n) {
  s.flags(cdr::kBlockFunctionEntry).run(0x2000, {add_sp(-32), store(s.sp() - 32 + 8), load(s.sp() - 32 + 8)});
  if (n >= 2) {
    s.call(0x2010);
    nfib(s, n - 1);
    s.run(0x2020, {store(s.sp() + 16), load(s.sp() + 8)});
    s.call(0x2030);
    nfib(s, n - 2);
    s.run(0x2040, {load(s.sp() + 16)});
  }
  s.run(0x2050, {load(kX), add_sp(32)});
  s.ret(0x2060);
}

cdr::depend::Stats after_nfib(int n) {
  Stream s;
  s.keeping = false;
  s.run(0x1000, {nothing()});
  s.call(0x1010);
  nfib(s, n);
  return s.engine().stats();
}

}  // namespace

TEST_CASE("nfib runs in bounded memory", "[depend]") {
  const cdr::depend::Stats some = after_nfib(22), more = after_nfib(24);
  CHECK(more.sweeps > 1);
  CHECK(more.peak_bytes < some.peak_bytes + (uint64_t{8} << 20));
  CHECK(more.peak_bytes < uint64_t{64} << 20);
  CHECK(more.imprecise == 0);
}

TEST_CASE("a deep recursion whose every level reads one variable", "[depend]") {
  Stream s;
  s.keeping = false;
  s.run(0x1000, {nothing()});
  const int depth = 3000;
  for (int i = 0; i < depth; ++i) {
    s.call(0x2010);
    s.flags(cdr::kBlockFunctionEntry).run(0x2000, {load(kX)});
  }
  for (int i = 0; i < depth; ++i) {
    s.run(0x2020, {load(kX)});
    s.ret(0x2060);
  }
  s.run(0x1010, {store(kX)});
  CHECK(s.rows().count("WAR o in 1000: 2010c -> 1010 x1") == 1);
  CHECK(s.engine().stats().imprecise == 0);
}

TEST_CASE("tables that are read at random have few reader sets", "[depend]") {
  Stream s;
  s.keeping = false;
  s.run(0x1000, {nothing()});
  uint64_t random = 1;
  for (int i = 0; i < 200000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    s.run(0x1100 + (random >> 60) * 0x10, {load(kX + (random >> 32) % 4096 * 8)});
  }
  CHECK(s.engine().stats().bytes < uint64_t{8} << 20);
  for (uint64_t i = 0; i < 4096; ++i) s.run(0x1400, {store(kX + 8 * i)});
  CHECK(s.rows().size() == 16);
}

TEST_CASE("beyond the memory cap accesses are dropped and counted", "[depend]") {
  cdr::depend::Options o;
  o.memory_bytes = uint64_t{1} << 20;
  Stream s(o);
  s.keeping = false;
  for (uint64_t i = 0; i < 100000; ++i) s.run(0x1000, {store(kX + 64 * i)});
  for (uint64_t i = 0; i < 100000; ++i) s.run(0x1000, {store(kX + 64 * i, 1)});
  CHECK(s.engine().stats().imprecise > 0);
  CHECK(s.engine().stats().bytes < uint64_t{3} << 20);
  s.map(kX, 64 * 100000);
  s.run(0x2000, {store(kX), load(kX)});
  CHECK(s.rows().count("RAW o in 1000: 2000 -> 2004 x1") == 1);
}

TEST_CASE("what single bytes have refined becomes coarse again where wide accesses go on", "[depend]") {
  Stream s;
  for (uint64_t i = 0; i < 64; ++i) s.run(0x1000, {store(kX + i, 1)});
  const uint64_t by_bytes = s.engine().stats().cells;
  for (int round = 0; round < 100; ++round) s.run(0x2000, {load(kX, 8), store(kX, 16)});
  for (uint64_t i = 16; i < 64; i += 16) s.run(0x3000, {store(kX + i, 16)});
  for (int round = 0; round < 100; ++round) s.run(0x4000, {load(kX + 16, 8)});
  CHECK(by_bytes == 64);
  CHECK(s.engine().stats().cells == 8);
  CHECK(s.rows() == Rows{"RAW o in 1000: 1000 -> 2000 x1", "WAW o in 1000: 1000 -> 2004 x1",
                         "WAW o in 1000: 1000 -> 3000 x3", "RAW o in 1000: 2004 -> 2000 x99",
                         "WAR o in 1000: 2000 -> 2004 x100", "WAW o in 1000: 2004 -> 2004 x99",
                         "RAW o in 1000: 3000 -> 4000 x100"});
}

TEST_CASE("a large block that nobody touched costs nothing", "[depend]") {
  Stream s;
  s.keeping = false;
  for (int i = 0; i < 1000; ++i) {
    s.alloc(uint64_t{1} << 32, uint64_t{1} << 34);
    s.free(uint64_t{1} << 32, uint64_t{1} << 34);
  }
  CHECK(s.engine().stats().bytes < uint64_t{4} << 20);
}

TEST_CASE("a witness is right after its activation has been folded", "[depend]") {
  cdr::depend::Options o;
  o.sweep_nodes = 1;
  Stream s(o);
  s.run(0x1000, {nothing()});
  s.call(0x1010);
  s.flags(cdr::kBlockFunctionEntry).run(0x2000, {store(kX), store(kX + 8)});
  s.ret(0x2080);
  for (int i = 0; i < 50; ++i) {
    s.call(0x1020);
    s.flags(cdr::kBlockFunctionEntry).run(0x3000, {nothing(), load(kX + 16)});
    s.ret(0x3080);
  }
  s.run(0x1030, {load(kX + 8)});
  CHECK(s.engine().stats().sweeps > 5);
  const cdr::depend::Key key{{{}, 0x1000},
                             false,
                             {{{}, 0x1010}, cdr::depend::EndpointCode::kCall},
                             {{{}, 0x1030}, cdr::depend::EndpointCode::kOwn},
                             cdr::depend::LocationClass::kOther,
                             cdr::depend::Kind::kRaw,
                             cdr::ThreadId(1),
                             cdr::ThreadId(1)};
  const cdr::depend::Row* row = s.engine().results().find(key);
  REQUIRE(row != nullptr);
  // Calls and returns are blocks of their own here. Of the folded source only its call is known.
  CHECK(row->witness == cdr::depend::Witness{{}, {{}, 0x1030}, kX + 8, 8, 1 + 3 + 50 * 3 + 1});
}
