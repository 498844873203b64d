// SPDX-License-Identifier: GPL-2.0-or-later
// Which frames tasks know, while these are opened and left.
#include "cdrgrind/analysis/races/source/task_frames.h"

#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::races;

namespace {

constexpr uint64_t kTop = 0x10000;
constexpr ThreadId kCreator{1}, kOther{2};

// Threads with a stack each, one below the other.
struct Run {
  BlockTable blocks;
  std::vector<bool> shim = {false};
  TaskFrames frames{blocks, shim};
  std::vector<uint64_t> left;  // by serial number

  Run() {
    for (const ThreadId t : {kCreator, kOther}) {
      Event e;
      e.kind = EventKind::kThreadStart;
      e.thread = t;
      e.stack = StackId(t.value);
      e.sp = kTop * t.value;
      event(e);
    }
  }
  void event(const Event& e) {
    frames.event(e, [&](ThreadId, TaskFrames::Frame& f) { left.push_back(f.serial); });
  }
  // The frame lies below `base`.
  void call(ThreadId t, uint64_t base, uint64_t ip) {
    Event e;
    e.kind = EventKind::kCall;
    e.thread = t;
    e.sp = base - 8;
    e.ip = ip;
    event(e);
  }
  void comes_back(ThreadId t) {
    Event e;
    e.kind = EventKind::kReturn;
    e.thread = t;
    event(e);
  }
  void operation(EventKind kind, ThreadId t, SyncOp op, uint64_t object) {
    Event e;
    e.kind = kind;
    e.thread = t;
    e.sync.op = op;
    e.sync.object = object;
    event(e);
  }
  // By a wrapper whose frame lies below `base`.
  void create(ThreadId t, uint64_t base, uint64_t task) {
    call(t, base, 0x99);
    operation(EventKind::kSyncEnter, t, SyncOp::kTaskCreate, 0);
    operation(EventKind::kSyncEnter, t, SyncOp::kTaskData, task);
    operation(EventKind::kSyncLeave, t, SyncOp::kTaskData, task);
    operation(EventKind::kSyncLeave, t, SyncOp::kTaskCreate, 0);
    comes_back(t);
  }
  strands::Strand task(uint64_t number) {
    strands::Strand s;
    s.kind = strands::StrandKind::kTask;
    s.task = number;
    return s;
  }
};

}  // namespace

TEST_CASE("a task knows the frames that were open where it was created, and no later ones") {
  Run run;
  run.call(kCreator, 0xff00, 0x11);
  run.call(kCreator, 0xfe00, 0x22);
  run.create(kCreator, 0xfd00, 7);
  run.comes_back(kCreator);
  CHECK(run.left == std::vector<uint64_t>{2});
  run.call(kCreator, 0xfe00, 0x33);

  run.frames.begins(kOther, run.task(7));
  TaskFrames::Frame* const inner = run.frames.find(kOther, 0xfd80);
  REQUIRE(inner);
  CHECK((inner->left && inner->range == AddrRange{0xfd00, 0xfe00}));
  TaskFrames::Frame* const outer = run.frames.find(kOther, 0xfe00);
  REQUIRE(outer);
  CHECK((!outer->left && outer->range == AddrRange{0xfe00, 0xff00}));
  for (const uint64_t none : {0xfcf8, 0xff00, 0x1ff00}) CHECK(!run.frames.find(kOther, none));
  CHECK(run.frames.creation(kOther) == std::vector<CodeAddr>{{ModuleId(), 0x22}, {ModuleId(), 0x11}});
  CHECK(run.frames.stood(kOther, 0xfd80, {ModuleId(), 0x99}) == CodeAddr{ModuleId(), 0x99});
  CHECK(run.frames.stood(kOther, 0xfe80, {ModuleId(), 0x99}) == CodeAddr{ModuleId(), 0x22});

  run.frames.ends(kOther, run.task(7));
  CHECK(!run.frames.find(kOther, 0xfd80));
}

TEST_CASE("a task knows what its creator knows; its own frames have their place") {
  Run run;
  run.call(kCreator, 0xff00, 0x11);
  run.create(kCreator, 0xfe00, 1);
  run.frames.begins(kOther, run.task(1));
  run.call(kOther, 0x1ff00, 0x22);
  run.create(kOther, 0x1fe00, 2);
  run.comes_back(kOther);
  run.frames.ends(kOther, run.task(1));
  run.comes_back(kCreator);
  CHECK(run.left == std::vector<uint64_t>{2, 1});

  // On the first thread, where its frames lie over the one that it knows.
  run.frames.begins(kCreator, run.task(2));
  CHECK(run.frames.find(kCreator, 0x1fe80));
  CHECK(run.frames.find(kCreator, 0xfe80));
  run.call(kCreator, 0xff00, 0x33);
  CHECK(run.frames.find(kCreator, 0x1fe80));
  CHECK(!run.frames.find(kCreator, 0xfef8));
}

// Above the place where the frames of another strand began the memory is still the stack's.
TEST_CASE("what a frame's memory belonged to when it was left is told part by part") {
  Generations generations;
  Event e;
  e.kind = EventKind::kThreadStart;
  e.thread = kCreator;
  e.range = {kTop - 0x1000, kTop};
  generations.event(e, 1);
  const uint64_t middle = kTop - 0x80;
  generations.begin_frames(kCreator, 2, middle);
  TaskFrames::Frame f;
  f.range = {kTop - 0x100, kTop - 0x40};
  f.touched = {kTop - 0x90, kTop - 0x70};
  f.note_generations(generations);
  CHECK(f.generation_at(kTop - 0x90) == generations.at(kTop - 0x90).id);
  CHECK(f.generation_at(middle) == generations.at(middle).id);
  REQUIRE(f.generation_at(kTop - 0x90) != f.generation_at(middle));
  const auto parts = f.touched_parts();
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].range == AddrRange{kTop - 0x90, middle});
  CHECK(parts[1].range == AddrRange{middle, kTop - 0x70});
  CHECK(parts[0].generation == f.generation_at(kTop - 0x90));
  CHECK(parts[1].generation == f.generation_at(middle));
}
