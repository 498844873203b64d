// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/base/dataflow_builder.h"

#include <vector>

#include "tests/unit/catch.h"

using namespace cdr;

namespace {

using Inputs = std::vector<FlowInput>;

FlowInput state(uint16_t offset, uint16_t size) { return FlowInput::state({offset, size}); }
FlowInput load(uint16_t access) { return FlowInput::load(access); }

Inputs inputs_of(const Dataflow& d, uint32_t set) {
  const auto s = d.set(set).inputs;
  return {s.begin(), s.end()};
}

}  // namespace

TEST_CASE("bytes that nothing has written are inputs, pieces of one register are one") {
  DataflowBuilder b;
  b.slot(b.unite(b.read(kStateRax + 4, 4), b.unite(b.load(3), b.read(kStateRax, 4))));
  b.slot(b.unite(b.read(kStateRcx, 8), b.read(kStateRax, 8)));
  b.exit(DataflowBuilder::kEmpty);
  const Dataflow d = b.finish();
  CHECK(inputs_of(d, d.slots[0]) == Inputs{state(kStateRax, 8), load(3)});
  CHECK(inputs_of(d, d.slots[1]) == Inputs{state(kStateRax, 8), state(kStateRcx, 8)});
}

TEST_CASE("a part that was written hides what was there, the rest shines through") {
  DataflowBuilder b;
  b.write(kStateRax, 1, b.load(0));
  b.slot(b.read(kStateRax, 8));
  b.exit(DataflowBuilder::kEmpty);
  const Dataflow d = b.finish();
  CHECK(inputs_of(d, d.slots[0]) == Inputs{state(kStateRax + 1, 7), load(0)});
  REQUIRE(d.writes.size() == 1);
  CHECK(d.writes[0].piece == StatePiece{kStateRax, 1});
}

TEST_CASE("a copy stays byte by byte, and a value put back is no write") {
  DataflowBuilder b;
  std::vector<DataflowBuilder::Origin> rax(8), rbx(8);
  b.read(kStateRax, rax);
  b.read(kStateRbx, rbx);
  b.write(kStateRax, rbx);
  b.write(kStateRbx, rax);
  b.write(kStateRbx, rbx);
  b.slot(b.read(kStateRax, 2));
  b.exit(DataflowBuilder::kEmpty);
  const Dataflow d = b.finish();
  CHECK(inputs_of(d, d.slots[0]) == Inputs{state(kStateRbx, 2)});
  REQUIRE(d.writes.size() == 1);
  CHECK(d.writes[0].piece == StatePiece{kStateRax, 8});
  CHECK(inputs_of(d, d.writes[0].set) == Inputs{state(kStateRbx, 8)});
}

TEST_CASE("what an exit has told and a later instruction undoes is told again") {
  DataflowBuilder b;
  std::vector<DataflowBuilder::Origin> rax(8);
  b.read(kStateRax, rax);
  b.write(kStateRax, 8, b.load(0));
  b.exit(b.load(0));
  b.write(kStateRax, rax);
  b.exit(DataflowBuilder::kEmpty);
  const Dataflow d = b.finish();
  REQUIRE(d.exits.size() == 2);
  CHECK(d.exits[0].writes == 1);
  REQUIRE(d.exits[1].writes == 2);
  CHECK(inputs_of(d, d.writes[1].set) == Inputs{state(kStateRax, 8)});
}

TEST_CASE("weakness spreads, and a weak set is another than the same one that is not") {
  DataflowBuilder b;
  const auto weak = b.weaken(b.load(0));
  CHECK(weak != b.load(0));
  CHECK(b.weaken(weak) == weak);
  b.slot(b.unite(weak, b.read(kStateRax, 8)));
  b.slot(b.load(0));
  b.exit(b.weaken(DataflowBuilder::kEmpty));
  const Dataflow d = b.finish();
  CHECK(d.set(d.slots[0]).weak);
  CHECK_FALSE(d.set(d.slots[1]).weak);
  CHECK(d.set(d.exits[0].condition).weak);
  CHECK(inputs_of(d, d.exits[0].condition).empty());
}
