// SPDX-License-Identifier: GPL-2.0-or-later
// What is done for many executions of a block at once is what is done for one after the other; what is remembered of
// dependences is what would be found anew; what parts find that share the memory is what one finds.
#include "cdrgrind/analysis/regions/replay.h"

#include <deque>
#include <numeric>
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
  std::vector<uint32_t> number_by_address() override {
    std::vector<uint32_t> same(0x10000);
    std::iota(same.begin(), same.end(), 0u);
    return same;
  }
  LibraryState state_of(CodeAddr) override { return LibraryState::kUnknown; }
  std::optional<Choice> choice_of(CodeAddr) override { return Choice(); }
  std::optional<Walk> walk_of(CodeAddr) override { return Walk::kNone; }
  bool moves_iterator(CodeAddr) override { return false; }
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

using Widths = std::vector<uint16_t>;
const Widths kUsual = {1, 4, 8, 8, 8, 16};

std::vector<Access> some_accesses(const Widths& widths) {
  std::vector<Access> accesses;
  const auto count = *rc::gen::inRange<uint16_t>(0, 5);
  for (uint16_t i = 0; i < count; ++i) {
    Access a;
    a.insn = static_cast<uint16_t>(i + *rc::gen::inRange<uint16_t>(0, 3));
    a.slot = static_cast<uint16_t>(i + 1);
    a.width = *rc::gen::elementOf(widths);
    a.flags = *rc::gen::element<uint8_t>(0, 0, kAccessStore);
    accesses.push_back(a);
  }
  std::sort(accesses.begin(), accesses.end(), [](const Access& x, const Access& y) { return x.insn < y.insn; });
  return accesses;
}

constexpr uint64_t kData = 0x10000;

void execute(std::vector<Execution>& run, const Nest& nest, Part part, uint32_t times, uint64_t data) {
  const uint32_t count = nest.words[part - 1];
  std::vector<uint64_t> at(count), step(count);
  for (uint32_t w = 0; w < count; ++w) {
    at[w] = data + 8 * *rc::gen::inRange<uint64_t>(0, 24) + *rc::gen::element<uint64_t>(0, 0, 0, 4);
    step[w] = *rc::gen::element<uint64_t>(0, 4, 8, 8, 16, 64, ~uint64_t{7});
  }
  for (uint32_t i = 0; i < times; ++i) {
    run.push_back({BlockId(part), at});
    for (uint32_t w = 0; w < count; ++w) at[w] += step[w];
  }
}

// On the only thread's stack.
Event on_stack(EventKind kind, uint64_t sp = test::kSp) {
  Event e = test::event_of(kind, 1);
  e.stack = StackId(1);
  e.range = {0x7f0000, test::kStackEnd};
  e.sp = sp;
  return e;
}

struct ReplayedNest {
  explicit ReplayedNest(const Nest& nest, unsigned parts = 1, unsigned part = 0)
      : loops(nest.blocks, targets, code),
        insns(code),
        registers(nest.blocks, nest.flows, insns, part == 0 ? RegisterFlow::Told::kYes : RegisterFlow::Told::kNothing),
        replay(nest.blocks, library, loops, registers, nest.flows, names, names, {8, nullptr, {parts, part}}) {
    replay.see(on_stack(EventKind::kThreadStart));
  }
  Regions finish() {
    replay.finish();
    Replay* const all = &replay;
    return PartedRegions().take({&all, 1}, names);
  }
  void see(const Execution& e) {
    Event event = test::event_of(EventKind::kBlock, 1);
    event.block = e.block;
    event.words = e.words;
    replay.see(event);
  }

  NoTargets targets;
  slice::NoCode code;
  NoNames names;
  CodeLoops loops;
  InsnTable insns;
  RegisterFlow registers;
  std::vector<bool> library = {false, false};  // by module
  Replay replay;
};

std::vector<RunStep> steps_of(const std::vector<Execution>& run) {
  std::vector<RunStep> steps;
  for (const Execution& e : run) steps.push_back(step_of(e.block, e.words));
  return steps;
}

// The stack pointer's, before the block of that number.
struct SpMove {
  size_t before = 0;
  uint64_t sp = 0;
};

Regions replayed_at_once(const Nest& nest, const std::vector<Execution>& run, const std::vector<SpMove>& moves = {}) {
  ReplayedNest to(nest);
  const std::vector<RunStep> steps = steps_of(run);
  size_t seen = 0;
  const auto see_until = [&](size_t end) {
    if (end > seen) to.replay.see(ThreadId(1), Steps(steps).subspan(seen, end - seen));
    seen = end;
  };
  for (const SpMove& m : moves) {
    see_until(m.before);
    to.replay.see(on_stack(EventKind::kStackPointer, m.sp));
  }
  see_until(steps.size());
  return to.finish();
}

// Now and then it is put together what they know of accesses to several lines, which is added to `crossings`.
Regions replayed_by_parts(const Nest& nest, const std::vector<Execution>& run, unsigned parts, size_t& crossings) {
  std::deque<ReplayedNest> to;
  std::vector<Replay*> all;
  for (unsigned p = 0; p < parts; ++p) all.push_back(&to.emplace_back(nest, parts, p).replay);
  PartedRegions regions;
  const std::vector<RunStep> steps = steps_of(run);
  for (Steps left = steps; !left.empty();) {
    const Steps some = left.first(*rc::gen::inRange<size_t>(1, left.size() + 1));
    std::vector<std::vector<CrossingHit>> hits;
    for (Replay* const r : all) {
      r->see(ThreadId(1), some);
      hits.push_back(r->rows().take_crossings(regions));
      crossings += hits.back().size();
    }
    regions.count(hits);
    left = left.subspan(some.size());
  }
  for (Replay* const r : all) r->finish();
  return regions.take(all, to[0].names);
}

Regions replayed_one_by_one(const Nest& nest, const std::vector<Execution>& run,
                            const std::vector<SpMove>& moves = {}) {
  ReplayedNest to(nest);
  auto move = moves.begin();
  for (size_t i = 0; i < run.size(); ++i) {
    for (; move != moves.end() && move->before == i; ++move)
      to.replay.see(on_stack(EventKind::kStackPointer, move->sp));
    to.see(run[i]);
  }
  return to.finish();
}

// What a function does that is called before the block of that number: allocates or frees.
struct HeapChange {
  size_t before = 0;
  uint64_t call = 0;  // where it is called
  bool alloc = false;
  AddrRange block;
};

// `forgets`: what has been found of dependences, before each block.
Regions replayed_with_heap(const Nest& nest, const std::vector<Execution>& run, const std::vector<HeapChange>& changes,
                           bool forgets) {
  ReplayedNest to(nest);
  auto change = changes.begin();
  for (size_t i = 0; i < run.size(); ++i) {
    for (; change != changes.end() && change->before == i; ++change) {
      Event call = on_stack(EventKind::kCall, test::kSp - 64);
      call.ip = change->call;
      to.replay.see(call);
      Event e = test::event_of(change->alloc ? EventKind::kAlloc : EventKind::kFree, 1);
      e.addr = change->block.begin;
      e.size = change->block.size();
      to.replay.see(e);
      to.replay.see(on_stack(EventKind::kReturn));
    }
    if (forgets) to.replay.see(on_stack(EventKind::kStackSwitch));
    to.see(run[i]);
  }
  return to.finish();
}

auto rows_of(const Regions& r) {
  std::vector<std::tuple<uint32_t, ContextIndex, Kind, SiteIndex, SiteIndex, Object, int64_t, int64_t, uint64_t,
                         uint64_t, std::array<uint64_t, Distances::kBuckets>, uint64_t, uint64_t, bool, bool, uint64_t>>
      rows;
  for (const CarriedRow& c : r.rows)
    rows.emplace_back(c.loop.value, c.context, c.kind, c.source, c.target, c.object, c.lowest, c.highest, c.widest,
                      c.count, c.distances.counts(), c.distances.least, c.distances.greatest, c.read_own > 0,
                      c.read_before > 0, c.interval);
  std::sort(rows.begin(), rows.end());
  return rows;
}

auto escapes_of(const Regions& r) {
  std::vector<std::tuple<uint32_t, SiteIndex, bool, bool>> escapes;
  for (const Escape& e : r.escapes) escapes.emplace_back(e.loop.value, e.store, e.by_last, e.by_others);
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

Nest some_nest(const Widths& widths = kUsual) {
  Nest nest;
  constexpr uint64_t at = test::kText;
  nest.add(at, some_accesses(widths), 0);
  nest.add(at + 32, some_accesses(widths), 0);
  nest.add(at + 64, some_accesses(widths), at + 64);
  nest.add(at + 96, some_accesses(widths), 0);
  nest.add(at + 128, some_accesses(widths), at + 128);
  nest.add(at + 160, some_accesses(widths), at + 32);
  return nest;
}

std::vector<Execution> some_run(const Nest& nest, uint64_t data = kData) {
  std::vector<Execution> run;
  execute(run, nest, kEntry, 1, data);
  const auto rounds = *rc::gen::inRange<uint32_t>(1, 5);
  for (uint32_t i = 0; i < rounds; ++i) {
    execute(run, nest, kBefore, 1, data);
    execute(run, nest, kInner, *rc::gen::inRange<uint32_t>(0, 30), data);
    execute(run, nest, kInnerOut, 1, data);
    execute(run, nest, kBetween, 1, data);
    execute(run, nest, kOther, *rc::gen::inRange<uint32_t>(0, 30), data);
    execute(run, nest, kOtherOut, 1, data);
    execute(run, nest, i + 1 < rounds ? kAfter : kAfterOut, 1, data);
  }
  return run;
}

// Up, so that what lies below is gone, and down again.
std::vector<SpMove> some_moves(size_t blocks) {
  std::vector<SpMove> moves;
  for (size_t i = 1; i < blocks; ++i) {
    if (*rc::gen::inRange(0, 6) > 0) continue;
    moves.push_back({i, test::kSp + 8 * *rc::gen::inRange<uint64_t>(0, 12)});
    moves.push_back({i, test::kSp});
  }
  return moves;
}

// Two places of allocation.
std::vector<HeapChange> some_heap(size_t blocks) {
  std::vector<HeapChange> changes;
  for (size_t i = 1; i < blocks; ++i) {
    if (*rc::gen::inRange(0, 3) > 0) continue;
    HeapChange& c = changes.emplace_back();
    c.before = i;
    c.call = test::kText + *rc::gen::element<uint64_t>(40, 104);
    c.alloc = *rc::gen::inRange(0, 3) > 0;
    c.block.begin = 0x10000 + 32 * *rc::gen::inRange<uint64_t>(0, 10);
    c.block.end = c.block.begin + *rc::gen::element<uint64_t>(16, 32, 64);
  }
  return changes;
}

void check_same(const Regions& found, const Regions& known) {
  RC_ASSERT(rows_of(found) == rows_of(known));
  RC_ASSERT(escapes_of(found) == escapes_of(known));
  RC_ASSERT(entry_reads_of(found) == entry_reads_of(known));
  RC_ASSERT(runs_of(found) == runs_of(known));
  RC_ASSERT(found.accesses == known.accesses);
  RC_ASSERT(found.instructions == known.instructions);
}

TEST_CASE("blocks that repeat themselves are replayed at once as they are one after the other") {
  size_t rows = 0;
  const auto holds = [&] {
    const Nest nest = some_nest();
    const std::vector<Execution> run = some_run(nest);
    const Regions once = replayed_at_once(nest, run);
    check_same(once, replayed_one_by_one(nest, run));
    rows += once.rows.size();
  };
  for (int i = 0; i < 8; ++i) CHECK(rc::check(holds));
  CHECK(rows > 3000);
}

TEST_CASE(
    "what lies on the stack is replayed at once as it is one after the other, wherever the stack pointer has been") {
  size_t rows = 0;
  const auto holds = [&] {
    const Nest nest = some_nest();
    const std::vector<Execution> run = some_run(nest, test::kSp - 64);
    const std::vector<SpMove> moves = some_moves(run.size());
    const Regions once = replayed_at_once(nest, run, moves);
    check_same(once, replayed_one_by_one(nest, run, moves));
    rows += once.rows.size();
  };
  for (int i = 0; i < 8; ++i) CHECK(rc::check(holds));
  CHECK(rows > 1000);
}

TEST_CASE("parts that share the memory find what one replay finds") {
  size_t rows = 0, crossings = 0;
  const auto holds = [&] {
    const Nest nest = some_nest({4, 8, 16, 32});  // wide ones are in several lines
    const std::vector<Execution> run = some_run(nest);
    const Regions one = replayed_at_once(nest, run);
    for (const unsigned parts : {2u, 3u, LineShare::kMostParts}) {
      const Regions found = replayed_by_parts(nest, run, parts, crossings);
      check_same(found, one);
      RC_ASSERT(found.flows == one.flows);
      for (SiteIndex s = 1; s < one.contexts.site_count(); ++s)
        RC_ASSERT(found.contexts.site(s).changing == one.contexts.site(s).changing);
    }
    rows += one.rows.size();
  };
  for (int i = 0; i < 8; ++i) CHECK(rc::check(holds));
  CHECK(rows > 3000);
  CHECK(crossings > 3000);
}

TEST_CASE("what is remembered of dependences is what would be found, whatever the heap does") {
  size_t rows = 0, of_blocks = 0;
  const auto holds = [&] {
    const Nest nest = some_nest();
    const std::vector<Execution> run = some_run(nest);
    const std::vector<HeapChange> changes = some_heap(run.size());
    const Regions remembered = replayed_with_heap(nest, run, changes, false);
    check_same(remembered, replayed_with_heap(nest, run, changes, true));
    rows += remembered.rows.size();
    for (const CarriedRow& r : remembered.rows) of_blocks += r.object.kind == Object::Kind::kHeap;
  };
  for (int i = 0; i < 8; ++i) CHECK(rc::check(holds));
  CHECK(rows > 1000);
  CHECK(of_blocks > 100);
}

}  // namespace
}  // namespace cdr::regions
