// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/primitives.h"

#include <set>

#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::sync;

namespace {

struct Threads {
  std::set<uint32_t> all;
  void join(const Threads& other) { all.insert(other.all.begin(), other.all.end()); }
};

Threads of(uint32_t thread) { return {{thread}}; }
bool has(const Threads& threads, uint32_t thread) { return threads.all.count(thread) != 0; }

}  // namespace

TEST_CASE("a signal without a waiter is gone") {
  Condition<Threads> c;
  c.end_signal(c.begin_signal(of(1), false));
  CHECK_FALSE(c.end_wait(c.begin_wait()).has_value());
}

TEST_CASE("a signal wakes one waiter, a broadcast all, the earliest signal first") {
  Condition<Threads> c;
  const uint64_t a = c.begin_wait(), b = c.begin_wait(), d = c.begin_wait();
  c.end_signal(c.begin_signal(of(1), false));
  c.end_signal(c.begin_signal(of(2), true));
  CHECK(has(*c.end_wait(a), 1));
  CHECK(has(*c.end_wait(b), 2));
  CHECK(has(*c.end_wait(d), 2));
}

TEST_CASE("who begins to wait before a signal is left may get it, who begins later not") {
  Condition<Threads> c;
  const uint64_t signal = c.begin_signal(of(1), false);
  const uint64_t early = c.begin_wait();
  c.end_signal(signal);
  const uint64_t late = c.begin_wait();
  CHECK_FALSE(c.end_wait(late).has_value());
  CHECK(has(*c.end_wait(early), 1));
}

TEST_CASE("a waiter that gave up gets nothing and leaves the signal to others") {
  Condition<Threads> c;
  const uint64_t a = c.begin_wait(), b = c.begin_wait();
  c.end_signal(c.begin_signal(of(1), false));
  c.give_up(a);
  CHECK(has(*c.end_wait(b), 1));
}

TEST_CASE("tokens of a semaphore come in their order, the initial ones first and empty") {
  Semaphore<Threads> s(1);
  s.post(of(1));
  const uint64_t second = s.post(of(2));
  s.post(of(3));
  s.take_back(second);
  CHECK_FALSE(s.wait().has_value());
  CHECK(has(*s.wait(), 1));
  CHECK(has(*s.wait(), 3));
  CHECK_FALSE(s.wait().has_value());
}

TEST_CASE("a barrier joins those of a phase only") {
  Barrier<Threads> b(2);
  const uint64_t one = b.arrive(of(1)), two = b.arrive(of(2)), three = b.arrive(of(3));
  CHECK(one == two);
  CHECK(three != one);
  const Threads k = b.leave(one);
  CHECK(has(k, 1));
  CHECK(has(k, 2));
  CHECK_FALSE(has(k, 3));
  CHECK_FALSE(has(b.leave(two), 3));
}

TEST_CASE("who has a lock alone has taken it from all others") {
  Lock<Threads> l;
  CHECK(l.hold(ThreadId(1), true));
  CHECK(l.hold(ThreadId(2), true));
  CHECK_FALSE(l.hold(ThreadId(2), true));
  CHECK_FALSE(l.let_go(ThreadId(2)));
  CHECK(l.let_go(ThreadId(2)));
  CHECK_FALSE(l.let_go(ThreadId(2)));
  CHECK(l.hold(ThreadId(3), false));
  CHECK(l.holder(ThreadId(1)) == nullptr);
  CHECK(l.holders.size() == 1);
}
