// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/cursor.h"

#include "tests/unit/properties.h"
#include "tests/unit/trace/control_forms.h"
#include "tests/unit/trace/random_trace.h"
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

namespace {

// Each step as the event that it is.
std::vector<OwnedEvent> events_by_steps(const TraceFile& file) {
  std::vector<OwnedEvent> events;
  Cursor cursor(file);
  DecodedSteps steps;
  for (Event e; cursor.next_steps(steps, e);) {
    if (steps.empty()) events.emplace_back(e);
    for (const RunStep& s : steps.steps()) {
      Event of =
          s.block ? event_of(EventKind::kBlock, steps.thread.value) : event_of_step(file.blocks(), steps.thread, s);
      of.block = s.block;
      if (s.block) of.words = {s.words, s.count};
      events.emplace_back(of);
    }
    RC_ASSERT(cursor.index() + 1 == events.size());
  }
  return events;
}

struct Control {
  uint32_t thread;
  EventKind kind;
  BlockId block;
  bool operator==(const Control&) const = default;
};

// Without the third and later ones of blocks that repeat themselves.
void add_control(std::vector<Control>& to, const Control& c) {
  if (c.kind == EventKind::kBlock && to.size() >= 2 && to.back() == c && to[to.size() - 2] == c) return;
  to.push_back(c);
}

// The program's blocks, and then each of them many times over, with words that grow.
std::vector<OwnedEvent> repeating(const SmallProgram& p, uint64_t times, uint64_t step = 8) {
  std::vector<OwnedEvent> events = p.events;
  for (const OwnedEvent& one : p.events) {
    if (one.event.kind != EventKind::kBlock || one.event.thread.value != 1) continue;
    for (uint64_t i = 0; i < times; ++i) {
      events.push_back(one);
      for (uint64_t& w : events.back().words) w += step * i;
    }
  }
  return events;
}

}  // namespace

TEST_CASE("the steps of any trace are its events") {
  rc::prop("random events", [] {
    const RandomTrace t = random_trace(200);
    const TraceFile file = open_bytes(record(t.tables, t.events, random_options()));
    RC_ASSERT(events_by_steps(file) == t.events);
  });
}

TEST_CASE("so are those of blocks that repeat themselves more often than there is room") {
  const SmallProgram p = small_program();
  const std::vector<OwnedEvent> events = repeating(p, 3 * DecodedSteps::kMost / 2);
  for (uint64_t form = 0; form < 4; ++form) {
    const TraceFile file = open_bytes(record(p.tables(), events, compact_in_form(form)));
    CHECK(events_by_steps(file) == events);
  }
}

TEST_CASE("without words a cursor tells what was executed, and of repetitions only that") {
  const SmallProgram p = small_program();
  const std::vector<OwnedEvent> events = repeating(p, 700);
  std::vector<Control> wanted;
  for (const OwnedEvent& e : events) add_control(wanted, {e.event.thread.value, e.event.kind, e.event.block});
  for (uint64_t form = 0; form < 4; ++form) {
    const TraceFile file = open_bytes(record(p.tables(), events, compact_in_form(form)));
    Cursor cursor(file, EventDecoder::Words::kExact, EpochDecoder::Words::kNone);
    DecodedSteps steps;
    std::vector<Control> found;
    for (Event e; cursor.next_steps(steps, e);) {
      if (steps.empty()) add_control(found, {e.thread.value, e.kind, e.block});
      for (const RunStep& s : steps.steps()) {
        CHECK((!s.block || s.count == 0));
        add_control(found, {steps.thread.value, s.kind(), s.block});
      }
    }
    CHECK(found == wanted);
    CHECK(cursor.index() + 1 == events.size());
  }
}

TEST_CASE("a cursor says which blocks repeat themselves, and is right behind those that it passes over") {
  const SmallProgram p = small_program();
  for (const uint64_t step : {0, 8}) {
    const std::vector<OwnedEvent> events = repeating(p, 2000, step);
    uint64_t passed = 0;
    for (uint64_t form = 0; form < 4; ++form) {
      const TraceFile file = open_bytes(record(p.tables(), events, compact_in_form(form)));
      for (const auto which : {Cursor::Repeats::kAll, Cursor::Repeats::kSame}) {
        Cursor cursor(file);
        size_t at = 0;
        for (Event e; cursor.next(e);) {
          REQUIRE(OwnedEvent(e) == events[at++]);
          if (e.kind != EventKind::kBlock) continue;
          const uint64_t times = cursor.repeats(which), some = times - times / 3;
          for (uint64_t i = 0; i < times; ++i) {
            OwnedEvent again = events[at + i];
            if (which == Cursor::Repeats::kAll) again.words = events[at - 1].words;
            REQUIRE(again == events[at - 1]);
          }
          cursor.pass(some);
          at += some;
          passed += some;
          REQUIRE(cursor.index() + 1 == at);
        }
        CHECK(at == events.size());
      }
    }
    CHECK(passed > 1000);
  }
}
