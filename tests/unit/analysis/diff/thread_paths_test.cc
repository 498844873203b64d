// SPDX-License-Identifier: GPL-2.0-or-later
// Where paths part, in all forms of traces, against lists of their marks.
#include "cdrgrind/analysis/diff/thread_paths.h"

#include <map>

#include "cdrgrind/analysis/diff/turn_order.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/control_forms.h"
#include "tests/unit/trace/walking_program.h"

using namespace cdr;
using namespace cdr::diff;
using namespace cdr::test;
using trace::TraceFile;

namespace {

struct Mark {
  uint64_t mark = 0;
  PathPoint point;
};
using Lists = std::map<uint32_t, std::vector<Mark>>;

// None, one or two for each block; those of `other` are different ones.
BlockMarks marks_of(const BlockTable& blocks, BlockId other = {}) {
  BlockMarks marks(blocks.block_count());
  for (uint32_t b = 1; b <= blocks.block_count(); ++b)
    for (uint32_t k = 0; k < b % 3; ++k) marks.add(BlockId(b), 1000 * b + k + (BlockId(b) == other ? 77 : 0));
  return marks;
}

Lists lists_of(const std::vector<OwnedEvent>& events, const BlockMarks& marks) {
  Lists lists;
  std::map<uint32_t, uint64_t> blocks;
  for (const OwnedEvent& e : events) {
    if (e.event.kind != EventKind::kBlock) continue;
    const uint64_t number = blocks[e.event.thread.value]++;
    uint32_t k = 0;
    for (const uint64_t m : marks.of(e.event.block))
      lists[e.event.thread.value].push_back({m, {number, e.event.block, k++}});
  }
  return lists;
}

bool is(const std::optional<PathPoint>& point, const std::vector<Mark>& list, size_t at) {
  if (at >= list.size()) return !point;
  const PathPoint& want = list[at].point;
  return point && point->block == want.block && point->id == want.id && point->mark == want.mark;
}

// Against the lists. Returns how many threads part.
size_t check(const std::vector<Divergence>& found, Lists a, Lists b) {
  std::map<uint32_t, const Divergence*> by_thread;
  for (const Divergence& d : found) by_thread[d.thread.value] = &d;
  for (const auto& [thread, list] : Lists(a)) b[thread];
  size_t part = 0;
  for (const auto& [thread, right] : b) {
    const std::vector<Mark>& left = a[thread];
    size_t equal = 0;
    while (equal < left.size() && equal < right.size() && left[equal].mark == right[equal].mark) ++equal;
    const bool differs = equal < left.size() || equal < right.size();
    INFO("thread " << thread << ", " << equal << " equal marks");
    REQUIRE(by_thread.count(thread) == differs);
    if (!differs) continue;
    ++part;
    const Divergence& d = *by_thread[thread];
    REQUIRE(d.marks == equal);
    REQUIRE(is(d.old_next, left, equal));
    REQUIRE(is(d.new_next, right, equal));
    if (equal == 0) continue;
    REQUIRE(is(d.old_last, left, equal - 1));
    REQUIRE(is(d.new_last, right, equal - 1));
  }
  return part;
}

RecordingOptions form(uint64_t n, uint64_t epoch_blocks) {
  return n % 5 == 4 ? RecordingOptions{.raw_frame_bytes = 700} : compact_in_form(n, epoch_blocks);
}

// One recorded in two forms; the marks of a block are others in the second.
size_t compare(const WalkingProgram& p, uint64_t a, uint64_t b, uint64_t epoch_blocks, BlockId other) {
  const auto jobs = static_cast<unsigned>(1 + (a + b) % 3);
  const TraceFile before = open_bytes(record(p.tables, p.events, form(a, epoch_blocks)));
  const TraceFile after = open_bytes(record(p.tables, p.events, form(b, 2 * epoch_blocks)));
  const BlockMarks old_marks = marks_of(before.blocks()), new_marks = marks_of(after.blocks(), other);
  ThreadPaths old_paths(before, old_marks), new_paths(after, new_marks);
  old_paths.read(0, old_paths.parts(), jobs, {});
  new_paths.read(0, new_paths.parts(), jobs, {});
  REQUIRE(old_paths.executed() == new_paths.executed());
  std::vector<uint64_t> executed(before.blocks().block_count() + 1);
  for (const OwnedEvent& e : p.events) executed[e.event.block.value] += e.event.kind == EventKind::kBlock;
  REQUIRE(old_paths.executed() == executed);
  REQUIRE(!first_other_turn(before, after));
  return check(find_divergences(old_paths, new_paths), lists_of(p.events, old_marks), lists_of(p.events, new_marks));
}

}  // namespace

TEST_CASE("paths part where their marks do, whatever the form of the trace") {
  size_t part = 0;
  for (uint32_t seed = 1; seed <= 15; ++seed) {
    const WalkingProgram p = walking_program(seed, 400);
    INFO("seed " << seed);
    CHECK(compare(p, seed, seed / 2, 90, BlockId()) == 0);
    for (uint32_t b = 1; b <= p.tables.blocks.block_count(); b += 7) part += compare(p, seed, seed + b, 60, BlockId(b));
  }
  CHECK(part > 50);
}

TEST_CASE("paths part behind many marks, where there is no grammar, too") {
  const WalkingProgram p = walking_program(3, 40'000);
  // A block that comes late.
  std::map<uint32_t, size_t> first;
  for (size_t i = 0; i < p.events.size(); ++i)
    if (p.events[i].event.kind == EventKind::kBlock) first.emplace(p.events[i].event.block.value, i);
  uint32_t late = 0;
  for (const auto& [block, at] : first)
    if (block % 3 != 0 && (late == 0 || at > first[late])) late = block;
  for (const uint64_t a : {0, 2, 3})
    for (const uint64_t b : {2, 4}) CHECK(compare(p, a, b, 1 << 24, BlockId(late)) > 0);
}

TEST_CASE("a path that ends early parts at its end") {
  WalkingProgram p = walking_program(5, 300);
  const TraceFile whole = open_bytes(record(p.tables, p.events, form(0, 50)));
  auto shorter = p.events;
  shorter.resize(shorter.size() / 2);
  for (const uint64_t n : {0, 1, 2, 3, 4}) {
    const TraceFile half = open_bytes(record(p.tables, shorter, form(n, 50)));
    const BlockMarks a = marks_of(whole.blocks()), b = marks_of(half.blocks());
    ThreadPaths all(whole, a), some(half, b);
    const unsigned jobs = 2;
    all.read(0, all.parts(), jobs, {});
    some.read(0, some.parts(), jobs, {});
    CHECK(check(find_divergences(all, some), lists_of(p.events, a), lists_of(shorter, b)) > 0);
  }
}

TEST_CASE("parts that are equal byte for byte are taken over, and events that are equal are seen to be") {
  const WalkingProgram p = walking_program(7, 400);
  const TraceFile a = open_bytes(record(p.tables, p.events, form(0, 50)));
  const TraceFile b = open_bytes(record(p.tables, p.events, form(0, 50)));
  auto shorter = p.events;
  shorter.resize(shorter.size() / 2);
  const TraceFile half = open_bytes(record(p.tables, shorter, form(0, 50)));
  REQUIRE(a.event_frames().size() > 3);
  CHECK(equal_parts(a, b) == a.event_frames().size());
  CHECK(equal_events(a, b));
  CHECK(!equal_events(a, half));
  const BlockMarks marks = marks_of(a.blocks());
  const unsigned jobs = 4;
  ThreadPaths old_paths(a, marks), new_paths(b, marks);
  old_paths.read(0, 2, jobs, {});
  new_paths.take_over(old_paths);
  old_paths.read(2, old_paths.parts(), jobs, {});
  new_paths.read(2, new_paths.parts(), jobs, {});
  CHECK(old_paths.executed() == new_paths.executed());
  CHECK(find_divergences(old_paths, new_paths).empty());
}
