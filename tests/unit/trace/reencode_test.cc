// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/reencode.h"

#include "cdrgrind/trace/read/dataflow_reader.h"
#include "cdrgrind/trace/read/with_frame.h"
#include "tests/unit/properties.h"
#include "tests/unit/trace/random_trace.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;
using namespace cdr::trace;

TEST_CASE("any event stream comes back from its trace") {
  rc::prop("decode(encode(s)) == s", [] {
    const RandomTrace t = random_trace(200);
    const TraceFile file = open_bytes(record(t.tables, t.events, random_options()));
    RC_ASSERT(file.status() == Status::kComplete);
    RC_ASSERT(file.event_count() == t.events.size());
    RC_ASSERT(all_events(file) == t.events);
  });
}

TEST_CASE("a trace encoded again from its events has the same bytes") {
  rc::prop("encode(decode(f)) == f", [] {
    const RandomTrace t = random_trace(200);
    RecordingOptions options = random_options();
    options.control = ControlForm::kAuto;
    options.control_window = RecordingOptions().control_window;
    const auto bytes = record(t.tables, t.events, options);
    MemoryOutput again;
    reencode(open_bytes(bytes), again, options.zstd_level);
    RC_ASSERT(again.bytes == bytes);
  });
}

TEST_CASE("dependences and the caller's own totals are kept when a trace is encoded again") {
  Tables tables;
  MemoryOutput out;
  Recording to(out, tables.modules, tables.blocks, {}, {});
  Event mark = event_of(EventKind::kMark, 1);
  mark.text = "here";
  to.event(mark);
  const std::vector<uint8_t> payload(300, 7);
  to.add_frame(FrameType::kDepend, payload);
  const std::vector<Counter> counters = {{"imprecise", 3}};
  const std::vector<MetaEntry> texts = {{"note", "x"}};
  to.close({.exit = "signal 11", .counters = counters, .texts = texts});

  const TraceFile file = open_bytes(out.bytes);
  CHECK(file.depend() == payload);
  CHECK(file.end()->counter("imprecise") == 3);
  CHECK(file.end()->texts.find("exit") == "signal 11");
  CHECK(file.end()->texts.find("note") == "x");
  MemoryOutput again;
  reencode(file, again);
  CHECK(again.bytes == out.bytes);
}

TEST_CASE("a trace with one frame more is the same trace, as if the recorder had written it") {
  rc::prop("with_frame(record(s)) == record(s and frame)", [] {
    const RandomTrace t = random_trace(100);
    RecordingOptions options = random_options();
    options.zstd_level = RecordingOptions().zstd_level;
    const std::vector<uint8_t> payload(300, 7);
    const auto written = [&](bool with) {
      MemoryOutput out;
      Recording to(out, t.tables.modules, t.tables.blocks, {}, {}, options);
      for (const OwnedEvent& e : t.events) dispatch(e.view(), to);
      if (with) to.add_frame(FrameType::kDepend, payload);
      to.close({.exit = "exit 0"});
      return out.bytes;
    };
    const TraceFile file = open_bytes(written(false));
    MemoryOutput with;
    write_with_frame(file, FrameType::kDepend, payload, with);
    RC_ASSERT(with.bytes == written(true));
    RC_ASSERT(open_bytes(with.bytes).depend() == payload);
  });
}

TEST_CASE("summaries are read on request, and kept when a trace is encoded again") {
  const SmallProgram p = small_program();
  for (const RecordingForm form : {RecordingForm::kPlain, RecordingForm::kCompact}) {
    const auto bytes = p.bytes({.form = form, .raw_frame_bytes = 200, .epoch_blocks = 3});
    const TraceFile file = open_bytes(bytes);
    const DataflowTable want = p.flows(), got = read_dataflow(file);
    REQUIRE(got.size() == want.size());
    for (uint32_t id = 1; id <= want.size(); ++id)
      CHECK(FlowParts(got[SuperblockId(id)]) == FlowParts(want[SuperblockId(id)]));
    MemoryOutput again;
    reencode(file, again);
    CHECK(again.bytes == bytes);
  }
}
