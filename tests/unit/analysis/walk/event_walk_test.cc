// SPDX-License-Identifier: GPL-2.0-or-later
// What a walk tells as events is what they are, and what it passes over has the addresses that it tells.
#include "cdrgrind/analysis/walk/event_walk.h"

#include <map>
#include <tuple>

#include "cdrgrind/analysis/events/visit.h"
#include "tests/unit/analysis/races/sweeping_program.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/control_forms.h"
#include "tests/unit/trace/walking_program.h"

using namespace cdr;
using namespace cdr::analysis;
using namespace cdr::test;

namespace {

// Lets every n-th passage pass, of which it holds the addresses against the events; none if n is 0.
struct Checker final : EventReader {
  Checker(const WalkingProgram& p, const std::vector<bool>& w, uint32_t n) : program(p), watched(w), every(n) {}

  void event(const Event& e, uint64_t index) override {
    skip_to(index);
    REQUIRE((OwnedEvent(e) == program.events[index]));
    ++next;
  }
  bool pass(EventWalk& walk, const Passage& p) override {
    if (every == 0 || ++asked % every != 0) return false;
    skip_to(next);
    using Counts = std::map<std::tuple<uint32_t, const Access*, uint64_t>, uint64_t>;
    Counts told, done;
    const bool all = walk.addresses(p, [&](BlockId id, const Access& a, std::span<const Progression> addresses) {
      for (const Progression& one : addresses) {
        REQUIRE(one.width == a.width);
        for (uint64_t i = 0; i < one.count; ++i) told[{id.value, &a, one.at(i)}] += one.times;
      }
      return true;
    });
    REQUIRE(all);
    uint64_t left = 0;
    for (const BlockCount& c : p.blocks) left += c.count * p.copies;
    BlockId last;
    for (; left > 0; ++next) {
      const Event e = program.events[next].view();
      REQUIRE(e.thread == p.thread);
      REQUIRE((e.kind == EventKind::kBlock || e.kind == EventKind::kCall || e.kind == EventKind::kReturn));
      if (e.kind != EventKind::kBlock) continue;
      REQUIRE(!watched[e.block.value]);
      last = e.block;
      --left;
      analysis::visit_accesses(e, program.tables.blocks, [&](const analysis::Seen& seen) {
        ++done[{e.block.value, seen.access, seen.addr}];
      });
    }
    REQUIRE(last == p.last);
    // Accesses stand in tables of two files.
    REQUIRE(told.size() == done.size());
    for (auto t = told.begin(), d = done.begin(); t != told.end(); ++t, ++d) {
      REQUIRE(std::get<0>(t->first) == std::get<0>(d->first));
      REQUIRE(std::get<2>(t->first) == std::get<2>(d->first));
      REQUIRE(t->second == d->second);
    }
    ++passed;
    calls += next < program.events.size() && program.events[next].event.kind == EventKind::kReturn;
    return true;
  }
  bool goes_on(uint64_t) override { return true; }
  uint32_t may_stand_for(EventWalk&, const Passage& p) override {
    if (every != 5) return 0;
    if (again != p.begin) {
      again = p.begin + p.events;
      return kAskAgain;
    }
    size_t of_copy = 0;
    for (const BlockCount& c : p.blocks) of_copy += c.count;
    // The copy before, and these.
    uint64_t first = next;
    for (size_t left = of_copy; left > 0; left -= is_block(first)) --first;
    std::vector<OwnedEvent> blocks;
    for (uint64_t i = first; blocks.size() < of_copy * (p.copies + 1ULL); ++i)
      if (is_block(i)) blocks.push_back(program.events[i]);
    for (size_t i = of_copy; i < blocks.size(); ++i) REQUIRE((blocks[i] == blocks[i - of_copy]));
    const uint32_t some = stood % 2 ? p.copies : p.copies - 1;
    if (some < 4) return some;
    standing = of_copy * (some - 1ULL);
    ++stood;
    return some;
  }
  void stand_for(uint32_t copies) override {
    if (copies > 1) return;
    skip_to(next);
    for (; standing > 0; ++next) standing -= is_block(next);
  }
  bool is_block(uint64_t i) const { return program.events[i].event.kind == EventKind::kBlock; }
  // What follows from the last block that was passed over.
  void skip_to(uint64_t index) {
    for (; next < index; ++next) REQUIRE(program.events[next].event.kind == EventKind::kReturn);
  }

  const WalkingProgram& program;
  const std::vector<bool>& watched;
  uint32_t every, asked = 0;
  uint64_t next = 0, passed = 0, calls = 0, stood = 0, standing = 0, again = 0;
};

struct Passed {
  uint64_t passed = 0, calls = 0, stood = 0;
};

Passed check(const WalkingProgram& p, uint32_t seed) {
  Passed all;
  for (const uint64_t epoch : {uint64_t{60}, uint64_t{1} << 24}) {
    const trace::TraceFile file = open_bytes(record(p.tables, p.events, compact_in_form(seed, epoch)));
    for (const uint32_t every : {0, 1, 2, 5}) {
      INFO("seed " << seed << ", every " << every << ", epochs of " << epoch << " blocks");
      WalkedBlocks walked(file.blocks());
      if (every == 2) walked.watched[seed % file.blocks().block_count() + 1] = true;
      trace::Seeker seeker(file);
      EventWalk walk(seeker, walked);
      Checker checker(p, walked.watched, every);
      REQUIRE(walk.run(checker, p.events.size()) == p.events.size());
      checker.skip_to(p.events.size());
      all.passed += checker.passed;
      all.calls += checker.calls;
      all.stood += checker.stood;
    }
  }
  return all;
}

}  // namespace

TEST_CASE("a walk over events passes over what its reader lets it, and tells the rest") {
  Passed walking, sweeping, repeating, apart, waiting;
  const auto add = [](Passed& to, const Passed& p) {
    to = {to.passed + p.passed, to.calls + p.calls, to.stood + p.stood};
  };
  for (uint32_t seed = 1; seed <= 16; ++seed) {
    add(walking, check(sharing_program(seed, 300), seed));
    add(walking, check(walking_program(seed, 400), seed));
    add(sweeping, check(SweepingProgram::of(seed, 120), seed));
    add(repeating, check(SweepingProgram::repeating(seed, 12, 12), seed));
    add(waiting, check(SweepingProgram::waiting(seed, 60), seed));
    add(apart, check(SweepingProgram::apart(seed, 120, 3), seed));
  }
  CAPTURE(walking.passed, walking.calls, sweeping.calls, repeating.calls, apart.calls, waiting.passed);
  CHECK(sweeping.passed > 100);
  CHECK(repeating.passed > 100);
  CHECK(apart.passed > 100);
  CHECK(walking.calls + sweeping.calls + repeating.calls + apart.calls > 10);
  CHECK(waiting.stood > 100);
}

TEST_CASE("a walk over events ends where its reader does, or at the end that it is given") {
  const WalkingProgram p = SweepingProgram::of(3, 100);
  const trace::TraceFile file = open_bytes(record(p.tables, p.events, compact_in_form(0, 1 << 24)));
  struct Until final : EventReader {
    void event(const Event&, uint64_t index) override { last = index; }
    bool pass(EventWalk&, const Passage&) override { return false; }
    bool goes_on(uint64_t index) override { return index < end; }
    uint64_t end = 0, last = 0;
  };
  const WalkedBlocks none(file.blocks());
  for (const uint64_t end : {uint64_t{1}, uint64_t{20}, uint64_t{77}}) {
    trace::Seeker seeker(file);
    Until reader;
    reader.end = end;
    CHECK(EventWalk(seeker, none).run(reader, p.events.size()) == end);
    CHECK(reader.last == end - 1);
    reader.end = p.events.size();
    CHECK(EventWalk(seeker, none).run(reader, end) == end);
    CHECK(reader.last == end - 1);
  }
}
