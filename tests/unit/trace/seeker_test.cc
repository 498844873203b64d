// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/thread_cursor.h"

#include <map>

#include "tests/unit/catch.h"
#include "tests/unit/trace/control_forms.h"
#include "tests/unit/trace/naive_thread.h"
#include "tests/unit/trace/small_program.h"
#include "tests/unit/trace/walking_program.h"

using namespace cdr;
using namespace cdr::test;
using namespace cdr::trace;

namespace {

bool same_place(const TracePosition& a, const TracePosition& b) {
  return a.thread == b.thread && a.epoch == b.epoch && a.at.way == b.at.way && a.at.offset == b.at.offset &&
         a.before == b.before && a.at.before == b.at.before;
}

// Every position by every way to it.
void check_all(const Tables& tables, const std::vector<OwnedEvent>& events, const RecordingOptions& options,
               size_t kept_epochs = Seeker::kKeptEpochs) {
  const TraceFile file = open_bytes(record(tables, events, options));
  Seeker seeker(file, kept_epochs);
  std::map<uint32_t, NaiveThread> threads;
  for (size_t i = 0; i < events.size(); ++i) {
    const Event e = events[i].view();
    NaiveThread& t = threads[e.thread.value];
    TracePosition at, other;
    INFO("event " << i << " of kind " << int(e.kind) << " of thread " << e.thread.value);
    const bool turn = seeker.at_index(i, at);
    REQUIRE(turn == (e.kind == EventKind::kTurn));
    REQUIRE(at.thread == e.thread);
    if (turn) continue;
    REQUIRE(at.before == t.counts);
    REQUIRE(seeker.index_of(at) == i);
    REQUIRE((OwnedEvent(seeker.event_at(at)) == events[i]));
    if (e.kind == EventKind::kBlock) {
      REQUIRE((seeker.find(e.thread, Weight::kBlocks, t.counts.blocks, other) && same_place(at, other)));
      REQUIRE((seeker.find(e.thread, Weight::kInsns, t.counts.insns, other) && same_place(at, other)));
      const BlockWeight one{e.block, 1};
      REQUIRE(
          (seeker.find_execution(e.thread, {&one, 1}, t.executions[e.block.value], other) && same_place(at, other)));
    }
    if (e.kind == EventKind::kSyncEnter || e.kind == EventKind::kSyncLeave)
      REQUIRE((seeker.find(e.thread, Weight::kSyncs, t.counts.syncs, other) && same_place(at, other)));
    REQUIRE(with_functions(seeker.stack_at(at, true), tables.blocks) == t.shown());
    t.apply(e, tables.blocks);
  }
  for (auto& [serial, t] : threads) {
    TracePosition none;
    CHECK(seeker.total(ThreadId(serial)) == t.counts);
    CHECK_FALSE(seeker.find(ThreadId(serial), Weight::kEvents, t.counts.events, none));
  }
  CHECK(seeker.total(ThreadId(77)) == ThreadCounts());
}

RecordingOptions as_grammar(uint64_t epoch_blocks) { return compact_in_form(0, epoch_blocks); }

}  // namespace

// From every `step`-th position of each thread to its end.
void check_cursors(const Tables& tables, const std::vector<OwnedEvent>& events, const RecordingOptions& options,
                   uint64_t step) {
  const TraceFile file = open_bytes(record(tables, events, options));
  Seeker seeker(file);
  std::map<uint32_t, std::vector<const OwnedEvent*>> threads;
  for (const OwnedEvent& e : events)
    if (e.event.kind != EventKind::kTurn) threads[e.event.thread.value].push_back(&e);
  for (const auto& [serial, own] : threads)
    for (uint64_t from = 0; from < own.size(); from += step) {
      TracePosition place;
      REQUIRE(seeker.find(ThreadId(serial), Weight::kEvents, from, place));
      ThreadCursor cursor(seeker, place);
      uint64_t at = from;
      for (Event e; cursor.next(e); ++at) {
        INFO("thread " << serial << " from " << from << " event " << at << " kind " << int(own[at]->event.kind));
        REQUIRE(cursor.event() == at);
        REQUIRE((OwnedEvent(e) == *own[at]));
      }
      REQUIRE(at == own.size());
    }
}

TEST_CASE("a thread is read from any place on") {
  const SmallProgram small = small_program();
  for (const uint64_t form : {0, 1, 2, 3}) check_cursors(small.tables(), small.events, compact_in_form(form, 3), 1);
  for (uint32_t seed = 101; seed <= 108; ++seed) {
    const WalkingProgram p = walking_program(seed, 300);
    INFO("seed " << seed);
    check_cursors(p.tables, p.events, compact_in_form(seed, seed % 3 ? 60 : 1 << 24), 7);
  }
}

TEST_CASE("seeking is equal to reading at every position of a program") {
  const SmallProgram p = small_program();
  for (const uint64_t blocks : {1, 3, 1000})
    for (const uint64_t form : {0, 1, 2, 3}) check_all(p.tables(), p.events, compact_in_form(form, blocks));
}

TEST_CASE("seeking is equal to reading at every position of random programs") {
  for (uint32_t seed = 1; seed <= 24; ++seed) {
    const WalkingProgram p = walking_program(seed, 30 + 20 * seed);
    INFO("seed " << seed);
    check_all(p.tables, p.events, compact_in_form(seed, seed % 3 == 0 ? 17 : seed % 3 == 1 ? 90 : 1 << 24));
  }
}

TEST_CASE("how many epochs a seeker keeps changes nothing") {
  const SmallProgram small = small_program();
  for (const size_t kept : {0, 1}) check_all(small.tables(), small.events, as_grammar(1), kept);
  for (uint32_t seed = 31; seed <= 34; ++seed) {
    const WalkingProgram p = walking_program(seed, 400);
    INFO("seed " << seed);
    check_all(p.tables, p.events, as_grammar(23), seed % 2);
  }
}

namespace {

// A cursor, and the events that it is to give.
struct Walker {
  ThreadCursor cursor;
  std::span<const OwnedEvent* const> events;
  bool step() {
    Event e;
    const bool more = cursor.next(e);
    REQUIRE(more == !events.empty());
    if (!more) return false;
    REQUIRE((OwnedEvent(e) == *events.front()));
    events = events.subspan(1);
    return true;
  }
};

// Cursors from every `apart`-th event on take turns, and between their steps the seeker looks elsewhere: each is in an
// epoch of its own, and nothing but the cursors holds these.
void check_turns(const WalkingProgram& p, uint64_t epoch_blocks, size_t kept_epochs, size_t apart) {
  const TraceFile file = open_bytes(record(p.tables, p.events, as_grammar(epoch_blocks)));
  REQUIRE(file.epochs().size() > 6);
  Seeker seeker(file, kept_epochs);
  std::map<uint32_t, std::vector<const OwnedEvent*>> threads;
  for (const OwnedEvent& e : p.events)
    if (e.event.kind != EventKind::kTurn) threads[e.event.thread.value].push_back(&e);
  std::vector<Walker> walkers;
  for (const auto& [serial, own] : threads)
    for (size_t from = 0; from < own.size(); from += apart) {
      TracePosition place;
      REQUIRE(seeker.find(ThreadId(serial), Weight::kEvents, from, place));
      walkers.push_back({ThreadCursor(seeker, place), std::span(own).subspan(from)});
    }
  uint64_t elsewhere = 0;
  for (bool more = true; more;) {
    more = false;
    for (Walker& w : walkers) {
      more |= w.step();
      elsewhere = (elsewhere + 997) % p.events.size();
      TracePosition place;
      if (seeker.at_index(elsewhere, place)) continue;
      REQUIRE((OwnedEvent(seeker.event_at(place)) == p.events[elsewhere]));
      seeker.stack_at(place, true);
    }
  }
}

}  // namespace

TEST_CASE("cursors at many places take turns") {
  const WalkingProgram p = walking_program(41, 250);
  for (const size_t kept : {size_t{0}, size_t{1}, Seeker::kKeptEpochs}) check_turns(p, 20, kept, 120);
}
