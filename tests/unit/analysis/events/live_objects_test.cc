// SPDX-License-Identifier: GPL-2.0-or-later
// What lives at an address at each point of a stream.
#include "cdrgrind/analysis/events/live_objects.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::analysis;

namespace {

// Answers with the number of the question, and keeps it as text.
class Questions final : public ObjectNumbers {
 public:
  uint32_t in_block(uint32_t, const AllocatingCalls& calls, uint64_t size, uint64_t offset) override {
    std::string by;
    for (const CodeAddr c : calls.calls) by += fmt::format(" {}", c.addr);
    return ask(fmt::format("{} of {} by{}", offset, size, by));
  }
  uint32_t in_frame(const FramePlace& p) override { return ask(fmt::format("at {}: {}", p.at.addr, p.from_base)); }
  uint32_t elsewhere(uint64_t addr, uint64_t pthread, CodeAddr by) override {
    return ask(fmt::format("{:#x} of {:#x} at {}", addr, pthread, by.addr));
  }
  std::vector<std::string> asked;

 private:
  uint32_t ask(const std::string& what) {
    asked.push_back(what);
    return static_cast<uint32_t>(asked.size());
  }
};

class Run {
 public:
  Run() : objects_(modules_, blocks_, libraries_, numbers_) { start(1, 0, {0x70000, 0x80000}, 0); }

  void start(uint32_t t, uint32_t creator, AddrRange stack, uint64_t pthread) {
    Event e = make(EventKind::kThreadStart, t);
    e.stack = StackId(t);
    e.range = stack;
    e.child = ThreadId(creator);
    e.value = pthread;
    objects_.event(e);
  }
  void end(uint32_t t) { objects_.event(make(EventKind::kThreadEnd, t)); }
  void call(uint32_t t, uint64_t ip, uint64_t base) {
    Event e = make(EventKind::kCall, t);
    e.ip = ip;
    e.sp = base - 8;
    objects_.event(e);
  }
  void leave(uint32_t t) { objects_.event(make(EventKind::kReturn, t)); }
  void heap(EventKind kind, uint64_t addr, uint64_t size, uint64_t to = 0) {
    Event e = make(kind, 1);
    e.addr = addr;
    e.size = size;
    e.value = to;
    objects_.event(e);
  }
  void switch_to(uint32_t t, uint32_t stack, AddrRange range) {
    Event e = make(EventKind::kStackSwitch, t);
    e.stack = StackId(stack);
    e.range = range;
    objects_.event(e);
  }
  void unmap(AddrRange range) {
    Event e = make(EventKind::kUnmap, 1);
    e.range = range;
    objects_.event(e);
  }
  // Asks for a byte that instruction 99 of the thread accesses.
  std::string at(uint64_t addr, uint32_t t = 1) {
    return numbers_.asked[objects_.at(addr, ThreadId(t), {ModuleId(), 99}, recent_) - 1];
  }
  size_t questions() const { return numbers_.asked.size(); }

 private:
  static Event make(EventKind kind, uint32_t t) {
    Event e;
    e.kind = kind;
    e.thread = ThreadId(t);
    return e;
  }

  const ModuleTable modules_;
  const BlockTable blocks_;
  const std::vector<bool> libraries_ = std::vector<bool>(1);
  Questions numbers_;
  LiveObjects objects_;
  LiveObjects::Recent recent_;
};

}  // namespace

TEST_CASE("blocks of the heap are their allocations, as long as they live") {
  Run r;
  r.call(1, 10, 0x7f000);
  r.heap(EventKind::kAlloc, 0x1000, 32);
  CHECK(r.at(0x1008) == "8 of 32 by 10");
  CHECK(r.at(0x1020) == "0x1020 of 0x0 at 99");
  r.heap(EventKind::kResize, 0x1000, 32, 64);
  CHECK(r.at(0x1020) == "32 of 64 by 10");
  r.heap(EventKind::kFree, 0x1000, 64);
  CHECK(r.at(0x1008) == "0x1008 of 0x0 at 99");
  r.call(1, 20, 0x7e000);
  r.heap(EventKind::kAlloc, 0x1000, 16);
  CHECK(r.at(0x1008) == "8 of 16 by 20 10");
}

TEST_CASE("places in frames are the innermost call's that has them, where it stands") {
  Run r;
  r.call(1, 10, 0x7f000);
  r.call(1, 20, 0x7e000);
  CHECK(r.at(0x7dff0) == "at 99: -16");
  CHECK(r.at(0x7e000) == "at 20: -4096");
  CHECK(r.at(0x7eff8) == "at 20: -8");
  // Above the first call is what no call has.
  CHECK(r.at(0x7f000) == "0x7f000 of 0x0 at 99");
  r.leave(1);
  CHECK(r.at(0x7dff0) == fmt::format("at 99: {}", 0x7dff0 - 0x7f000));
  // What was met last is not asked for again.
  const size_t before = r.questions();
  r.at(0x7dff0);
  CHECK(r.questions() == before);
}

TEST_CASE("places on other threads' stacks are theirs, and nobody knows where they stand") {
  Run r;
  r.call(1, 10, 0x7f000);
  r.call(1, 20, 0x7e000);
  r.start(2, 1, {0x60000, 0x70000}, 0x6fff0);
  r.call(2, 30, 0x6f000);
  CHECK(r.at(0x6eff8, 2) == "at 99: -8");
  CHECK(r.at(0x7eff8, 2) == "at 20: -8");
  CHECK(r.at(0x7dff8, 2) == "at 0: -8");
  CHECK(r.at(0x6eff8, 1) == "at 0: -8");
  CHECK(r.at(0x50000, 2) == "0x50000 of 0x6fff0 at 99");
  r.end(2);
  CHECK(r.at(0x6eff8, 1) == "0x6eff8 of 0x0 at 99");
}

TEST_CASE("places on stacks that a thread has left are those of the calls that are open there") {
  Run r;
  r.call(1, 10, 0x7f000);
  r.call(1, 20, 0x7e000);
  r.switch_to(1, 5, {0x20000, 0x30000});
  r.call(1, 30, 0x2f000);
  CHECK(r.at(0x2eff8) == "at 99: -8");
  CHECK(r.at(0x7eff8) == "at 20: -8");
  r.switch_to(1, 1, {0x70000, 0x80000});
  CHECK(r.at(0x2eff8) == "at 0: -8");
  CHECK(r.at(0x7dff8) == "at 99: -8");
  // Memory that is given back is no stack any more.
  r.unmap({0x28000, 0x40000});
  CHECK(r.at(0x2eff8) == "0x2eff8 of 0x0 at 99");
  CHECK(r.at(0x7dff8) == "at 99: -8");
}
