// SPDX-License-Identifier: GPL-2.0-or-later
// Which stack it is that SP points into: of its own memory, or one of many in a mapping.
#include "cdrgrind/drain/stacks.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::drain;

namespace {

constexpr AddrRange kMapping{0x100000, 0x500000};
constexpr ThreadId kOne(1), kTwo(2);

// What settling does when a thread leaves one stack for another.
struct Program {
  Stacks stacks;
  Regions regions;
  Stack* now = nullptr;

  Program() {
    regions.map(kMapping, 0);
    now = &stacks.add({0x900000, 0xa00000}, Bounds::kTold);
    now->user = kOne;
  }
  Stack& load_sp(uint64_t from, uint64_t sp, ThreadId thread = kOne) {
    if (now->bounds() == Bounds::kSeen && stacks.stays(*now, from, sp)) return *now;
    Stack* to = stacks.resumed_at(sp, thread, false);
    if (!to) to = &stacks.add_at(sp, regions.around(sp));
    now->left_sp = from;
    now->user = ThreadId();
    now = to;
    now->user = thread;
    if (now->bounds() == Bounds::kSeen) stacks.widen(*now, sp);
    return *now;
  }
};

}  // namespace

TEST_CASE("a stack that begins near the end of a mapping is all of it") {
  Program p;
  const Stack& s = p.load_sp(0x9ff000, 0x4ffff0);
  CHECK(s.bounds() == Bounds::kWhole);
  CHECK(s.range == kMapping);
  CHECK(s.holds(0x100100));
}

TEST_CASE("stacks side by side in a mapping are told apart") {
  Program p;
  Stack& first = p.load_sp(0x9ff000, 0x202fc8);
  CHECK(first.bounds() == Bounds::kSeen);
  CHECK(first.range == AddrRange{0x202800, 0x203000});
  CHECK(&p.load_sp(0x202e00, 0x9ff000) == p.stacks.begin()->get());
  Stack& below = p.load_sp(0x9ff000, 0x2027c8);
  CHECK(&below != &first);
  CHECK(below.range == AddrRange{0x202000, 0x202800});
  Stack& above = p.load_sp(0x202700, 0x2037c8);
  CHECK(&above != &below);
  CHECK(&above != &first);
  // Each goes on where it was left, or a bit above; what is far below is another one.
  CHECK(&p.load_sp(0x203700, 0x202e08) == &first);
  CHECK(&p.load_sp(0x202e08, 0x202700) == &below);
  CHECK(&p.load_sp(0x202700, 0x203710) == &above);
}

TEST_CASE("a mapping that was taken for one stack turns out to hold two") {
  Program p;
  Stack& first = p.load_sp(0x9ff000, 0x4ffff0);
  p.load_sp(0x4ffe00, 0x9ff000);
  Stack& second = p.load_sp(0x9ff000, 0x4f7ff0);
  CHECK(&second != &first);
  CHECK(second.range == AddrRange{0x4f7800, 0x4f8000});
  CHECK(first.range == AddrRange{0x4ff800, 0x500000});
  CHECK(&p.load_sp(0x4f7f00, 0x4ffe08) == &first);
}

TEST_CASE("two threads are never on one stack") {
  Program p;
  Stack& first = p.load_sp(0x9ff000, 0x4ffff0);
  CHECK(p.stacks.resumed_at(0x4fff00, kOne, false) == &first);
  CHECK(p.stacks.resumed_at(0x4fff00, kTwo, false) == nullptr);
  CHECK(first.bounds() == Bounds::kSeen);
}

TEST_CASE("what alloca takes, and unwinding, stay on the stack") {
  Program p;
  Stack& s = p.load_sp(0x9ff000, 0x202fc8);
  CHECK(&p.load_sp(0x202f00, 0x202100) == &s);
  CHECK(p.stacks.widen(s, 0x202100));
  CHECK(s.range == AddrRange{0x202000, 0x203000});
  CHECK_FALSE(p.stacks.widen(s, 0x202ff0));
  CHECK(&p.load_sp(0x202100, 0x202fb0) == &s);
  CHECK_FALSE(p.stacks.stays(s, 0x202100, 0x1f0000));
  CHECK_FALSE(p.stacks.stays(s, 0x202100, 0x203008));
}

TEST_CASE("a heap block is a stack, and a later one at its place another") {
  Program p;
  p.regions.alloc(0x300000, 0x10000);
  const Stack& first = p.load_sp(0x9ff000, 0x30ff00);
  CHECK(first.bounds() == Bounds::kTold);
  CHECK(first.range == AddrRange{0x300000, 0x310000});
  p.load_sp(0x30fe00, 0x9ff000);
  p.stacks.retire(AddrRange{0x300000, 0x310000});
  CHECK(&p.load_sp(0x9ff000, 0x30ff00) != &first);
}

TEST_CASE("threads whose stacks lie in a mapping with others have no more of it than they use") {
  Program p;
  const AddrRange told{kMapping.begin, 0x30e010};
  const Stack& alone = p.stacks.add_of_thread(0x30e000, told, p.regions.around(0x30e000));
  CHECK(alone.range == AddrRange{0x30d800, 0x30e010});
  Program q;
  const AddrRange all{kMapping.begin, 0x4ff010};
  CHECK(q.stacks.add_of_thread(0x4ff000, all, q.regions.around(0x4ff000)).range == all);
  CHECK(q.stacks.add_of_thread(0x4ef000, {kMapping.begin, 0x4ef010}, q.regions.around(0x4ef000)).bounds() ==
        Bounds::kSeen);
}
