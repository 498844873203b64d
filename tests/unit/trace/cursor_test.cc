// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/cursor.h"

#include "tests/unit/catch.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;
using namespace cdr::trace;

TEST_CASE("a cursor goes on from any event") {
  const SmallProgram p = small_program();
  const RecordingForm form = GENERATE(RecordingForm::kPlain, RecordingForm::kCompact);
  const TraceFile file = open_bytes(p.bytes({.form = form, .raw_frame_bytes = 170, .epoch_blocks = 3}));
  REQUIRE(file.event_frames().size() > 2);
  Cursor cursor(file);
  for (size_t from = p.events.size() + 1; from-- > 0;) {
    cursor.seek(from);
    for (size_t i = from; i < std::min(from + 20, p.events.size()); ++i) {
      Event e;
      REQUIRE(cursor.next(e));
      REQUIRE(cursor.index() == i);
      REQUIRE(OwnedEvent(e) == p.events[i]);
    }
  }
  Event e;
  cursor.seek(p.events.size());
  CHECK_FALSE(cursor.next(e));
  CHECK_FALSE(cursor.next(e));
}

TEST_CASE("a cursor on a trace without events is at its end") {
  const TraceFile file = open_bytes(record(Tables{}, {}));
  Cursor cursor(file);
  Event e;
  CHECK_FALSE(cursor.next(e));
  cursor.seek(0);
  CHECK_FALSE(cursor.next(e));
  cursor.seek(5);
  CHECK_FALSE(cursor.next(e));
}
