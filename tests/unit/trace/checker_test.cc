// SPDX-License-Identifier: GPL-2.0-or-later
// For each invariant a trace that breaks it alone. The cases change one thing in small_program().
#include "cdrgrind/trace/check/checker.h"

#include <functional>
#include <set>

#include "cdrgrind/base/mpi_calls.h"
#include "cdrgrind/format/info.h"
#include "tests/fuzz/frames_input.h"
#include "tests/fuzz/mutation.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;
using namespace cdr::trace;

namespace {

struct Case {
  const char* invariant;
  void (*change)(SmallProgram&);
};

Event& event_at(SmallProgram& p, EventKind kind, size_t n = 0) { return p.events[p.find(kind, 0, n)].event; }
SuperblockParts& superblock_of(SmallProgram& p, uint32_t block) {
  return p.superblocks[p.blocks[block - 1].superblock.value - 1];
}
Event heap_event(EventKind kind, uint64_t addr, uint64_t size) {
  Event e = event_of(kind, 1);
  e.addr = addr;
  e.size = size;
  return e;
}
Event pop_event(uint32_t count) {
  Event e = event_of(EventKind::kPop, 1);
  e.count = count;
  return e;
}
struct Operation {
  bool enter = false;
  SyncOp op = SyncOp::kNone;
  uint64_t object = 0;
};
// Of thread 1.
void insert_operations(SmallProgram& p, std::initializer_list<Operation> operations) {
  size_t at = p.find(EventKind::kMark);
  for (const Operation& o : operations) {
    Event e = event_of(o.enter ? EventKind::kSyncEnter : EventKind::kSyncLeave, 1);
    e.sync.op = o.op;
    e.sync.object = o.object;
    p.insert(at++, e);
  }
}
// Of thread 1, in a receive.
Event mpi_event(EventKind kind, std::span<const uint64_t> words) {
  constexpr uint32_t kReceive = 14;
  Event e = event_of(kind, 1);
  e.count = kind == EventKind::kMpiWords ? uint32_t{CDR_MPI_IS_RESULT} : kReceive;
  e.words = words;
  return e;
}
Event switch_event(uint32_t thread, uint32_t stack, uint64_t sp) {
  Event e = event_of(EventKind::kStackSwitch, thread);
  e.stack = StackId(stack);
  e.range = {sp - 0x1000, sp + 0x1000};
  e.sp = sp;
  return e;
}

constexpr uint32_t kSuperblockF = 2;

const Case kCases[] = {
    {"flow-from-earlier-loads",
     [](SmallProgram& p) {
       // What f stores comes from what it loads behind it.
       p.change_flow = [](uint32_t superblock, FlowParts& flow) {
         if (superblock == kSuperblockF) flow.inputs[flow.set_ends[flow.accesses[1].value - 1u] / 2 - 1].first = 2;
       };
     }},
    {"flow-writes-ascending",
     [](SmallProgram& p) {
       p.change_flow = [](uint32_t superblock, FlowParts& flow) {
         if (superblock != kSuperblockF) return;
         flow.writes.insert(flow.writes.begin(), flow.writes[0]);
         for (ExitFlow& e : flow.exits) ++e.writes;
       };
     }},
    {"flow-of-all-superblocks", [](SmallProgram& p) { p.flow_count = 3; }},
    {"insns-ascending", [](SmallProgram& p) { superblock_of(p, kF).insns[1].length = 5; }},
    {"prefixes-monotone",
     [](SmallProgram& p) { superblock_of(p, kF).accesses[0].insn = 1, superblock_of(p, kF).accesses[1].insn = 0; }},
    {"last-exit-always", [](SmallProgram& p) { superblock_of(p, kF).exits[0].guard = ExitGuard::kCondition; }},
    {"slots-in-order",
     [](SmallProgram& p) {
       auto& a = superblock_of(p, kF).accesses;
       a[1].slot = 2;
       a[2].slot = 1;
       p.events[p.find(EventKind::kPartial, kF, 1)].words = {0, 0x10000};
     }},
    {"guarded-slot-own", [](SmallProgram& p) { superblock_of(p, kF).accesses[1].constant = 8; }},
    {"access-has-width", [](SmallProgram& p) { superblock_of(p, kF).accesses[0].width = 0; }},
    {"shim-without-accesses", [](SmallProgram& p) { superblock_of(p, kF).sb.flags |= kBlockShim; }},
    {"module-text-contains-block", [](SmallProgram& p) { p.module.text.end = kText + 0x300; }},

    {"forked-begins-in-gap", [](SmallProgram& p) { p.parent_pid = 70; }},
    {"thread-starts-first",
     [](SmallProgram& p) {
       std::swap(p.events[0], p.events[1]);
       p.erase(0);
       p.insert(1, event_of(EventKind::kModuleMapped, 1));
       p.events[1].event.module = ModuleId(1);
       p.insert(0, event_of(EventKind::kMark, 1));
     }},
    {"thread-starts-once",
     [](SmallProgram& p) {
       p.insert(p.find(EventKind::kMark), event_of(EventKind::kTurn, 3));
       p.insert(p.find(EventKind::kMark), event_of(EventKind::kTurn, 1));
     }},
    {"thread-starts-once",
     [](SmallProgram& p) {
       Event e = p.events[p.find(EventKind::kThreadStart, 0, 1)].view();
       p.insert(p.find(EventKind::kBlock, kThreadBody), e);
     }},
    {"thread-created-by-creator", [](SmallProgram& p) { p.erase(p.find(EventKind::kThreadCreate)); }},
    {"thread-ends-once", [](SmallProgram& p) { p.events.emplace_back(event_of(EventKind::kThreadEnd, 1)); }},
    {"no-event-after-end", [](SmallProgram& p) { p.events.emplace_back(event_of(EventKind::kMark, 1)); }},
    {"turn-before-thread-change", [](SmallProgram& p) { p.erase(p.find(EventKind::kTurn, 0, 1)); }},
    {"turn-changes-thread", [](SmallProgram& p) { p.insert(p.find(EventKind::kMark), event_of(EventKind::kTurn, 1)); }},
    {"stack-one-thread",
     [](SmallProgram& p) { p.insert(p.find(EventKind::kBlock, kThreadBody), switch_event(2, 1, 0x50f000)); }},
    {"gaps-alternate",
     [](SmallProgram& p) { p.insert(p.find(EventKind::kEnter), p.events[p.find(EventKind::kGapBegin)].view()); }},
    {"gap-has-no-blocks", [](SmallProgram& p) { p.insert(p.find(EventKind::kEnter), block_of(1, kLock)); }},
    {"enter-only-in-gap",
     [](SmallProgram& p) { p.insert(p.find(EventKind::kMark), p.events[p.find(EventKind::kEnter)].view()); }},
    {"sync-nesting", [](SmallProgram& p) { event_at(p, EventKind::kSyncLeave).sync.op = SyncOp::kMutexUnlock; }},

    {"sync-nesting",
     [](SmallProgram& p) {
       const Event enter = p.events[p.find(EventKind::kSyncEnter)].view();
       p.insert(p.find(EventKind::kSyncLeave), enter);
     }},
    {"strands-in-runtime",
     [](SmallProgram& p) {
       insert_operations(p, {{true, SyncOp::kTaskData, 7}, {false, SyncOp::kTaskData, 7}});
     }},
    {"team-open",
     [](SmallProgram& p) {
       insert_operations(p, {{true, SyncOp::kParallel, 7},
                             {true, SyncOp::kImplicitTask, 8},
                             {false, SyncOp::kImplicitTask, 8},
                             {false, SyncOp::kParallel, 7}});
     }},
    {"barriers-balance",
     [](SmallProgram& p) {
       insert_operations(p, {{true, SyncOp::kParallel, 7},
                             {true, SyncOp::kImplicitTask, 7},
                             {true, SyncOp::kTeamBarrier, 0},
                             {false, SyncOp::kTeamBarrier, 0},
                             {false, SyncOp::kImplicitTask, 7},
                             {true, SyncOp::kImplicitTask, 7},
                             {false, SyncOp::kImplicitTask, 7},
                             {false, SyncOp::kParallel, 7}});
     }},
    {"task-begins-once",
     [](SmallProgram& p) {
       insert_operations(p, {{true, SyncOp::kTaskwait, 0},
                             {true, SyncOp::kTask, 7},
                             {false, SyncOp::kTask, 7},
                             {false, SyncOp::kTaskwait, 0}});
     }},
    {"mpi-nesting", [](SmallProgram& p) { p.insert(p.find(EventKind::kMark), mpi_event(EventKind::kMpiLeave, {})); }},
    {"mpi-nesting",
     [](SmallProgram& p) {
       const size_t at = p.find(EventKind::kMark);
       p.insert(at, mpi_event(EventKind::kMpiEnter, {}));
       p.insert(at, mpi_event(EventKind::kMpiEnter, {}));
     }},
    {"mpi-words-whole",
     [](SmallProgram& p) {
       static constexpr uint64_t kTwoOfThree[] = {CDR_MPI_DONE | 3 << 8, 0, 1};
       const size_t at = p.find(EventKind::kMark);
       p.insert(at, mpi_event(EventKind::kMpiLeave, {}));
       p.insert(at, mpi_event(EventKind::kMpiWords, kTwoOfThree));
       p.insert(at, mpi_event(EventKind::kMpiEnter, {}));
     }},
    {"hides-alternate", [](SmallProgram& p) { p.insert(p.find(EventKind::kMark), event_of(EventKind::kHideEnd, 1)); }},
    {"no-sync-hidden",
     [](SmallProgram& p) {
       const size_t enter = p.find(EventKind::kSyncEnter);
       p.insert(enter, event_of(EventKind::kHideBegin, p.events[enter].view().thread.value));
     }},

    {"ids-in-first-appearance-order",
     [](SmallProgram& p) {
       Event e = event_of(EventKind::kPartial, 1);
       e.block = BlockId(kHandler);
       e.ip = kText + 0x300;
       p.insert(p.find(EventKind::kBlock, kLoopAgain), e);
     }},
    {"module-before-block",
     [](SmallProgram& p) {
       Event e = event_of(EventKind::kModuleUnmapped, 1);
       e.module = ModuleId(1);
       p.insert(p.find(EventKind::kPartial, kF, 1), e);
     }},
    {"module-mapped-once",
     [](SmallProgram& p) { p.insert(p.find(EventKind::kMap), p.events[p.find(EventKind::kModuleMapped)].view()); }},
    {"words-match-exit", [](SmallProgram& p) { p.events[p.find(EventKind::kBlock, kF)].words.pop_back(); }},
    {"words-match-exit",
     [](SmallProgram& p) {
       p.events[p.find(EventKind::kPartial, kF, 1)].words = {1, 2};
     }},
    {"partial-names-last-exit",
     [](SmallProgram& p) {
       Event e = event_of(EventKind::kPartial, 1);
       e.block = BlockId(kLoopAgain);
       e.ip = kText + 16;
       p.insert(p.find(EventKind::kMark), e);
     }},
    {"partial-ip-in-block",
     [](SmallProgram& p) {
       event_at(p, EventKind::kPartial).ip += 2, p.events[p.find(EventKind::kPartial)].words = {7};
     }},
    {"jump-target-reached", [](SmallProgram& p) { superblock_of(p, kThreadBody).exits[0].target += 4; }},
    {"syscall-after-syscall-exit", [](SmallProgram& p) { p.erase(p.find(EventKind::kSyscall)); }},
    {"syscall-after-syscall-exit", [](SmallProgram& p) { event_at(p, EventKind::kSyscall).ip += 4; }},

    {"brackets-balanced",
     [](SmallProgram& p) {
       Event e = event_of(EventKind::kSignalLeave, 1);
       e.sp = kSp - 8;
       p.insert(p.find(EventKind::kMark), e);
     }},
    {"brackets-balanced",
     [](SmallProgram& p) {
       const size_t at = p.find(EventKind::kEnter);
       p.insert(at, pop_event(2));
       p.erase(at + 2);  // the gap's Return
     }},
    {"call-after-call-exit", [](SmallProgram& p) { p.erase(p.find(EventKind::kCall, 0, 3)); }},
    {"call-after-call-exit",
     [](SmallProgram& p) {
       Event e = event_of(EventKind::kCall, 1);
       e.sp = kSp - 16;
       p.insert(p.find(EventKind::kMark), e);
     }},
    {"return-after-return-exit", [](SmallProgram& p) { p.erase(p.find(EventKind::kReturn, 0, 1)); }},
    {"return-after-return-exit",
     [](SmallProgram& p) {
       Event e = event_of(EventKind::kReturn, 1);
       e.sp = kSp;
       p.insert(p.find(EventKind::kMark), e);
     }},
    {"pop-count-exact",
     [](SmallProgram& p) {
       // A jump that leaves f's frame; SP goes up, the frame stays.
       auto& f = superblock_of(p, kF);
       f.exits[0].kind = ExitKind::kIndirectJump;
       p.erase(p.find(EventKind::kReturn));
     }},
    {"pop-count-exact",
     [](SmallProgram& p) {
       superblock_of(p, kF).exits[0].kind = ExitKind::kIndirectJump;
       p.events[p.find(EventKind::kReturn)] = OwnedEvent(pop_event(0));
     }},
    {"call-sp-below-frames",
     [](SmallProgram& p) {
       const size_t at = p.find(EventKind::kEnter);
       p.insert(at, p.events[at - 1].view());
       p.insert(p.find(EventKind::kEnter) + 1, pop_event(1));
     }},
    {"call-ip-at-exit", [](SmallProgram& p) { event_at(p, EventKind::kCall).ip -= 4; }},
    {"call-pushes-at-sp", [](SmallProgram& p) { p.events[p.find(EventKind::kBlock, kCallF)].words[0] += 16; }},
    {"sp-tracks", [](SmallProgram& p) { event_at(p, EventKind::kReturn).sp += 16; }},

    {"sp-told-after-gap",
     [](SmallProgram& p) {
       Event e = event_of(EventKind::kGapBegin, 2);
       const size_t at = p.find(EventKind::kBlock, kThreadBody);
       p.insert(at, e);
       e.kind = EventKind::kGapEnd;
       e.sp = 0x50f000;
       p.insert(at + 1, e);
       // Thread 1 goes on without a StackPointer.
       p.erase(p.find(EventKind::kGapBegin, 0, 1));
       p.erase(p.find(EventKind::kGapEnd, 0, 1));
       p.erase(p.find(EventKind::kEnter));
       p.erase(p.find(EventKind::kCall, 0, 2));
       p.erase(p.find(EventKind::kReturn, 0, 2));
     }},

    {"alloc-not-overlapping",
     [](SmallProgram& p) { p.insert(p.find(EventKind::kFree), heap_event(EventKind::kAlloc, 0x1003f, 8)); }},
    {"free-was-allocated", [](SmallProgram& p) { event_at(p, EventKind::kFree).size = 32; }},
    {"free-was-allocated",
     [](SmallProgram& p) { p.erase(p.find(EventKind::kAlloc)), p.erase(p.find(EventKind::kResize)); }},
    {"ranges-not-empty",
     [](SmallProgram& p) {
       event_at(p, EventKind::kMap).range = {0x10000, 0x10000};
     }},
};

using FrameBytes = std::vector<std::vector<uint8_t>>;

// Frames of a compact trace of small epochs, each as fuzz::trace_of takes it.
FrameBytes frames_of_epochs(const SmallProgram& p) {
  const auto all = fuzz::frames_of(open_bytes(p.bytes({.form = RecordingForm::kCompact, .epoch_blocks = 2})));
  FrameBytes frames;
  for (size_t at = 0; at < all.size(); at += frames.back().size()) {
    const size_t length = 3u + all[at + 1] + 256u * all[at + 2];
    frames.emplace_back(all.begin() + static_cast<ptrdiff_t>(at), all.begin() + static_cast<ptrdiff_t>(at + length));
  }
  return frames;
}

bool holds_states(const std::vector<uint8_t>& frame) {
  return (frame[0] & 0x7f) == static_cast<int>(FrameType::kThread);
}

// `p` with the states of the threads that `other` has at the starts of its epochs.
CheckResult check_with_states_of(const SmallProgram& p, const SmallProgram& other) {
  FrameBytes states = frames_of_epochs(other);
  std::erase_if(states, [](const auto& frame) { return !holds_states(frame); });
  std::vector<uint8_t> bytes;
  size_t n = 0;
  for (const auto& frame : frames_of_epochs(p)) {
    const auto& f = holds_states(frame) && n < states.size() ? states[n++] : frame;
    bytes.insert(bytes.end(), f.begin(), f.end());
  }
  REQUIRE(n > 2);
  return check(open_bytes(fuzz::trace_of(bytes)));
}

std::set<std::string> broken(const SmallProgram& p, std::string& seen) {
  std::set<std::string> names;
  for (const Violation& v : check(open_bytes(p.bytes())).examples) {
    names.emplace(v.invariant);
    seen += "\n" + std::string(v.invariant) + " at " + std::to_string(v.event) + ": " + v.seen;
  }
  return names;
}

}  // namespace

TEST_CASE("a clean trace breaks no invariant") {
  const SmallProgram p = small_program();
  const CheckResult result = check(open_bytes(p.bytes()));
  for (const Violation& v : result.examples) UNSCOPED_INFO(v.invariant << " at " << v.event << ": " << v.seen);
  CHECK(result.ok());
  CHECK(result.events == p.events.size());
}

TEST_CASE("each invariant is reported by name, alone") {
  for (const Case& c : kCases) {
    SmallProgram p = small_program();
    c.change(p);
    std::string seen = std::string("case ") + c.invariant;
    const auto names = broken(p, seen);
    INFO(seen);
    CHECK(names == std::set<std::string>{c.invariant});
  }
}

TEST_CASE("every invariant has a case") {
  std::set<std::string_view> cases, all;
  for (const Case& c : kCases) cases.insert(c.invariant);
  cases.insert("epoch-begins-as-left");  // these have tests of their own, below
  cases.insert("totals-as-counted");
  for (const Invariant& i : invariants()) {
    all.insert(i.name);
    CHECK_FALSE(i.says.empty());
  }
  CHECK(cases == all);
}

namespace {

CheckResult check_with_end(const std::function<void(EndPayload&)>& change) {
  return check(open_bytes(
      fuzz::with_changed_column(small_program().bytes(), FrameType::kEnd, 0, [&](std::vector<uint8_t>& text) {
        EndPayload end;
        REQUIRE(decode_end(text, end));
        change(end);
        ByteWriter to;
        encode_end(end.counters, end.texts, to);
        text.assign(to.bytes().begin(), to.bytes().end());
      })));
}

}  // namespace

TEST_CASE("the totals in END are those of the events") {
  for (const char* key : {"blocks", "instructions", "accesses", "threads"}) {
    const CheckResult result = check_with_end([key](EndPayload& end) {
      for (Counter& c : end.counters) c.value += c.key == key;
    });
    REQUIRE(result.violations == 1);
    CHECK(result.examples[0].invariant == "totals-as-counted");
    CHECK(result.examples[0].seen.starts_with(std::string(key) + " "));
  }
}

TEST_CASE("END begins with all totals and how the program ended") {
  const CheckResult swapped = check_with_end([](EndPayload& end) { std::swap(end.counters[0], end.counters[1]); });
  REQUIRE(swapped.violations == 2);
  CHECK(swapped.examples[0].seen == "no events");
  const CheckResult short_of = check_with_end([](EndPayload& end) { end.counters.resize(4); });
  REQUIRE(short_of.violations == 1);
  CHECK(short_of.examples[0].seen == "no threads");
  const CheckResult silent = check_with_end([](EndPayload& end) { end.texts.clear(); });
  REQUIRE(silent.violations == 1);
  CHECK(silent.examples[0].seen == "not how the program ended");
}

TEST_CASE("what unwinds a thread that is cancelled runs inside of its wait") {
  for (const SyncOp wait : {SyncOp::kCondWait, SyncOp::kSemTimedWait, SyncOp::kBarrierWait}) {
    SmallProgram p = small_program();
    for (const EventKind kind : {EventKind::kSyncEnter, EventKind::kSyncLeave}) event_at(p, kind).sync.op = wait;
    Event once = p.events[p.find(EventKind::kSyncEnter)].view();
    const size_t leave = p.find(EventKind::kSyncLeave);
    once.sync = {SyncOp::kOnce, 0, 0x700000, 0, 0, 0};
    p.insert(leave, once);
    once.kind = EventKind::kSyncLeave;
    p.insert(leave + 1, once);
    CHECK(check(open_bytes(p.bytes())).violations == (wait == SyncOp::kBarrierWait ? 1 : 0));
  }
}

// The THREAD frames of the one trace with the other frames of the other.
TEST_CASE("an epoch begins with its threads as they were left") {
  const SmallProgram p = small_program();
  SmallProgram other = p;
  const char* seen = nullptr;
  SECTION("none changed") {}
  SECTION("counts") {
    other.insert(1, event_of(EventKind::kMark, 1));
    seen = "thread 1: events ";
  }
  SECTION("SP") {
    event_at(other, EventKind::kReturn).sp += 16;
    seen = "thread 1: SP ";
  }
  SECTION("frames") {
    event_at(other, EventKind::kThreadStart).sp += 16;
    seen = "thread 1: other frames";
  }
  SECTION("threads") {
    other.insert(1, event_of(EventKind::kTurn, 3));
    other.insert(2, event_of(EventKind::kMark, 3));
    other.insert(3, event_of(EventKind::kTurn, 1));
    seen = "threads 1, not 2";
  }
  const CheckResult result = check_with_states_of(p, other);
  CHECK(result.ok() == (seen == nullptr));
  for (const Violation& v : result.examples) CHECK(v.invariant == "epoch-begins-as-left");
  if (seen) CHECK_THAT(result.examples.at(0).seen, Catch::Matchers::StartsWith(seen));
}

TEST_CASE("only the first examples of an invariant are kept, all are counted") {
  SmallProgram p = small_program();
  for (int i = 0; i < 15; ++i) p.events.emplace_back(event_of(EventKind::kMark, 1));
  const CheckResult result = check(open_bytes(p.bytes()));
  CHECK(result.violations == 15);
  CHECK(result.examples.size() == 10);
}

TEST_CASE("Pop and stack switches are compared with SP") {
  SmallProgram p = small_program();
  SECTION("a jump out of two frames pops them") {
    // call f, call f again from below, then f leaves by a jump to above both.
    const size_t at = p.find(EventKind::kReturn);
    superblock_of(p, kF).exits[0].kind = ExitKind::kIndirectJump;
    p.erase(at);
    p.insert(at, pop_event(1));
    std::string seen;
    CHECK(broken(p, seen).empty());
    INFO(seen);
    p.events[at].event.count = 2;
    CHECK(broken(p, seen) == std::set<std::string>{"pop-count-exact", "brackets-balanced"});
  }
  SECTION("another stack has its own frames") {
    const size_t at = p.find(EventKind::kAlloc);
    p.insert(at, switch_event(1, 2, 0x20000));
    p.insert(at + 1, switch_event(1, 1, kSp));
    p.events[p.find(EventKind::kThreadStart, 0, 1)].event.stack = StackId(3);
    std::string seen;
    const auto names = broken(p, seen);
    INFO(seen);
    CHECK(names == std::set<std::string>{"sp-tracks"});
  }
}

TEST_CASE("a signal has a stack switch and a Pop of its own") {
  SmallProgram p = small_program();
  p.events[p.find(EventKind::kThreadStart, 0, 1)].event.stack = StackId(3);
  // Directly behind a block: to stack 2, where frames were left, and back.
  const uint64_t sp = 0x20000;
  const size_t at = p.find(EventKind::kSignalEnter);
  p.events[at].event.sp = sp;
  p.events[at].event.count = 11;
  p.insert(at, switch_event(1, 2, sp));
  p.insert(at + 4, switch_event(1, 1, kSp));
  std::string seen;
  CHECK(broken(p, seen).empty());
  INFO(seen);
  SECTION("a second handler ends the frame that the first left") {
    p.erase(at + 3);  // SignalLeave
    p.erase(at + 3);
    const size_t loop = at + 3;
    p.insert(loop, pop_event(1));
    p.insert(loop + 1, p.events[at + 1].view());
    Event leave = event_of(EventKind::kSignalLeave, 1);
    leave.sp = kSp;
    p.insert(loop + 2, leave);
    p.insert(loop + 3, switch_event(1, 1, kSp));
    CHECK(broken(p, seen).empty());
    INFO(seen);
    p.erase(loop);
    CHECK(broken(p, seen) == std::set<std::string>{"pop-count-exact"});
  }
}

TEST_CASE("a forked child tells what it inherits in a gap of the process") {
  SmallProgram p = small_program();
  std::string seen;
  p.parent_pid = 70;
  const Event begin = event_of(EventKind::kGapBegin, 1);
  Event end = event_of(EventKind::kGapEnd, 1);
  end.sp = event_at(p, EventKind::kThreadStart).sp;
  p.insert(1, begin);
  p.insert(2, end);
  CHECK(broken(p, seen).empty());
  INFO(seen);
  p.erase(p.find(EventKind::kAlloc));
  p.erase(p.find(EventKind::kResize));
  CHECK(broken(p, seen) == std::set<std::string>{"free-was-allocated"});
}
