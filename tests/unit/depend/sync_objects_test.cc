// SPDX-License-Identifier: GPL-2.0-or-later
// What an operation does to its own object takes no part in dependences.
#include <catch2/catch.hpp>

#include "tests/unit/depend/stream_builder.h"

using namespace depend_test;
using cdr::SyncOp;

namespace {
constexpr uint64_t kMutex = 0x100000, kBehind = kMutex + 40, kX = 0x200000;
}

TEST_CASE("the words of a lock make no dependences, what is done under it does", "[depend]") {
  Stream s;
  s.sync_enter(SyncOp::kMutexLock, kMutex).run(0x1000, {load(kMutex, 4), store(kMutex, 4)});
  s.sync_leave(SyncOp::kMutexLock, kMutex);
  s.run(0x2000, {store(kX), load(kX)});
  s.sync_enter(SyncOp::kMutexUnlock, kMutex).run(0x3000, {load(kMutex, 4), store(kMutex + 39, 1)});
  s.syscall(0x3010, {{kMutex, 4, false}});
  s.sync_leave(SyncOp::kMutexUnlock, kMutex);
  CHECK(s.rows() == Rows{"RAW o in 1000: 2000 -> 2004 x1"});
}

TEST_CASE("bytes beside the object, and the object outside operations, are as all others", "[depend]") {
  Stream s;
  s.run(0x1000, {store(kMutex, 8)});
  s.sync_enter(SyncOp::kMutexLock, kMutex).run(0x2000, {store(kMutex, 8), store(kBehind, 8), load(kBehind, 8)});
  s.sync_leave(SyncOp::kMutexLock, kMutex);
  s.run(0x3000, {load(kMutex, 8)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 2004 -> 2008 x1", "RAW o in 1000: 1000 -> 3000 x1"});
}

TEST_CASE("a wait has its mutex, too, and only its own thread is meant", "[depend]") {
  Stream s;
  s.run(0x800, {nothing()}).create(2);
  s.sync_enter(SyncOp::kCondWait, kX, kMutex).run(0x1000, {store(kX + 47, 1), store(kMutex, 4), load(kMutex, 4)});
  s.start(2, 2, {0x900000, 0x908000}, 0x907000).run(0x2000, {store(kMutex, 4)});
  s.turn(1).run(0x3000, {load(kMutex, 4)});
  s.sync_leave(SyncOp::kCondWait, kX, kMutex).run(0x4000, {load(kMutex, 4)});
  CHECK(s.rows() == Rows{"RAW o in 800: 800c -> 4000 x1 2>1"});
}

TEST_CASE("operations nest", "[depend]") {
  Stream s;
  s.sync_enter(SyncOp::kOnce, kX).sync_enter(SyncOp::kMutexLock, kMutex);
  s.run(0x1000, {store(kX, 4), load(kX, 4), store(kMutex, 4), load(kMutex, 4)});
  s.sync_leave(SyncOp::kMutexLock, kMutex).run(0x2000, {store(kMutex, 4), load(kX, 4), load(kMutex, 4)});
  CHECK(s.rows() == Rows{"RAW o in 1000: 2000 -> 2008 x1"});
}
