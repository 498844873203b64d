// SPDX-License-Identifier: GPL-2.0-or-later
// What is done for many executions of a block at once is what is done for one after the other.
#include "cdrgrind/analysis/regions/replay.h"

#include <tuple>

#include "cdrgrind/analysis/slice/code_bytes.h"
#include "cdrgrind/base/dataflow_builder.h"
#include "tests/unit/properties.h"
#include "tests/unit/trace/small_program.h"

namespace cdr::regions {
namespace {

// Of one function, from kEntry on:
//
//     entry; for (…) { before; for (…) inner; between; for (…) other; after }
//
// The inner loops are blocks that repeat themselves.
enum Part : uint32_t { kEntry = 1, kBefore, kInner, kInnerOut, kBetween, kOther, kOtherOut, kAfter, kAfterOut };

struct NoTargets final : slice::JumpTargets {
  std::span<const uint64_t> jump_targets(SuperblockId) const override { return {}; }
};
struct NoNames final : StaticData, LibraryNames {
  StaticPiece piece_at(uint64_t addr) override { return {{addr & ~63ul, (addr & ~63ul) + 64}, uint32_t(addr / 64)}; }
  AddrRange foreign_piece(uint64_t) override { return {}; }
  LibraryState state_of(CodeAddr) override { return LibraryState::kUnknown; }
  bool hands_on(CodeAddr, CodeAddr) override { return false; }
};

struct Nest {
  BlockTable blocks;
  DataflowTable flows;
  std::vector<uint32_t> words;  // by part

  // Jumps back to `again`, if that is not 0, and falls through.
  void add(uint64_t addr, const std::vector<Access>& accesses, uint64_t again) {
    test::SuperblockParts s = test::straight(addr, 8, ExitKind::kFallThrough, addr + 32);
    s.accesses = accesses;
    const auto count = static_cast<uint16_t>(accesses.size());
    s.exits[0].accesses = s.exits[0].words = count;
    if (again) {
      Exit back = s.exits[0];
      back.target = again;
      back.kind = ExitKind::kBranch;
      back.guard = ExitGuard::kCondition;
      s.exits.insert(s.exits.begin(), back);
    }
    const SuperblockId id = blocks.add_superblock(s.view());
    for (uint16_t e = 0; e < s.exits.size(); ++e) {
      blocks.add_block(id, e);
      words.push_back(count);
    }
    DataflowBuilder flow;
    for (uint16_t w = 0; w < count; ++w) flow.slot(flow.read(kStateRbx, 8));
    for (const Access& a : accesses)
      flow.access(a.store() ? flow.read(kStateRax, 8) : DataflowBuilder::kEmpty, DataflowBuilder::kEmpty);
    flow.write(kStateRax, 8, flow.read(kStateRax, 8));
    for (size_t e = 0; e < s.exits.size(); ++e) flow.exit(DataflowBuilder::kEmpty);
    flows.add(flow.finish());
  }
};

struct Execution {
  BlockId block;
  std::vector<uint64_t> words;
};

std::vector<Access> some_accesses() {
  std::vector<Access> accesses;
  const auto count = *rc::gen::inRange<uint16_t>(0, 5);
  for (uint16_t i = 0; i < count; ++i) {
    Access a;
    a.insn = static_cast<uint16_t>(i + *rc::gen::inRange<uint16_t>(0, 3));
    a.slot = static_cast<uint16_t>(i + 1);
    a.width = *rc::gen::element<uint16_t>(1, 4, 8, 8, 8, 16);
    a.flags = *rc::gen::element<uint8_t>(0, 0, kAccessStore);
    accesses.push_back(a);
  }
  std::sort(accesses.begin(), accesses.end(), [](const Access& x, const Access& y) { return x.insn < y.insn; });
  return accesses;
}

void execute(std::vector<Execution>& run, const Nest& nest, Part part, uint32_t times) {
  const uint32_t count = nest.words[part - 1];
  std::vector<uint64_t> at(count), step(count);
  for (uint32_t w = 0; w < count; ++w) {
    at[w] = 0x10000 + 8 * *rc::gen::inRange<uint64_t>(0, 24) + *rc::gen::element<uint64_t>(0, 0, 0, 4);
    step[w] = *rc::gen::element<uint64_t>(0, 4, 8, 8, 16, 64, ~uint64_t{7});
  }
  for (uint32_t i = 0; i < times; ++i) {
    run.push_back({BlockId(part), at});
    for (uint32_t w = 0; w < count; ++w) at[w] += step[w];
  }
}

Regions replayed(const Nest& nest, const std::vector<Execution>& run, bool at_once) {
  NoTargets targets;
  slice::NoCode code;
  NoNames names;
  CodeLoops loops(nest.blocks, targets, code);
  InsnTable insns(code);
  RegisterFlow registers(nest.blocks, nest.flows, insns);
  const std::vector<bool> library = {false, false};  // by module
  Replay replay(nest.blocks, library, loops, registers, nest.flows, names, names, {});
  Event start = test::event_of(EventKind::kThreadStart, 1);
  start.stack = StackId(1);
  start.range = {0x7f0000, test::kStackEnd};
  start.sp = test::kSp;
  replay.see(start);
  if (at_once) {
    std::vector<RunStep> steps;
    for (const Execution& e : run) {
      RunStep& s = steps.emplace_back();
      s.block = e.block;
      s.count = static_cast<uint32_t>(e.words.size());
      s.words = e.words.data();
    }
    replay.see(ThreadId(1), steps);
  } else {
    for (const Execution& e : run) {
      Event event = test::event_of(EventKind::kBlock, 1);
      event.block = e.block;
      event.words = e.words;
      replay.see(event);
    }
  }
  return replay.finish();
}

auto rows_of(const Regions& r) {
  std::vector<std::tuple<uint32_t, ContextIndex, Kind, SiteIndex, SiteIndex, Object, int64_t, int64_t, uint64_t,
                         uint64_t, std::array<uint64_t, Distances::kBuckets>, uint64_t, uint64_t, bool, bool, uint64_t>>
      rows;
  for (const CarriedRow& c : r.rows)
    rows.emplace_back(c.loop.value, c.context, c.kind, c.source, c.target, c.object, c.lowest, c.highest, c.widest,
                      c.count, c.distances.counts, c.distances.least, c.distances.greatest, c.read_own > 0,
                      c.read_before > 0, c.interval);
  std::sort(rows.begin(), rows.end());
  return rows;
}

auto escapes_of(const Regions& r) {
  std::vector<std::tuple<uint32_t, SiteIndex, bool, bool>> escapes;
  for (const Escape& e : r.escapes) escapes.emplace_back(e.loop.value, e.store, e.by_last > 0, e.by_others > 0);
  std::sort(escapes.begin(), escapes.end());
  return escapes;
}

auto entry_reads_of(const Regions& r) {
  std::vector<std::tuple<uint32_t, SiteIndex, Object, int64_t, int64_t>> reads;
  for (const EntryRead& e : r.entry_reads) reads.emplace_back(e.loop.value, e.load, e.object, e.lowest, e.highest);
  std::sort(reads.begin(), reads.end());
  return reads;
}

auto runs_of(const Regions& r) {
  std::vector<std::array<uint64_t, 6>> runs;
  for (const LoopRun& l : r.runs)
    runs.push_back({l.instances, l.with_iterations, l.iterations, l.instructions, l.longest_iteration, l.parallel});
  return runs;
}

TEST_CASE("blocks that repeat themselves are replayed at once as they are one after the other") {
  size_t rows = 0;
  const auto holds = [&] {
    Nest nest;
    constexpr uint64_t at = test::kText;
    nest.add(at, some_accesses(), 0);
    nest.add(at + 32, some_accesses(), 0);
    nest.add(at + 64, some_accesses(), at + 64);
    nest.add(at + 96, some_accesses(), 0);
    nest.add(at + 128, some_accesses(), at + 128);
    nest.add(at + 160, some_accesses(), at + 32);
    std::vector<Execution> run;
    execute(run, nest, kEntry, 1);
    const auto rounds = *rc::gen::inRange<uint32_t>(1, 5);
    for (uint32_t i = 0; i < rounds; ++i) {
      execute(run, nest, kBefore, 1);
      execute(run, nest, kInner, *rc::gen::inRange<uint32_t>(0, 30));
      execute(run, nest, kInnerOut, 1);
      execute(run, nest, kBetween, 1);
      execute(run, nest, kOther, *rc::gen::inRange<uint32_t>(0, 30));
      execute(run, nest, kOtherOut, 1);
      execute(run, nest, i + 1 < rounds ? kAfter : kAfterOut, 1);
    }
    const Regions once = replayed(nest, run, true), one_by_one = replayed(nest, run, false);
    RC_ASSERT(rows_of(once) == rows_of(one_by_one));
    RC_ASSERT(escapes_of(once) == escapes_of(one_by_one));
    RC_ASSERT(entry_reads_of(once) == entry_reads_of(one_by_one));
    RC_ASSERT(runs_of(once) == runs_of(one_by_one));
    RC_ASSERT(once.accesses == one_by_one.accesses);
    RC_ASSERT(once.instructions == one_by_one.instructions);
    rows += once.rows.size();
  };
  for (int i = 0; i < 8; ++i) CHECK(rc::check(holds));
  CHECK(rows > 3000);
}

}  // namespace
}  // namespace cdr::regions
