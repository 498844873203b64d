// SPDX-License-Identifier: GPL-2.0-or-later
// The open calls of random programs, with signals on other stacks: they are what the events say, one after the other.
#include "cdrgrind/analysis/events/call_stacks.h"

#include <map>

#include "tests/unit/catch.h"
#include "tests/unit/trace/naive_thread.h"
#include "tests/unit/trace/walking_program.h"

using namespace cdr;
using namespace cdr::analysis;
using namespace cdr::test;

namespace {

std::vector<uint64_t> addresses(const std::vector<CodeAddr>& sites) {
  std::vector<uint64_t> out;
  for (const CodeAddr& c : sites) out.push_back(c.addr);
  return out;
}

// Innermost first.
std::vector<uint64_t> addresses(const std::vector<NaiveFrame>& frames) {
  std::vector<uint64_t> out;
  for (auto f = frames.rbegin(); f != frames.rend(); ++f)
    if (f->ip != 0) out.push_back(f->ip);
  return out;
}

}  // namespace

TEST_CASE("the calls of a stack, with those below a handler on another one", "[races]") {
  size_t handlers = 0;
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const WalkingProgram p = walking_program(seed, 600);
    const std::vector<bool> none;
    CallStacks stacks(p.tables.blocks, none, none);
    std::map<uint32_t, NaiveThread> threads;
    for (const OwnedEvent& owned : p.events) {
      const Event& e = owned.event;
      NaiveThread& naive = threads[e.thread.value];
      naive.apply(e, p.tables.blocks);
      if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial)
        stacks.block(e.thread, e.block);
      else
        stacks.event(e);
      const auto want = naive.shown();
      handlers += want.size() != naive.frames().size();
      REQUIRE(addresses(stacks.sites(e.thread, CodeAddr())) == addresses(want));
    }
  }
  CHECK(handlers > 100);
}

TEST_CASE("other bounds of a stack, and then a signal, are no handler on another one", "[races]") {
  const WalkingProgram p;
  const std::vector<bool> none;
  CallStacks stacks(p.tables.blocks, none, none);
  const auto tell = [&](EventKind kind, uint32_t stack, uint64_t ip) {
    Event e;
    e.kind = kind;
    e.thread = ThreadId(1);
    e.stack = StackId(stack);
    e.ip = ip;
    e.sp = 0x1000;
    stacks.event(e);
    return addresses(stacks.sites(ThreadId(1), CodeAddr()));
  };
  using Sites = std::vector<uint64_t>;
  tell(EventKind::kThreadStart, 1, 0);
  tell(EventKind::kCall, 0, 10);
  tell(EventKind::kStackSwitch, 1, 0);
  CHECK(tell(EventKind::kSignalEnter, 0, 20) == Sites{20, 10});
  CHECK(tell(EventKind::kSignalLeave, 0, 0) == Sites{10});
  tell(EventKind::kStackSwitch, 2, 0);
  CHECK(tell(EventKind::kSignalEnter, 0, 30) == Sites{30, 10});
  CHECK(tell(EventKind::kStackSwitch, 1, 0) == Sites{10});
  CHECK(tell(EventKind::kStackSwitch, 2, 0) == Sites{30});
}
