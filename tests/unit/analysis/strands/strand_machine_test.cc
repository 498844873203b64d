// SPDX-License-Identifier: GPL-2.0-or-later
// The table of docs/openmp.md, line by line: which strand runs where, and what it gets.
#include "cdrgrind/analysis/strands/strand_machine.h"

#include <algorithm>
#include <map>
#include <set>

#include "tests/unit/catch.h"

namespace cdr::strands {
namespace {

// What a strand has done is told by marks that it makes.
struct Marks {
  std::set<int> all;
  void join(const Marks& other) { all.insert(other.all.begin(), other.all.end()); }
};
using Set = std::set<int>;

constexpr uint64_t kAll = 0, kNoWait = 1;
constexpr uint64_t work(WorkKind k, WorkSchedule s = WorkSchedule::kNone) {
  return static_cast<uint64_t>(k) | static_cast<uint64_t>(s) << 4;
}
constexpr uint64_t kDynamic = work(WorkKind::kLoop, WorkSchedule::kDynamic);

class Run final : StrandClient<Marks> {
 public:
  Run() : machine_(*this) {}

  void enter(uint32_t t, SyncOp op, uint64_t value = 0, uint64_t object = 0) { tell(t, true, op, value, object, 0); }
  void leave(uint32_t t, SyncOp op, int64_t result = 0, uint64_t object = 0) { tell(t, false, op, 0, object, result); }
  void whole(uint32_t t, SyncOp op, uint64_t value = 0, int64_t result = 0) {
    enter(t, op, value);
    leave(t, op, result);
  }
  // Threads 1 and 2 are members of the team.
  void begin_team() {
    enter(1, SyncOp::kParallel, 2, 1);
    thread_of_runtime(2);
    enter(1, SyncOp::kImplicitTask, 0, 1);
    enter(2, SyncOp::kImplicitTask, 1, 1);
  }
  void end_team() {
    leave(1, SyncOp::kImplicitTask, 0, 1);
    leave(2, SyncOp::kImplicitTask, 0, 1);
    leave(1, SyncOp::kParallel, 0, 1);
  }
  void create(uint32_t t, uint64_t task, std::initializer_list<Depend> depends = {}, uint64_t flags = 0) {
    enter(t, SyncOp::kTaskCreate, flags);
    for (const Depend& d : depends) {
      enter(t, SyncOp::kTaskDepend, static_cast<uint64_t>(d.kind), d.addr);
      leave(t, SyncOp::kTaskDepend, 0, d.addr);
    }
    made(t, task);
    leave(t, SyncOp::kTaskCreate);
  }
  void made(uint32_t t, uint64_t task) {
    enter(t, SyncOp::kTaskData, 0, task);
    leave(t, SyncOp::kTaskData, 0, task);
  }
  // A loop of `all` iterations in chunks of the size that is asked for; the thread gets the first `got`.
  void begin_loop(uint32_t t, uint64_t chunk, uint64_t all, uint64_t got) {
    tell(t, true, SyncOp::kWorkBegin, kDynamic | chunk << 8, 0, 0, all);
    tell(t, false, SyncOp::kWorkBegin, got, 0, 1);
  }
  // Runs it, with that mark; gives what it knew.
  Set task(uint32_t t, uint64_t number, int with_mark) {
    enter(t, SyncOp::kTask, 0, number);
    Set before = knows(t);
    mark(t, with_mark);
    leave(t, SyncOp::kTask, 0, number);
    return before;
  }
  void thread_of_runtime(uint32_t t) {
    Event e;
    e.kind = EventKind::kThreadCreate;
    e.thread = ThreadId(1);
    e.child = ThreadId(t);
    machine_.event(e, 0);
  }

  void mark(uint32_t t, int m) {
    top(ThreadId(t)).all.insert(m);
    made_by_[ThreadId(t).value][strands_[t].size()].insert(m);
  }
  Set knows(uint32_t t) { return top(ThreadId(t)).all; }
  size_t depth(uint32_t t) { return strands_[t].size(); }
  uint64_t iteration(uint32_t t, SharedLoop loop = {}) {
    const uint64_t which = machine_.arrive(ThreadId(t), loop);
    machine_.realize(ThreadId(t));
    return which;
  }
  void begin_body(uint32_t t) { machine_.begin_body(ThreadId(t)); }
  void end_body(uint32_t t) { machine_.end_body(ThreadId(t)); }
  void leave_loop(uint32_t t) { machine_.leave_loop(ThreadId(t), 0); }
  bool has_too_many(uint32_t t) { return machine_.has_too_many(ThreadId(t)); }
  bool in_runtime(uint32_t t) const { return machine_.in_runtime(ThreadId(t)); }
  std::set<std::pair<uint64_t, uint64_t>> locks;

 private:
  void tell(uint32_t t, bool enter, SyncOp op, uint64_t value, uint64_t object, int64_t result, uint64_t object2 = 0) {
    Event e;
    e.kind = enter ? EventKind::kSyncEnter : EventKind::kSyncLeave;
    e.thread = ThreadId(t);
    e.sync.op = op;
    e.sync.value = value;
    e.sync.object = object;
    e.sync.object2 = object2;
    e.sync.result = result;
    machine_.event(e, 0);
  }
  struct Known {
    Marks marks;
    bool part = false;
  };
  Marks& top(ThreadId t) {
    auto& all = strands_[t.value];
    return all.empty() ? threads_[t.value] : all.back().marks;
  }
  Marks* below(ThreadId t) {
    auto& all = strands_[t.value];
    return !all.empty() && all.back().part ? &all[all.size() - 2].marks : nullptr;
  }
  Marks release(ThreadId by) override {
    Marks m = top(by);
    if (const Marks* b = below(by)) m.join(*b);
    return m;
  }
  void acquire(ThreadId by, const Marks& from) override {
    top(by).join(from);
    if (Marks* b = below(by)) b->join(from);
  }
  bool has_got(ThreadId by, const Marks& known) override {
    Set without_own = release(by).all;
    for (const int m : made_by_[by.value][strands_[by.value].size()]) without_own.erase(m);
    return !std::includes(known.all.begin(), known.all.end(), without_own.begin(), without_own.end());
  }
  void begins(ThreadId on, const Strand& s, const Marks& from) override {
    made_by_[on.value].erase(strands_[on.value].size() + 1);
    strands_[on.value].push_back({from, lies_on_another(s.kind)});
  }
  Marks ends(ThreadId on, const Strand&) override {
    Marks m = strands_[on.value].back().marks;
    strands_[on.value].pop_back();
    return m;
  }
  void locked(ThreadId, const LockKey& k) override { locks.insert(k); }
  void unlocked(ThreadId, const LockKey& k) override { locks.erase(k); }

  std::map<uint32_t, std::vector<Known>> strands_;
  std::map<uint32_t, Marks> threads_;
  std::map<uint32_t, std::map<size_t, Set>> made_by_;  // by thread, how many strands lie on it: the uppermost one's own
  StrandMachine<Marks> machine_;
};

TEST_CASE("a team knows what was before its region, and what follows knows the team") {
  Run run;
  run.mark(1, 1);
  run.begin_team();
  CHECK(run.knows(2) == Set{1});
  run.mark(1, 2);
  run.mark(2, 3);
  CHECK(run.knows(1) == Set{1, 2});
  run.end_team();
  CHECK(run.knows(1) == Set{1, 2, 3});
  CHECK(run.depth(2) == 0);
}

TEST_CASE("a thread is in the runtime but for the program's code that it calls") {
  Run run;
  CHECK_FALSE(run.in_runtime(1));
  run.enter(1, SyncOp::kParallel, 2, 1);
  CHECK(run.in_runtime(1));
  run.thread_of_runtime(2);
  CHECK(run.in_runtime(2));
  run.enter(2, SyncOp::kImplicitTask, 1, 1);
  CHECK_FALSE(run.in_runtime(2));
  run.enter(2, SyncOp::kTeamBarrier);
  CHECK(run.in_runtime(2));
}

TEST_CASE("a barrier orders all before it and all behind it; a cancelled one does not") {
  for (const int64_t cancelled : {0, 1}) {
    Run run;
    run.begin_team();
    run.mark(1, 1);
    run.mark(2, 2);
    run.enter(1, SyncOp::kTeamBarrier);
    run.enter(2, SyncOp::kTeamBarrier);
    run.leave(2, SyncOp::kTeamBarrier, cancelled);
    CHECK(run.knows(2) == (cancelled ? Set{2} : Set{1, 2}));
    run.mark(2, 3);
    run.leave(1, SyncOp::kTeamBarrier, cancelled);
    CHECK(run.knows(1) == (cancelled ? Set{1} : Set{1, 2}));
  }
}

TEST_CASE("chunks that one thread executes know nothing of each other until the construct's barrier") {
  for (const uint64_t wait : {kAll, kNoWait}) {
    Run run;
    run.begin_team();
    run.mark(1, 1);
    run.enter(1, SyncOp::kWorkBegin, kDynamic);
    run.leave(1, SyncOp::kWorkBegin, 1);
    run.mark(1, 2);
    run.whole(1, SyncOp::kWorkNext, 0, 1);
    CHECK(run.knows(1) == Set{1});
    run.mark(1, 3);
    run.whole(1, SyncOp::kWorkNext, 0, 0);
    CHECK(run.knows(1) == Set{1});
    run.enter(2, SyncOp::kWorkBegin, kDynamic);
    run.leave(2, SyncOp::kWorkBegin, 0);
    run.enter(1, SyncOp::kWorkEnd, wait);
    run.enter(2, SyncOp::kWorkEnd, wait);
    run.leave(1, SyncOp::kWorkEnd);
    run.leave(2, SyncOp::kWorkEnd);
    CHECK(run.knows(2) == (wait == kNoWait ? Set{} : Set{1, 2, 3}));
    CHECK(run.knows(1) == (wait == kNoWait ? Set{1} : Set{1, 2, 3}));
    run.end_team();
    CHECK(run.knows(1) == Set{1, 2, 3});
  }
}

TEST_CASE("iterations of a static schedule belong to the thread that has them") {
  Run run;
  run.begin_team();
  run.enter(1, SyncOp::kWorkBegin, work(WorkKind::kLoop, WorkSchedule::kStatic));
  run.leave(1, SyncOp::kWorkBegin, 1);
  CHECK(run.depth(1) == 1);
}

TEST_CASE("the others of a single with copyprivate know what its executing thread did") {
  Run run;
  run.begin_team();
  const uint64_t copy = work(WorkKind::kCopySingle);
  run.whole(1, SyncOp::kWorkBegin, copy, 1);
  run.mark(1, 1);
  run.mark(2, 2);
  run.enter(2, SyncOp::kWorkBegin, copy);
  run.enter(1, SyncOp::kWorkEnd);
  run.leave(2, SyncOp::kWorkBegin, 0);
  CHECK(run.knows(2) == Set{1, 2});
  run.leave(1, SyncOp::kWorkEnd);
  CHECK(run.knows(1) == Set{1, 2});
}

TEST_CASE("the body of a single whose end the code tells is a part of who executes it") {
  Run run;
  run.begin_team();
  for (const uint32_t t : {1, 2}) {
    run.whole(t, SyncOp::kWorkBegin, work(WorkKind::kSingle), t == 1);
    run.mark(t, static_cast<int>(t));
    run.begin_body(t);
    CHECK(run.depth(t) == (t == 1 ? 2 : 1));
  }
  CHECK(run.knows(1).empty());
  run.mark(1, 3);
  for (const uint32_t t : {1, 2}) run.end_body(t);
  CHECK(run.knows(1) == Set{1});
  run.begin_body(1);
  CHECK(run.depth(1) == 1);
  for (const uint32_t t : {1, 2}) run.enter(t, SyncOp::kTeamBarrier);
  for (const uint32_t t : {1, 2}) run.leave(t, SyncOp::kTeamBarrier);
  CHECK(run.knows(2) == Set{1, 2, 3});

  // Where nobody tells it, the barrier does; a chunk's end is told by the runtime alone.
  run.whole(1, SyncOp::kWorkBegin, work(WorkKind::kSingle), 1);
  run.begin_body(1);
  run.enter(1, SyncOp::kTeamBarrier);
  CHECK(run.depth(1) == 1);
  run.leave(1, SyncOp::kTeamBarrier);
  run.whole(1, SyncOp::kWorkBegin, kDynamic, 1);
  run.end_body(1);
  CHECK(run.depth(1) == 2);
}

TEST_CASE("a single that no team executes in parallel has no body of its own") {
  Run run;
  run.enter(1, SyncOp::kParallel, 1, 1);
  run.enter(1, SyncOp::kImplicitTask, 0, 1);
  run.whole(1, SyncOp::kWorkBegin, work(WorkKind::kSingle), 1);
  run.begin_body(1);
  CHECK(run.depth(1) == 1);
}

TEST_CASE("ordered regions of a team know those before; other locks only exclude") {
  for (const ExclusiveKind kind : {ExclusiveKind::kOrdered, ExclusiveKind::kCritical}) {
    Run run;
    run.begin_team();
    const auto value = static_cast<uint64_t>(kind);
    run.whole(1, SyncOp::kExclusiveBegin, value, 1);
    CHECK(run.locks.size() == (kind == ExclusiveKind::kCritical));
    run.mark(1, 1);
    run.whole(1, SyncOp::kExclusiveEnd, value);
    run.whole(2, SyncOp::kExclusiveBegin, value, 1);
    CHECK(run.knows(2) == (kind == ExclusiveKind::kOrdered ? Set{1} : Set{}));
    run.whole(2, SyncOp::kExclusiveEnd, value);
    CHECK(run.locks.empty());
    run.whole(1, SyncOp::kExclusiveBegin, value, 0);
    CHECK(run.locks.empty());
  }
}

TEST_CASE("a task knows its creation, and nobody it before a wait for it") {
  Run run;
  run.begin_team();
  run.mark(1, 1);
  run.create(1, 7);
  run.mark(1, 2);
  CHECK(run.task(1, 7, 3) == Set{1});
  CHECK(run.knows(1) == Set{1, 2});
  run.whole(1, SyncOp::kTaskwait);
  CHECK(run.knows(1) == Set{1, 2, 3});
}

TEST_CASE("a taskgroup waits for descendants, a taskwait does not") {
  Run run;
  run.begin_team();
  run.whole(1, SyncOp::kTaskgroupBegin);
  run.create(1, 7);
  run.enter(2, SyncOp::kTask, 0, 7);
  run.create(2, 8);
  run.leave(2, SyncOp::kTask, 0, 7);
  run.task(2, 8, 5);
  run.whole(1, SyncOp::kTaskwait);
  CHECK(run.knows(1).empty());
  run.whole(1, SyncOp::kTaskgroupEnd);
  CHECK(run.knows(1) == Set{5});
}

TEST_CASE("siblings know those on which they depend") {
  Run run;
  run.begin_team();
  run.create(1, 7, {{8, DependKind::kOut}});
  run.create(1, 8, {{8, DependKind::kIn}});
  run.create(1, 9, {{16, DependKind::kIn}});
  run.task(1, 7, 1);
  CHECK(run.task(1, 8, 2) == Set{1});
  CHECK(run.task(1, 9, 3).empty());
  run.enter(1, SyncOp::kTaskwait, 1);
  run.enter(1, SyncOp::kTaskDepend, static_cast<uint64_t>(DependKind::kOut), 8);
  run.leave(1, SyncOp::kTaskDepend, 0, 8);
  run.leave(1, SyncOp::kTaskwait);
  CHECK(run.knows(1) == Set{1, 2});
}

TEST_CASE("members of a mutexinoutset exclude each other") {
  Run run;
  run.begin_team();
  run.create(1, 7, {{8, DependKind::kMutexInOutSet}});
  run.enter(1, SyncOp::kTask, 0, 7);
  CHECK(run.locks.size() == 1);
  run.leave(1, SyncOp::kTask, 0, 7);
  CHECK(run.locks.empty());
}

TEST_CASE("who creates an undeferred task knows it") {
  struct Way {
    uint64_t flags;
    bool team, undeferred;
  };
  for (const Way w :
       {Way{kTaskUndeferred, true, true}, Way{kTaskFinal, true, false}, Way{0, true, false}, Way{0, false, true}}) {
    Run run;
    if (w.team) run.begin_team();
    run.enter(1, SyncOp::kTaskCreate, w.flags);
    run.made(1, 7);
    run.task(1, 7, 1);
    run.leave(1, SyncOp::kTaskCreate);
    CHECK(run.knows(1) == (w.undeferred ? Set{1} : Set{}));
  }
}

TEST_CASE("tasks of a final task are undeferred") {
  Run run;
  run.begin_team();
  run.create(1, 7, {}, kTaskFinal);
  run.enter(1, SyncOp::kTask, 0, 7);
  run.enter(1, SyncOp::kTaskCreate);
  run.made(1, 8);
  run.task(1, 8, 1);
  run.leave(1, SyncOp::kTaskCreate);
  CHECK(run.knows(1) == Set{1});
}

TEST_CASE("a taskloop waits for its tasks, unless it has nogroup") {
  for (const uint64_t more : {uint64_t{0}, uint64_t{kTaskNoGroup}}) {
    Run run;
    run.begin_team();
    run.enter(1, SyncOp::kTaskCreate, kTaskLoop | more);
    run.made(1, 7);
    run.made(1, 8);
    run.task(2, 7, 1);
    CHECK(run.task(2, 8, 2).empty());
    run.leave(1, SyncOp::kTaskCreate);
    CHECK(run.knows(1) == (more ? Set{} : Set{1, 2}));
  }
}

TEST_CASE("a barrier waits for the team's tasks, and so does the region's end") {
  Run run;
  run.begin_team();
  run.create(1, 7);
  run.enter(1, SyncOp::kTeamBarrier);
  run.enter(2, SyncOp::kTeamBarrier);
  run.task(2, 7, 1);
  run.leave(2, SyncOp::kTeamBarrier);
  CHECK(run.knows(2) == Set{1});
  run.create(2, 8);
  run.leave(1, SyncOp::kTeamBarrier);
  run.leave(1, SyncOp::kImplicitTask, 0, 1);
  run.leave(2, SyncOp::kImplicitTask, 0, 1);
  run.task(2, 8, 2);
  run.leave(1, SyncOp::kParallel, 0, 1);
  CHECK(run.knows(1) == Set{1, 2});
}

TEST_CASE("an iteration of a doacross loop knows those that it waits for") {
  Run run;
  run.begin_team();
  for (const uint32_t t : {1u, 2u}) run.whole(t, SyncOp::kWorkBegin, kDynamic, 1);
  run.mark(1, 1);
  run.enter(1, SyncOp::kDoacrossPost, 0, 5);
  run.leave(1, SyncOp::kDoacrossPost, 0, 5);
  run.mark(1, 2);
  run.enter(2, SyncOp::kDoacrossWait, 0, 4);
  run.leave(2, SyncOp::kDoacrossWait, 0, 4);
  CHECK(run.knows(2).empty());
  run.enter(2, SyncOp::kDoacrossWait, 0, 5);
  run.leave(2, SyncOp::kDoacrossWait, 0, 5);
  CHECK(run.knows(2) == Set{1});
}

TEST_CASE("who waits for a detached task knows its end and who fulfilled its event") {
  Run run;
  run.begin_team();
  run.enter(1, SyncOp::kTaskCreate, kTaskDetached);
  run.enter(1, SyncOp::kTaskData, 0, 7);
  run.leave(1, SyncOp::kTaskData, 99, 7);
  run.leave(1, SyncOp::kTaskCreate);
  run.task(2, 7, 1);
  run.mark(2, 2);
  run.enter(2, SyncOp::kTaskFulfil, 0, 99);
  run.leave(2, SyncOp::kTaskFulfil, 0, 99);
  run.mark(2, 3);
  run.whole(1, SyncOp::kTaskwait);
  CHECK(run.knows(1) == Set{1, 2});
}

TEST_CASE("outside of a team a task is undeferred, that of a target construct with nowait is not") {
  for (const uint64_t flags : {uint64_t{0}, uint64_t{kTaskOfTarget}}) {
    Run run;
    run.mark(1, 1);
    run.enter(1, SyncOp::kTaskCreate, flags);
    run.made(1, 7);
    if (flags == 0) run.task(1, 7, 2);
    run.leave(1, SyncOp::kTaskCreate);
    CHECK(run.knows(1) == (flags == 0 ? Set{1, 2} : Set{1}));
    if (flags == 0) continue;
    run.thread_of_runtime(2);
    run.task(2, 7, 2);
    CHECK(run.knows(1) == Set{1});
    run.whole(1, SyncOp::kTaskwait);
    CHECK(run.knows(1) == Set{1, 2});
  }
}

TEST_CASE("teams of a league know nothing of each other") {
  Run run;
  run.mark(1, 1);
  run.enter(1, SyncOp::kParallel, kLeague | 2, 1);
  for (const int team : {2, 3}) {
    run.enter(1, SyncOp::kImplicitTask, 0, 1);
    CHECK(run.knows(1) == Set{1});
    run.mark(1, team);
    run.leave(1, SyncOp::kImplicitTask, 0, 1);
  }
  run.leave(1, SyncOp::kParallel, 0, 1);
  CHECK(run.knows(1) == Set{1, 2, 3});
}

constexpr SharedLoop kByCompiler{SharedLoop::By::kCompiler, 1, true};

TEST_CASE("iterations of a loop that the compiler shares out do not know each other, and what follows knows all") {
  Run run;
  run.begin_team();
  run.mark(1, 1);
  for (const int i : {2, 3}) {
    CHECK(run.iteration(1, kByCompiler) == static_cast<uint64_t>(i - 1));
    CHECK(run.knows(1) == Set{1});
    run.mark(1, i);
  }
  run.leave_loop(1);
  CHECK(run.depth(1) == 1);
  CHECK(run.knows(1) == Set{1, 2, 3});
}

TEST_CASE("a loop that is come to again is another") {
  Run run;
  run.begin_team();
  run.iteration(1, kByCompiler);
  run.mark(1, 1);
  run.leave_loop(1);
  run.iteration(1, kByCompiler);
  CHECK(run.knows(1) == Set{1});
}

// Marks 1; a static loop of iterations 2 and 3; 4 behind it.
void run_static_loop(Run& run) {
  run.begin_team();
  run.mark(1, 1);
  for (const int i : {2, 3}) {
    run.iteration(1, kByCompiler);
    run.mark(1, i);
  }
  run.leave_loop(1);
  run.mark(1, 4);
}

TEST_CASE("without a barrier iteration i of a static loop knows iteration i of those before it, and no other") {
  Run run;
  run_static_loop(run);
  run.iteration(1, kByCompiler);
  CHECK(run.knows(1) == Set{1, 2});
  run.mark(1, 5);
  run.iteration(1, kByCompiler);
  CHECK(run.knows(1) == Set{1, 3});
  run.leave_loop(1);
  CHECK(run.knows(1) == Set{1, 2, 3, 4, 5});
  run.iteration(1, kByCompiler);
  CHECK(run.knows(1) == Set{1, 2, 5});
}

TEST_CASE("loops are in turn only if each of them was found, in code that is not optimised") {
  Run run;
  run_static_loop(run);
  SharedLoop loop = kByCompiler;
  SECTION("one of which nothing was found") {
    run.whole(1, SyncOp::kThreadNumber);
    run.whole(1, SyncOp::kThreadNumber);
  }
  SECTION("optimised") { loop.as_written = false; }
  run.iteration(1, loop);
  CHECK(run.knows(1) == Set{1, 2, 3, 4});
}

TEST_CASE("between loops in turn there may be others that are shared out while they run") {
  Run run;
  run_static_loop(run);
  run.whole(1, SyncOp::kWorkBegin, kDynamic, 1);
  run.whole(1, SyncOp::kWorkNext, 0, 1);
  CHECK(run.knows(1) == Set{1});
  run.whole(1, SyncOp::kWorkNext);
  run.whole(1, SyncOp::kWorkEnd, kNoWait);
  run.whole(1, SyncOp::kThreadNumber);
  run.iteration(1, kByCompiler);
  CHECK(run.knows(1) == Set{1, 2});
}

TEST_CASE("a chunk behind a static loop without a barrier knows none of its iterations") {
  Run run;
  run_static_loop(run);
  run.whole(1, SyncOp::kWorkBegin, kDynamic, 1);
  CHECK(run.knows(1) == Set{1});
}

TEST_CASE("behind a barrier, or whatever else tells something, a loop knows all before it") {
  Run run;
  run_static_loop(run);
  SECTION("barrier") { run.whole(1, SyncOp::kTeamBarrier); }
  SECTION("taskwait") {
    run.create(1, 7);
    run.task(1, 7, 5);
    run.whole(1, SyncOp::kTaskwait);
  }
  run.iteration(1, kByCompiler);
  CHECK(run.knows(1).contains(2));
  CHECK(run.knows(1).contains(3));
}

TEST_CASE("iterations of a chunk do not know each other; the first is the chunk") {
  Run run;
  run.begin_team();
  run.enter(1, SyncOp::kWorkBegin, kDynamic);
  run.leave(1, SyncOp::kWorkBegin, 1);
  CHECK(run.iteration(1) == 1);
  run.mark(1, 1);
  CHECK(run.depth(1) == 2);
  CHECK(run.iteration(1) == 2);
  CHECK(run.depth(1) == 3);
  CHECK(run.knows(1).empty());
  run.mark(1, 2);
  run.whole(1, SyncOp::kWorkNext, 0, 0);
  CHECK(run.knows(1).empty());
  run.whole(1, SyncOp::kWorkEnd, kAll);
  CHECK(run.depth(1) == 1);
}

TEST_CASE("an operation makes an iteration a strand") {
  Run run;
  run.begin_team();
  run.iteration(1, kByCompiler);
  run.mark(1, 1);
  run.iteration(1, kByCompiler);
  run.enter(1, SyncOp::kExclusiveBegin, 0, 5);
  run.leave(1, SyncOp::kExclusiveBegin, 1, 5);
  CHECK(run.locks.size() == 1);
  CHECK(run.knows(1).empty());
}

TEST_CASE("a team for which one thread is asked has neither iterations nor chunks") {
  Run run;
  run.enter(1, SyncOp::kParallel, 1, 1);
  run.enter(1, SyncOp::kImplicitTask, 0, 1);
  CHECK(run.iteration(1, kByCompiler) == 0);
  run.enter(1, SyncOp::kWorkBegin, kDynamic);
  run.leave(1, SyncOp::kWorkBegin, 1);
  CHECK(run.iteration(1) == 0);
  CHECK(run.depth(1) == 1);
}

TEST_CASE("of very many iterations the later ones are taken together") {
  Iterations i;
  uint64_t strands = 0;
  for (int n = 0; n < 1000000; ++n) strands += i.arrive();
  CHECK(strands < 8000);
  CHECK(strands > 1024);
  Iterations few;
  for (int n = 0; n < 1000; ++n) CHECK(few.arrive());
}

TEST_CASE("iterations of one chunk are one strand, and those of the next another") {
  Iterations i;
  std::vector<uint64_t> first;
  for (int n = 0; n < 20; ++n)
    if (i.arrive(8)) first.push_back(i.first);
  CHECK(first == std::vector<uint64_t>{1, 9, 17});
}

TEST_CASE(
    "iterations of a chunk of the size that is asked for are one strand, of a loop of one chunk those of a part of "
    "it") {
  const auto begun = [](uint64_t chunk, uint64_t all, uint64_t got) {
    Run run;
    run.begin_team();
    run.begin_loop(1, chunk, all, got);
    std::vector<uint64_t> which;
    for (uint64_t i = 0; i < got; ++i) which.push_back(run.iteration(1));
    return which;
  };
  using Which = std::vector<uint64_t>;
  CHECK(begun(4, 9, 4) == Which{1, 0, 0, 0});
  CHECK(begun(4, 9, 9) == Which{1, 0, 0, 0, 5, 0, 0, 0, 9});  // a thread that is alone may get several
  CHECK(begun(1, 9, 3) == Which{1, 2, 3});
  CHECK(begun(16, 3, 3) == Which{1, 0, 3});
  CHECK(begun(7, 3, 3) == Which{1, 2, 3});
  CHECK(begun(0, 9, 3) == Which{1, 2, 3});
}

TEST_CASE("a loop of one chunk is looked at in the largest parts of a chunk that are several") {
  CHECK(part_of_chunk(1024, 256) == 128);
  CHECK(part_of_chunk(1024, 1024) == 512);
  CHECK(part_of_chunk(1024, 1) == 1);
  CHECK(part_of_chunk(1024, 0) == 1);
  for (uint64_t chunk = 1; chunk < 130; ++chunk)
    for (uint64_t all = 0; all <= chunk; ++all) {
      uint64_t largest = 1;
      for (uint64_t part = 1; part < all; ++part)
        if (chunk % part == 0) largest = part;
      CHECK(part_of_chunk(chunk, all) == largest);
    }
}

TEST_CASE("iterations of a share are counted as the loop's variable goes") {
  CHECK(count_of(0, 10, 1) == 10);
  CHECK(count_of(0, 10, 3) == 4);
  CHECK(count_of(10, 0, -2) == 5);
  CHECK(count_of(10, 0, 1) == 0);
  CHECK(count_of(0, 10, 0) == 0);
}

}  // namespace
}  // namespace cdr::strands
