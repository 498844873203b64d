// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/recording.h"

#include "tests/unit/properties.h"
#include "tests/unit/trace/runs.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;
using namespace cdr::trace;

namespace {

Event mark(std::string_view text) {
  Event e = event_of(EventKind::kMark, 1);
  e.text = text;
  return e;
}

}  // namespace

TEST_CASE("the same events give the same bytes") {
  rc::prop("twice", [] {
    const RandomTrace t = random_trace(100);
    const RecordingOptions options = random_options();
    RC_ASSERT(record(t.tables, t.events, options) == record(t.tables, t.events, options));
  });
}

TEST_CASE("runs give the bytes of single events") {
  rc::prop("in pieces", [] {
    const RandomTrace t = random_trace(30);
    RecordingOptions options = random_options();
    options.epoch_bytes = *rc::gen::element<size_t>(0, 64 << 20);
    std::vector<OwnedEvent> events;
    const int times = *rc::gen::inRange(1, 300);
    for (int i = 0; i < times; ++i) events.insert(events.end(), t.events.begin(), t.events.end());

    MemoryOutput out;
    const std::vector<MetaEntry> meta = {{"program", "/bin/true"}, {"arg", "a"}, {"arg", ""}};
    const RunInfo run{.pid = 71, .process_start = 9, .wall_ns = 5};
    Recording to(out, t.tables.modules, t.tables.blocks, run, meta, options);
    const size_t longest = *rc::gen::inRange<size_t>(1, 20);
    pass_in_runs(t.tables.blocks, events, longest, to);
    to.close({.exit = "exit 0"});
    RC_ASSERT(out.bytes == record(t.tables, events, options));
  });
}

TEST_CASE("loops whose addresses go on evenly for a while give the bytes of single blocks") {
  // Block b lies at 100 * b, jumps and has a word; the last one has none.
  constexpr uint32_t kBlocks = 5;
  Tables t;
  t.modules.add(Module());
  for (uint32_t b = 1; b <= kBlocks; ++b) {
    auto parts = straight(100 * b, 4, ExitKind::kBranch, 0);
    if (b < kBlocks) {
      parts.accesses.push_back({0, 0, 1, 8, 0});
      for (Exit& e : parts.exits) e.accesses = e.words = 1;
    }
    t.blocks.add_block(t.blocks.add_superblock(parts.view()), 0);
  }
  rc::prop("loops", [&] {
    std::vector<uint32_t> ids;
    std::vector<uint64_t> words;
    std::vector<uint64_t> next(kBlocks + 1, 0x10000);
    for (int loops = *rc::gen::inRange(1, 8); loops > 0; --loops) {
      const auto body = *rc::gen::container<std::vector<uint32_t>>(*rc::gen::inRange<size_t>(1, 5),
                                                                   rc::gen::inRange<uint32_t>(1, kBlocks + 1));
      const uint64_t stride = *rc::gen::element<uint64_t>(0, 8);
      const int jump_at = *rc::gen::inRange(0, 60);
      for (int i = *rc::gen::inRange(1, 60); i > 0; --i)
        for (const uint32_t b : body) {
          ids.push_back(b);
          words.push_back(next[b] += i == jump_at ? 800 : stride);
        }
    }
    std::vector<RunStep> run;
    for (size_t i = 0; i < ids.size(); ++i) run.push_back({BlockId(ids[i]), ids[i] < kBlocks, {&words[i]}});
    std::vector<uint8_t> bytes[2];
    for (const bool whole : {false, true}) {
      MemoryOutput out;
      Recording to(out, t.modules, t.blocks, {}, {}, {.form = RecordingForm::kCompact});
      if (whole) to.run(ThreadId(1), run);
      for (const RunStep& b : run)
        if (!whole) to.block(ThreadId(1), b.block, {b.words, b.count});
      to.close({});
      bytes[whole] = out.bytes;
    }
    RC_ASSERT(bytes[0] == bytes[1]);
  });
}

TEST_CASE("tables that grow while events come give the bytes of complete ones") {
  const RecordingForm form = GENERATE(RecordingForm::kPlain, RecordingForm::kCompact);
  RecordingOptions options{.form = form, .raw_frame_bytes = 200, .epoch_blocks = 4};
  const SmallProgram p = small_program();
  const DataflowTable flows = p.flows();
  Tables grown;
  DataflowTable grown_flows;
  options.dataflow = &grown_flows;
  MemoryOutput out;
  const std::vector<MetaEntry> meta = {{"program", "/bin/true"}, {"arg", "a"}, {"arg", ""}};
  Recording to(out, grown.modules, grown.blocks, RunInfo{.pid = 71, .process_start = 9, .wall_ns = 5}, meta, options);
  for (const OwnedEvent& e : p.events) {
    if (e.event.kind == EventKind::kModuleMapped) grown.modules.add(p.module);
    while (grown.blocks.block_count() < e.event.block.value) {
      const Block& b = p.blocks[grown.blocks.block_count()];
      while (grown.blocks.superblock_count() < b.superblock.value) {
        grown.blocks.add_superblock(p.superblocks[grown.blocks.superblock_count()].view());
        grown_flows.add(flows[SuperblockId(grown.blocks.superblock_count())]);
      }
      grown.blocks.add_block(b.superblock, b.exit);
    }
    dispatch(e.view(), to);
  }
  to.close({.exit = "exit 0"});
  CHECK(out.bytes == p.bytes(options));
}

TEST_CASE("table entries stand before the events that need them, and no others") {
  const SmallProgram p = small_program();
  const RecordingForm form = GENERATE(RecordingForm::kPlain, RecordingForm::kCompact);
  const TraceFile file = open_bytes(p.bytes({.form = form, .raw_frame_bytes = 200, .epoch_blocks = 4}));
  CHECK(file.event_frames().size() > 2);
  uint32_t known = 0;
  Cursor cursor(file);
  for (const Frame& f : file.frames()) {
    if (f.header.type == FrameType::kExits) {
      const auto payload = file.payload(f);
      ByteReader in(payload);
      CHECK(in.varint() == known);
      known += static_cast<uint32_t>(in.varint());
    }
    Event e;
    uint32_t needed = 0;
    for (uint64_t n = f.header.event_count; n > 0 && cursor.next(e); --n) needed = std::max(needed, e.block.value);
    CHECK(needed <= known);
  }
  CHECK(known == p.blocks.size());
}

TEST_CASE("EVENTS frames keep to their size but for an event that is larger alone") {
  Tables t;
  MemoryOutput out;
  Recording to(out, t.modules, t.blocks, {}, {}, {.zstd_level = 1, .raw_frame_bytes = 1000});
  for (int i = 0; i < 100; ++i) to.event(mark("0123456789"));
  const std::string large(5000, 'x');
  to.event(mark(large));
  to.event(mark("after"));
  to.close({});
  const TraceFile file = open_bytes(out.bytes);
  size_t larger = 0;
  for (const size_t i : file.event_frames()) {
    const FrameHeader& h = file.frames()[i].header;
    if (h.raw_bytes > 1000) ++larger;
    if (h.raw_bytes > 1000) CHECK(h.event_count == 1);
  }
  CHECK(larger == 1);
  CHECK(file.event_count() == 102);
}

TEST_CASE("after flush everything can be read, and a dropped recording writes nothing") {
  const RecordingOptions options{.form = GENERATE(RecordingForm::kPlain, RecordingForm::kCompact)};
  Tables t;
  MemoryOutput out;
  size_t flushed = 0;
  {
    Recording to(out, t.modules, t.blocks, {}, {}, options);
    to.event(mark("a"));
    to.flush();
    to.flush();
    flushed = out.bytes.size();
    CHECK(to.bytes_written() == flushed);
    to.event(mark("b"));
  }
  CHECK(out.bytes.size() == flushed);
  const TraceFile file = open_bytes(out.bytes);
  CHECK(file.status() == Status::kKilled);
  CHECK(file.event_count() == 1);
}

TEST_CASE("totals count kinds") {
  const RecordingOptions options{.form = GENERATE(RecordingForm::kPlain, RecordingForm::kCompact)};
  const SmallProgram p = small_program();
  const Tables t = p.tables();
  MemoryOutput out;
  Recording to(out, t.modules, t.blocks, {}, {}, options);
  for (const OwnedEvent& e : p.events) dispatch(e.view(), to);
  const RecordingTotals totals = to.totals();
  CHECK(totals.events == p.events.size());
  for (uint8_t kind = 1; kind < kEventKindCount; ++kind) {
    const auto n = std::count_if(p.events.begin(), p.events.end(),
                                 [&](const OwnedEvent& e) { return e.event.kind == static_cast<EventKind>(kind); });
    CHECK(totals.kinds[kind] == static_cast<uint64_t>(n));
  }
}
