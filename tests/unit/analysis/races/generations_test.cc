// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/generations.h"

#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::races;

namespace {

class Memory {
 public:
  void alloc(uint64_t addr, uint64_t size) { heap(EventKind::kAlloc, addr, size, 0); }
  void free(uint64_t addr, uint64_t size) { heap(EventKind::kFree, addr, size, 0); }
  void resize(uint64_t addr, uint64_t from, uint64_t to) { heap(EventKind::kResize, addr, from, to); }
  void map(uint64_t begin, uint64_t end, uint64_t flags = 0) { mapping(EventKind::kMap, begin, end, flags); }
  void unmap(uint64_t begin, uint64_t end) { mapping(EventKind::kUnmap, begin, end, 0); }
  void start(uint32_t thread, uint64_t begin, uint64_t end, uint64_t pthread) {
    Event e;
    e.kind = EventKind::kThreadStart;
    e.thread = ThreadId(thread);
    e.range = {begin, end};
    e.value = pthread;
    g.event(e, ++index_);
  }
  GenerationId at(uint64_t addr) const { return g.at(addr).id; }
  Generation life(uint64_t addr) const { return g[at(addr)]; }

  Generations g;

 private:
  void heap(EventKind kind, uint64_t addr, uint64_t size, uint64_t value) {
    Event e;
    e.kind = kind;
    e.thread = ThreadId(1);
    e.addr = addr;
    e.size = size;
    e.value = value;
    g.event(e, ++index_);
  }
  void mapping(EventKind kind, uint64_t begin, uint64_t end, uint64_t flags) {
    Event e;
    e.kind = kind;
    e.thread = ThreadId(1);
    e.range = {begin, end};
    e.value = flags;
    g.event(e, ++index_);
  }
  uint64_t index_ = 0;
};

}  // namespace

TEST_CASE("a freed block stays what it was until its memory is given out again") {
  Memory m;
  m.map(0x1000, 0x3000);
  m.alloc(0x1100, 64);
  const GenerationId first = m.at(0x1120);
  CHECK(m.life(0x1120).kind == MemoryKind::kHeap);
  m.free(0x1100, 64);
  CHECK(m.at(0x1120) == first);
  CHECK(m.life(0x1120).over);
  m.alloc(0x1110, 16);
  CHECK(m.at(0x1110) != first);
  CHECK(m.at(0x1100) == first);
  CHECK(m.at(0x1120) == first);
  CHECK(m.life(0x1140).kind == MemoryKind::kMapping);
}

TEST_CASE("a block of 0 bytes has a generation, and realloc in place begins one") {
  Memory m;
  m.alloc(0x2000, 0);
  CHECK(m.life(0x2000).kind == MemoryKind::kHeap);
  CHECK(m.at(0x2001) == 0);
  m.alloc(0x3000, 16);
  const GenerationId before = m.at(0x3000);
  m.resize(0x3000, 16, 32);
  CHECK(m.at(0x3000) != before);
  CHECK(m.life(0x3010).range.end == 0x3020);
  CHECK(m.g.block(0x3000) == m.at(0x3000));
}

TEST_CASE("what a block has lost by becoming smaller is as if it were freed") {
  Memory m;
  m.alloc(0x1000, 256);
  m.resize(0x1000, 256, 64);
  CHECK_FALSE(m.life(0x1000).over);
  CHECK(m.life(0x1080).kind == MemoryKind::kHeap);
  CHECK(m.life(0x1080).over);
}

TEST_CASE("a mapping in the middle of another makes three pieces, an unmapping none") {
  Memory m;
  m.map(0x10000, 0x20000);
  const GenerationId outer = m.at(0x10000);
  m.map(0x14000, 0x15000);
  CHECK(m.at(0x13fff) == outer);
  CHECK(m.at(0x14000) != outer);
  CHECK(m.at(0x15000) == outer);
  m.unmap(0x12000, 0x16000);
  CHECK(m.at(0x12000) == 0);
  CHECK(m.at(0x14800) == 0);
  CHECK(m.at(0x16000) == outer);
  CHECK(m.g.at(0x13000).range == AddrRange{0x12000, 0x16000});
}

TEST_CASE("the heap grows without a new life of what it was") {
  Memory m;
  m.map(0x40000, 0x41000, kMapHeap);
  const GenerationId old = m.at(0x40000);
  m.map(0x40000, 0x60000, kMapHeap);
  CHECK(m.at(0x40000) == old);
  CHECK(m.at(0x50000) != old);
  CHECK(m.at(0x50000) != 0);
}

TEST_CASE("a thread's stack begins a life that reaches to the end of its mapping") {
  Memory m;
  m.map(0x700000, 0x800000);
  m.start(2, 0x701000, 0x7ff000, 0x7ff6c0);
  CHECK(m.life(0x7ff700).kind == MemoryKind::kStack);
  CHECK(m.life(0x7ff700).pthread == 0x7ff6c0);
  const GenerationId first = m.at(0x750000);
  m.start(3, 0x701000, 0x7ff000, 0x7ff6c0);
  CHECK(m.at(0x750000) != first);
  CHECK(m.life(0x750000).thread == ThreadId(3));
}

TEST_CASE("what was found holds until something is told of its place") {
  Memory m;
  RecentGenerations recent(m.g);
  uint64_t state = 1;
  const auto drawn = [&](uint64_t below) {
    return ((state = state * 6364136223846793005 + 1442695040888963407) >> 33) % below;
  };
  for (int i = 0; i < 20'000; ++i) {
    const uint64_t at = 0x1000 + drawn(0x4000) / 16 * 16, size = 16 + drawn(200);
    const uint64_t what = drawn(8);
    if (what == 0) m.alloc(at, size);
    if (what == 1) m.free(at, size);
    if (what == 2 && drawn(8) == 0) m.map(at, at + 0x1800);
    if (what == 3 && drawn(4) == 0) m.unmap(at, at + size);
    for (uint64_t asked = drawn(40); asked > 0; --asked) {
      const uint64_t addr = 0x800 + drawn(0x6000);
      REQUIRE(recent.at(addr) == m.at(addr));
      REQUIRE(recent.found(addr).range.contains(addr));
    }
  }
}
