// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/dataflow_codec.h"

#include "cdrgrind/base/dataflow_builder.h"
#include "tests/unit/properties.h"
#include "tests/unit/trace/random_trace.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;

namespace {

using Set = DataflowBuilder::Set;

// Some bytes of some registers, some loads.
Set random_set(DataflowBuilder& b, const Superblock& sb) {
  Set s = DataflowBuilder::kEmpty;
  for (uint32_t n = below(4); n > 0; --n) {
    const GuestRegister& r = guest_register(below(kGuestRegisterCount));
    const uint32_t from = below(r.size);
    s = b.unite(s, b.read(r.offset + from, below(2) ? 1 + below(r.size - from) : r.size - from));
  }
  for (uint16_t a = 0; a < sb.accesses.size(); ++a)
    if (!sb.accesses[a].store() && below(2)) s = b.unite(s, b.load(a));
  return below(5) ? s : b.weaken(s);
}

FlowParts random_flow(const Superblock& sb) {
  DataflowBuilder b;
  for (uint16_t w = sb.exits.back().words; w > 0; --w) b.slot(random_set(b, sb));
  for (const Access& a : sb.accesses) b.access(a.store() ? random_set(b, sb) : 0, a.guarded() ? random_set(b, sb) : 0);
  for (size_t e = 0; e < sb.exits.size(); ++e) {
    for (uint32_t n = below(4); n > 0; --n) {
      const GuestRegister& r = guest_register(below(kGuestRegisterCount));
      b.write(r.offset, 1 + below(r.size), random_set(b, sb));
    }
    b.exit(e + 1 < sb.exits.size() || sb.exits[e].target == 0 ? random_set(b, sb) : 0);
  }
  return FlowParts(b.finish());
}

DataflowTable random_flows(const BlockTable& blocks) {
  DataflowTable flows;
  for (uint32_t id = 1; id <= blocks.superblock_count(); ++id)
    flows.add(random_flow(blocks.superblock(SuperblockId(id))).view());
  return flows;
}

bool same(const DataflowTable& a, const DataflowTable& b) {
  for (uint32_t id = 1; id <= a.size(); ++id)
    if (!b.has(SuperblockId(id)) || !(FlowParts(a[SuperblockId(id)]) == FlowParts(b[SuperblockId(id)]))) return false;
  return a.size() == b.size();
}

}  // namespace

TEST_CASE("summaries come back whole or in pieces") {
  rc::prop("decode(encode(flows)) == flows", [] {
    const Tables t = random_trace(1).tables;
    const DataflowTable flows = random_flows(t.blocks);
    DataflowTable back;
    const uint32_t cut = below(flows.size() + 1);
    for (const TableRange r : {TableRange{0, cut}, TableRange{cut, flows.size()}}) {
      ByteWriter w;
      encode_dataflow(flows, t.blocks, r, w);
      const char* wrong = decode_dataflow(w.bytes(), t.blocks, back);
      RC_ASSERT(wrong == nullptr);
    }
    RC_ASSERT(same(flows, back));
  });
}

// What cannot be followed must not come out: the readers do not look again.
TEST_CASE("changed summaries are refused, or every set, register and load in them exists") {
  rc::prop("hostile bytes", [] {
    const Tables t = random_trace(1).tables;
    ByteWriter w;
    encode_dataflow(random_flows(t.blocks), t.blocks, {0, t.blocks.superblock_count()}, w);
    std::vector<uint8_t> bytes(w.bytes().begin(), w.bytes().end());
    for (uint32_t n = 1 + below(3); n > 0; --n)
      bytes[below(static_cast<uint32_t>(bytes.size()))] = static_cast<uint8_t>(below(256));
    if (below(4) == 0) bytes.resize(below(static_cast<uint32_t>(bytes.size())));
    DataflowTable flows;
    decode_dataflow(bytes, t.blocks, flows);
    for (uint32_t id = 1; id <= flows.size(); ++id) {
      const Superblock& sb = t.blocks.superblock(SuperblockId(id));
      const Dataflow& d = flows[SuperblockId(id)];
      RC_ASSERT(d.slots.size() == sb.exits.back().words);
      RC_ASSERT(d.accesses.size() == sb.accesses.size() && d.exits.size() == sb.exits.size());
      for (const FlowInput& i : d.inputs) {
        if (i.is_load()) {
          RC_ASSERT(i.first < sb.accesses.size() && !sb.accesses[i.first].store());
        } else {
          RC_ASSERT(register_of(i.first) < kGuestRegisterCount);
          RC_ASSERT(register_of(i.first) == register_of(i.piece().end() - 1));
        }
      }
      const auto known = [&](uint32_t set) { return set < d.set_count(); };
      for (const uint16_t s : d.slots) RC_ASSERT(known(s));
      for (const AccessFlow& a : d.accesses) RC_ASSERT(known(a.value) && known(a.guard));
      for (const StateWrite& x : d.writes) RC_ASSERT(known(x.set));
      for (const ExitFlow& e : d.exits) RC_ASSERT(known(e.condition) && e.writes <= d.writes.size());
    }
  });
}

TEST_CASE("lengths that are not there are refused before memory is taken") {
  const Tables t = small_program().tables();
  const auto verdict = [&](std::initializer_list<uint64_t> numbers) {
    ByteWriter w;
    for (const uint64_t n : numbers) w.varint(n);
    DataflowTable flows;
    const char* wrong = decode_dataflow(w.bytes(), t.blocks, flows);
    return std::string(wrong ? wrong : "");
  };
  CHECK(verdict({0, 0, 0, 0, 0}).empty());
  CHECK(verdict({1, 1}) == "summaries are missing before it");
  CHECK(verdict({0, 1 << 20}) == "it summarises an unknown superblock");
  CHECK(verdict({0, 1, uint64_t{1} << 40}) == "a column is longer than the frame");
  CHECK(verdict({0, 0, 0, 0, 0, 0}) == "bytes are left behind the last summary");
}
