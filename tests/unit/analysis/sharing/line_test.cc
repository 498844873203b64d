// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sharing/line.h"

#include <map>

#include "tests/unit/catch.h"

namespace cdr::sharing {
namespace {

struct OneLine {
  Line line{64};
  std::map<uint32_t, uint32_t> got;  // bytes by site of the store, of the last access

  PieceEffect access(uint32_t thread, uint32_t offset, uint32_t width, bool store, uint32_t site = 0) {
    got.clear();
    return line.access({ThreadId(thread), offset, width, store, site, 1},
                       [&](uint32_t from, uint32_t bytes) { got[from] += bytes; });
  }
  PieceEffect load(uint32_t thread, uint32_t offset, uint32_t width) { return access(thread, offset, width, false); }
  PieceEffect store(uint32_t thread, uint32_t offset, uint32_t width, uint32_t site = 0) {
    return access(thread, offset, width, true, site);
  }
};

TEST_CASE("a load gets the bytes that another thread stored, once") {
  OneLine l;
  l.store(1, 0, 8, 7);
  const PieceEffect e = l.load(2, 0, 8);
  CHECK(e.from == ThreadId(1));
  CHECK(l.got == std::map<uint32_t, uint32_t>{{7, 8}});
  CHECK_FALSE(l.load(2, 0, 8).from);
  CHECK(l.got.empty());
}

TEST_CASE("bytes that a thread stored itself are passed on by nobody") {
  OneLine l;
  l.store(1, 0, 8, 7);
  l.store(2, 0, 4, 8);
  CHECK(l.load(2, 0, 8).from == ThreadId(1));
  CHECK(l.got == std::map<uint32_t, uint32_t>{{7, 4}});
  CHECK(l.load(1, 2, 1).from == ThreadId(2));
  CHECK(l.got == std::map<uint32_t, uint32_t>{{8, 1}});
}

TEST_CASE("threads that touch different bytes of a line miss for nothing") {
  OneLine l;
  for (int i = 0; i < 10; ++i) {
    l.store(1, 0, 8);
    l.store(2, 8, 8);
  }
  CHECK(l.line.misses() == 18);
  CHECK(l.line.false_misses() == 18);
  CHECK(l.line.upgrades() == 0);
  CHECK(l.line.updates() == 19);
}

TEST_CASE("a miss is of use if what others stored is touched before the next one") {
  OneLine l;
  l.load(2, 0, 8);
  l.store(1, 0, 8);
  l.load(2, 8, 8);  // misses, and touches nothing new
  CHECK(l.line.false_misses() == 1);
  l.load(2, 4, 4);  // now it does
  CHECK(l.line.misses() == 1);
  CHECK(l.line.false_misses() == 0);
  l.store(1, 16, 8);
  l.load(2, 0, 8);
  CHECK(l.line.misses() == 2);
  CHECK(l.line.false_misses() == 1);
}

TEST_CASE("a store by who has the line while others have it, too, tells them") {
  OneLine l;
  l.load(1, 0, 8);
  l.load(2, 0, 8);
  l.store(1, 0, 8);
  CHECK(l.line.upgrades() == 1);
  l.store(1, 0, 8);
  CHECK(l.line.upgrades() == 1);
  CHECK(l.line.updates() == 2);
}

TEST_CASE("a write run ends with another thread's access to the bytes") {
  OneLine l;
  CHECK(l.store(1, 0, 8).begins_run);
  const PieceEffect second = l.store(1, 0, 8);
  CHECK_FALSE(second.begins_run);
  CHECK(second.repeats);
  CHECK_FALSE(second.read_between);
  l.load(2, 8, 8);
  CHECK_FALSE(l.store(1, 0, 8).begins_run);
  l.load(2, 0, 1);
  const PieceEffect after = l.store(1, 0, 8);
  CHECK(after.begins_run);
  CHECK(after.read_between);
}

TEST_CASE("memory that is given out again passes nothing on") {
  OneLine l;
  l.store(1, 0, 16, 7);
  l.line.forget(0, 8);
  CHECK_FALSE(l.load(2, 0, 8).from);
  CHECK(l.load(2, 8, 8).from == ThreadId(1));
}

TEST_CASE("more than 64 threads are told apart") {
  OneLine l;
  l.store(1, 0, 8, 7);
  for (uint32_t t = 2; t <= 100; ++t) CHECK(l.load(t, 0, 8).from == ThreadId(1));
  for (uint32_t t = 2; t <= 100; ++t) CHECK_FALSE(l.load(t, 0, 1).from);
  CHECK(l.store(90, 0, 8, 8).from == ThreadId());
  CHECK(l.load(89, 0, 8).from == ThreadId(90));
  CHECK_FALSE(l.load(90, 0, 8).from);
}

}  // namespace
}  // namespace cdr::sharing
