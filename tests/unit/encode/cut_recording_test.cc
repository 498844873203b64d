// SPDX-License-Identifier: GPL-2.0-or-later
// A file that takes no more, at any byte: what was written can be read, is what happened first, and is marked as cut.
#include "cdrgrind/encode/recording.h"

#include <algorithm>

#include "cdrgrind/trace/read/trace_error.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/walking_program.h"

using namespace cdr;
using namespace cdr::test;

namespace {

struct CutRecording {
  MemoryOutput out;
  bool cut = false, complete = false;
  uint64_t told = 0;

  CutRecording(const WalkingProgram& p, RecordingForm form, size_t room) {
    out.room = room;
    RecordingOptions o;
    o.form = form;
    o.epoch_blocks = 60;
    Recording to(out, p.tables.modules, p.tables.blocks, {.pid = 71}, {}, o);
    for (const OwnedEvent& e : p.events) dispatch(e.view(), to);
    to.close({.exit = "exit 0"});
    cut = to.cut();
    told = to.bytes_written();
  }
};

}  // namespace

TEST_CASE("wherever a file takes no more, the trace is what happened first") {
  for (const RecordingForm form : {RecordingForm::kPlain, RecordingForm::kCompact}) {
    const WalkingProgram p = walking_program(5, 150);
    const CutRecording whole(p, form, SIZE_MAX);
    REQUIRE_FALSE(whole.cut);
    CHECK(whole.told == whole.out.bytes.size());
    size_t opened = 0, most = 0;
    for (size_t room = 0; room < whole.out.bytes.size(); room += 1 + room / 200) {
      INFO("form " << static_cast<int>(form) << ", room for " << room << " bytes");
      const CutRecording r(p, form, room);
      REQUIRE(r.cut);
      REQUIRE(r.out.writes_after_failure == 0);
      REQUIRE(r.out.bytes.size() == room);
      if (room < kCutMarkOffset + kCutMark.size()) continue;
      REQUIRE(std::equal(kCutMark.begin(), kCutMark.end(), r.out.bytes.begin() + kCutMarkOffset));
      std::vector<OwnedEvent> events;
      try {
        const trace::TraceFile file = open_bytes(r.out.bytes);
        REQUIRE(file.status() == trace::Status::kCut);
        events = all_events(file);
        ++opened;
      } catch (const trace::TraceError&) {
        REQUIRE(most == 0);  // not even RUN and META are there
      }
      REQUIRE(events.size() >= most);
      REQUIRE(std::equal(events.begin(), events.end(), p.events.begin()));
      most = events.size();
    }
    CHECK(opened > 100);
    CHECK(most > p.events.size() / 2);
  }
}
