// SPDX-License-Identifier: GPL-2.0-or-later
// Where copies begin and end (Cursor::copy()), against the events themselves.
#include <map>

#include "cdrgrind/trace/read/cursor.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/control_forms.h"
#include "tests/unit/trace/looping_program.h"

using namespace cdr;
using namespace cdr::test;
using namespace cdr::trace;

namespace {

bool same_control(const Event& a, const Event& b) {
  return a.kind == b.kind && a.thread == b.thread && a.block == b.block && (a.kind != EventKind::kCall || a.ip == b.ip);
}

// Goes through the trace, leaves out every `every`-th time (0: never) what may be, and returns how many events that
// was.
uint64_t read_with_copies(const TraceFile& file, const std::vector<OwnedEvent>& events, unsigned every) {
  Cursor cursor(file, EventDecoder::Words::kExact, EpochDecoder::Words::kNoneInCopies);
  std::map<uint64_t, size_t> begun;  // by number
  size_t at = 0;
  uint64_t passed = 0, asked = 0;
  for (Event e; cursor.next(e);) {
    if (e.kind != EventKind::kNone) {
      REQUIRE(at < events.size());
      REQUIRE(same_control(e, events[at].event));
      REQUIRE(cursor.index() == at);
      ++at;
      continue;
    }
    const EpochDecoder::Copy copy = cursor.copy();
    REQUIRE(copy.open > 0);
    if (!copy.ends) {
      REQUIRE((begun.empty() || begun.rbegin()->first < copy.number));
      begun[copy.number] = at;
      continue;
    }
    REQUIRE(begun.contains(copy.number));
    const size_t size = at - begun[copy.number];
    REQUIRE(size > 0);
    int64_t depth = 0;
    for (size_t i = at - size; i < at; ++i) {
      const Event& one = events[i].event;
      REQUIRE(one.thread == copy.thread);
      REQUIRE((one.kind == EventKind::kBlock || one.kind == EventKind::kCall || one.kind == EventKind::kReturn));
      depth += one.kind == EventKind::kCall ? 1 : one.kind == EventKind::kReturn ? -1 : 0;
      REQUIRE(depth >= 0);
    }
    REQUIRE(depth == 0);
    for (size_t i = 0; i < size * copy.more; ++i)
      REQUIRE(same_control(events[at - size + i % size].event, events[at + i].event));
    const bool leaves_out = every != 0 && ++asked % every == 0;
    const uint64_t times = !leaves_out ? 0 : asked % 3 == 0 ? copy.more / 2 : copy.more;
    cursor.pass_copies(times);
    at += times * size;
    passed += times * size;
    begun[copy.number] = at;
  }
  REQUIRE(at == events.size());
  return passed;
}

}  // namespace

TEST_CASE("what a cursor says of copies is so, and it is right behind those that it passes over") {
  uint64_t passed = 0;
  for (uint32_t seed = 1; seed <= 24; ++seed) {
    const WalkingProgram p = looping_program(seed, 300);
    const TraceFile file = open_bytes(record(p.tables, p.events, compact_in_form(seed, seed % 5 == 0 ? 700 : 1 << 24)));
    for (const unsigned every : {0, 1, 2, 5}) {
      INFO("seed " << seed << ", every " << every);
      passed += read_with_copies(file, p.events, every);
    }
  }
  CHECK(passed > 10'000);
}

TEST_CASE("a plain trace is read without copies") {
  const WalkingProgram p = looping_program(1, 300);
  RecordingOptions options;
  options.form = RecordingForm::kPlain;
  CHECK(read_with_copies(open_bytes(record(p.tables, p.events, options)), p.events, 1) == 0);
}
