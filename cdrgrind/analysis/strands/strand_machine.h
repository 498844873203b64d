// SPDX-License-Identifier: GPL-2.0-or-later
// What the operations of a parallel runtime mean (docs/openmp.md): which strand each thread executes, and what a strand
// gets of what others gave. A strand is what the program may run at the same time as others, whichever thread runs it:
// an implicit task, an explicit task, a part of a worksharing construct (a chunk of a loop, a section, the
// body of a single if its end is told, by the runtime or by whoever reads the code, begin_body() and end_body()).
//
// Those of a thread are stacked: a task that the runtime runs while another waits lies on that one; a part lies on its
// implicit task, which goes on in it with what is private to the task. Order comes from the operations alone, never
// from what one thread happened to do in turn.
//
// Of the iterations of a loop that is shared out each is a strand, too (iterations.h): whoever reads the code tells
// when one begins, arrive(). Most touch nothing that others do, so one is a strand only from when that is asked for on,
// realize(), or it comes to an operation.
//
// The client knows what is given and got. What gives does so at its enter event, what gets at its leave event.
#ifndef CDRGRIND_ANALYSIS_STRANDS_STRAND_MACHINE_H
#define CDRGRIND_ANALYSIS_STRANDS_STRAND_MACHINE_H

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/strands/iterations.h"
#include "cdrgrind/analysis/strands/strand.h"
#include "cdrgrind/analysis/strands/task.h"
#include "cdrgrind/analysis/strands/team.h"
#include "cdrgrind/base/event.h"

namespace cdr::strands {

template <class Release>
class StrandClient {
 public:
  // What the strand that the thread executes passes on now: a part's, and that of its implicit task.
  virtual Release release(ThreadId by) = 0;
  virtual void acquire(ThreadId by, const Release& from) = 0;
  // Whether it has got something since it passed on `known`, or that is not followed.
  virtual bool has_got(ThreadId /*by*/, const Release& /*known*/) { return true; }
  virtual void begins(ThreadId on, const Strand& s, const Release& from) = 0;
  // The one that began last; what it passes on.
  virtual Release ends(ThreadId on, const Strand& s) = 0;
  // Locks that exclude and do not order.
  using LockKey = std::pair<uint64_t, uint64_t>;
  virtual void locked(ThreadId, const LockKey&) {}
  virtual void unlocked(ThreadId, const LockKey&) {}
  virtual void task_data(ThreadId, AddrRange) {}
  // What is there is copied into a task's data.
  virtual void copies(ThreadId, uint64_t /*from*/, AddrRange /*to*/) {}
  // A member of the team has asked for its number; or for private copies by thread.
  virtual void asked(ThreadId, uint64_t /*team*/, bool /*for_copies*/) {}
  // The member's private copy of the variable is that itself.
  virtual void copy_is_itself(ThreadId, uint64_t /*team*/, uint64_t /*variable*/) {}

 protected:
  ~StrandClient() = default;
};

// For those who need not know what strands know of each other.
struct NoRelease {
  void join(const NoRelease&) {}
};

template <class Release>
class StrandMachine {
 public:
  explicit StrandMachine(StrandClient<Release>& client) : client_(client) {}
  ~StrandMachine();

  // All events but blocks; most change nothing.
  void event(const Event& e, uint64_t index) {
    if (e.kind == EventKind::kThreadCreate && in_runtime(e.thread)) state(e.child).of_runtime = true;
    if (e.kind == EventKind::kThreadEnd) end_thread(e.thread);
    if (e.kind == EventKind::kThreadCreate || (e.kind == EventKind::kSyncEnter && !ends_iteration(e.sync)))
      realize(e.thread);
    if (e.kind == EventKind::kSyncEnter && is_team_op(e.sync.op)) enter(e.thread, e.sync, index);
    if (e.kind == EventKind::kThreadCreate || e.kind == EventKind::kSyncEnter) keep_turn(e);
    if (e.kind == EventKind::kSyncLeave && is_team_op(e.sync.op)) leave(e.thread, e.sync);
  }
  // What the thread executes is the runtime's, not the program's that it calls.
  bool in_runtime(ThreadId t) const {
    if (t.value >= threads_.size()) return false;
    const State& s = threads_[t.value];
    return s.open.empty() ? s.of_runtime : !is_team_callback(s.open.back().op);
  }

  // At the header of a loop that is shared out. Which iteration of what the thread executes begins as a strand of its
  // own, from 1 on; 0: none does.
  uint64_t arrive(ThreadId t, const SharedLoop& loop);
  // Behind the call that asks who executes a single, and where the body has been left.
  void begin_body(ThreadId t);
  void end_body(ThreadId t);
  // In code outside of `loop`, of a function with loops that the compiler shares out. Whether another ends with that.
  bool leave_loop(ThreadId t, uint32_t loop);
  // Whether that ends one.
  bool leaves_loop(ThreadId t, uint32_t loop) {
    const Running* const b = base(t);
    return b && b->share.loop != 0 && b->share.loop != loop;
  }
  // The present iteration is a strand from now on, if it is none yet.
  void realize(ThreadId t);
  bool is_pending(ThreadId t) const {
    return t.value < threads_.size() && !threads_[t.value].running.empty() &&
           threads_[t.value].running.back().iterations.pending;
  }
  // It goes through iterations; more of them than it has got: what was taken for their loop is another.
  bool is_looping(ThreadId t) { return base(t) && base(t)->iterations.arrivals > 0; }
  bool has_too_many(ThreadId t) {
    const Running* const b = base(t);
    const Running* const s = sharer(t);
    return b && s && s->share.count != 0 && b->iterations.arrivals > s->share.count + 1;
  }
  // How many barriers of its team the member has passed.
  uint64_t phase(ThreadId t) {
    const Running* const m = member(t);
    return m ? m->task->phase : 0;
  }

 private:
  static constexpr uint64_t kUntold = 2;   // value of a kThreadNumber that asks for nothing
  static constexpr uint64_t kOfTasks = 1;  // locks that mutexinoutset makes of addresses
  using TaskRef = std::shared_ptr<Task<Release>>;
  using TeamRef = std::shared_ptr<Team<Release>>;
  // Loops with a static schedule one behind the other, without a barrier between them: iteration i of one comes behind
  // iteration i of those before, and no other of theirs; chunks, sections and singles behind them come behind none.
  // Only of code that is not optimised, for there iterations are counted alike.
  struct InTurn {
    bool goes_on = false;              // nothing else has come since the last loop ended
    uint32_t static_shares = 0;        // begun since then: one of which no loop was found is no loop in turn
    uint64_t phase = 0;                // of the last loop
    Release before;                    // what lies before all iterations of these loops
    Release known;                     // to the member when the last loop had ended
    std::map<uint64_t, Release> ends;  // of iterations, by number
  };
  // A worksharing construct, as a member of the team goes through it.
  struct Share {
    bool open = false, divided = false;  // divided: its parts are strands
    bool executes = false;               // a single whose end is not told, and the body has not begun
    WorkKind kind = WorkKind::kNone;
    uint64_t number = 0;     // of the team's constructs: all members come to them in one order
    int64_t step = 0;        // of the loop's variable; 0: not told
    uint64_t count = 0;      // of the iterations that it has got, at most; 0: not told
    AddrRange whole;         // the loop's variable: first and end
    uint64_t chunk = 0;      // as the program asks for it, if that is what each thread gets; 0: it does not
    bool one_chunk = false;  // that is all of the loop
    uint32_t loop = 0;       // that the compiler shares out
    Release begin;
    Release parts;       // of those that have ended, and that nobody has got from this member
    Release iterations;  // of a loop that has not ended
    InTurn in_turn;
    bool as_written = false;  // the loop that it goes through
    bool is_static() const { return open && kind == WorkKind::kLoop && !divided; }
    uint64_t together = 1;  // iterations that are one strand
  };
  struct Running {
    Strand strand;
    TaskRef task;
    Share share;
    Iterations iterations;
  };
  struct Creating {
    uint64_t flags = 0;
    std::vector<Depend> depends;
    std::vector<TaskRef> undeferred;
    std::shared_ptr<Group<Release>> group;  // of a taskloop
  };
  struct Open {
    SyncOp op = SyncOp::kNone;
    uint64_t object = 0, object2 = 0, value = 0;
    TeamRef team;  // of a parallel region; whose barrier it is
    Creating creating;
  };
  struct State {
    bool of_runtime = false;
    std::vector<Open> open;
    std::vector<Running> running;
    TaskRef initial;
  };

  State& state(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }
  void enter(ThreadId t, const Sync& s, uint64_t index);
  void leave(ThreadId t, const Sync& s);
  void end_thread(ThreadId t);

  // --- strands of a thread ---
  TaskRef task(ThreadId t) {
    State& s = state(t);
    if (!s.running.empty()) return s.running.back().task;
    if (!s.initial) s.initial = std::make_shared<Task<Release>>();
    return s.initial;
  }
  // The implicit task that it executes, or in whose part it is; null: none.
  Running* member(ThreadId t) {
    auto& all = state(t).running;
    if (all.empty()) return nullptr;
    Running* const lowest = sharer(t);
    return lowest->strand.kind == StrandKind::kImplicit ? lowest : nullptr;
  }
  // What its parts and iterations lie on; null: nothing runs.
  Running* sharer(ThreadId t) {
    auto& all = state(t).running;
    size_t i = all.size();
    while (i > 1 && lies_on_another(all[i - 1].strand.kind)) --i;
    return i == 0 ? nullptr : &all[i - 1];
  }
  // What an iteration lies on.
  Running* base(ThreadId t) {
    auto& all = state(t).running;
    if (all.empty()) return nullptr;
    return &all[all.size() - (all.back().strand.kind == StrandKind::kIteration ? 2 : 1)];
  }
  void begin(ThreadId t, const Strand& s, const TaskRef& task, const Release& from) {
    state(t).running.push_back({s, task, {}, {}});
    client_.begins(t, s, from);
  }
  Release end(ThreadId t) {
    auto& all = state(t).running;
    const Strand s = all.back().strand;
    all.pop_back();
    return client_.ends(t, s);
  }

  // --- teams ---
  void begin_team(ThreadId t, const Sync& s, uint64_t index);
  void end_team(ThreadId t, const TeamRef& team);
  void begin_member(ThreadId t, const Sync& s);
  void end_member(ThreadId t);
  void come_to_barrier(ThreadId t);
  void leave_barrier(ThreadId t);

  // --- worksharing ---
  void begin_work(ThreadId t, const Sync& s);
  void work_left(ThreadId t, const Sync& s, const Open& open);
  void end_part(ThreadId t);
  void begin_part(ThreadId t);
  void sink(ThreadId t, uint64_t iteration);
  void end_work(ThreadId t, const Sync& s);

  // --- iterations ---
  static bool ends_iteration(const Sync& s) {
    return s.op == SyncOp::kWorkNext || s.op == SyncOp::kWorkEnd || s.op == SyncOp::kTeamBarrier ||
           (s.op == SyncOp::kThreadNumber && s.value == kUntold);
  }
  void keep_turn(const Event& e);
  Release before_shares(ThreadId t, Running& member);
  bool goes_through(ThreadId t, const Running& b, const SharedLoop& loop);
  void begin_iterations(ThreadId t, Running& b, const SharedLoop& loop);
  void end_iteration(ThreadId t);
  void end_loop(ThreadId t);

  // --- tasks ---
  Open* creation(ThreadId t) {
    auto& all = state(t).open;
    for (auto o = all.rbegin(); o != all.rend(); ++o)
      if (o->op == SyncOp::kTaskCreate || o->op == SyncOp::kTaskwait) return &*o;
    return nullptr;
  }
  void create(ThreadId t, const Sync& s);
  void task_made(ThreadId t, const Sync& s);
  void begin_task(ThreadId t, const Sync& s);
  void end_task(ThreadId t);
  void created(ThreadId t, const Open& open);
  void wait_for_children(ThreadId t, const Open& open);
  void end_group(ThreadId t);
  void fulfil(ThreadId t, const Sync& s);
  void give_done(const TaskRef& task, const Release& given);

  struct Exclusive {
    std::pair<uint64_t, uint64_t> lock;
    bool ordered = false;
  };
  // Ordered regions are their team's; critical regions and locks are those of all that is in one team of a league, or
  // in none; what stands in place of atomic instructions is the process's.
  Exclusive lock_of(ThreadId t, uint64_t object, uint64_t kind) {
    const TaskRef now = task(t);
    const auto which = static_cast<ExclusiveKind>(kind);
    if (which == ExclusiveKind::kOrdered) return {{object, now->team ? now->team->number : 0}, true};
    return {{object, which == ExclusiveKind::kAtomic ? 0 : 2 * now->contention}, false};
  }
  void begin_exclusive(ThreadId t, const Exclusive& e);
  void end_exclusive(ThreadId t, const Exclusive& e);

  StrandClient<Release>& client_;
  std::vector<State> threads_;  // by id
  std::unordered_map<uint64_t, TeamRef> teams_;
  std::unordered_map<uint64_t, TaskRef> tasks_;     // created, not begun
  std::unordered_map<uint64_t, TaskRef> detached_;  // by handle of their event, not fulfilled
  std::map<std::pair<uint64_t, uint64_t>, Release> ordered_;
  uint64_t contention_groups_ = 0;
};

template <class Release>
StrandMachine<Release>::~StrandMachine() = default;

template <class Release>
void StrandMachine<Release>::enter(ThreadId t, const Sync& s, uint64_t index) {
  state(t).open.push_back({s.op, s.object, s.object2, s.value, nullptr, {}});
  switch (s.op) {
    case SyncOp::kParallel:
      return begin_team(t, s, index);
    case SyncOp::kImplicitTask:
      return begin_member(t, s);
    case SyncOp::kTeamBarrier:
      return come_to_barrier(t);
    case SyncOp::kWorkBegin:
      return begin_work(t, s);
    case SyncOp::kWorkNext:
      return end_part(t);
    case SyncOp::kWorkEnd:
      return end_work(t, s);
    case SyncOp::kExclusiveEnd:
      return end_exclusive(t, lock_of(t, s.object, s.value));
    case SyncOp::kTaskCreate:
      return create(t, s);
    case SyncOp::kTaskDepend:
      if (Open* const o = creation(t)) o->creating.depends.push_back({s.object, static_cast<DependKind>(s.value)});
      return;
    case SyncOp::kTaskData:
      if (const Open* const o = creation(t); o && o->op == SyncOp::kTaskCreate && o->object2)
        client_.copies(t, o->object2, {s.object2, s.object2 + s.value});
      return;
    case SyncOp::kTask:
      return begin_task(t, s);
    case SyncOp::kTaskgroupBegin:
      task(t)->groups.push_back(std::make_shared<Group<Release>>());
      return;
    case SyncOp::kDoacrossPost:
      if (Running* const m = member(t)) m->task->team->posted[{m->share.number, s.object}] = client_.release(t);
      return;
    case SyncOp::kTaskFulfil:
      return fulfil(t, s);
    case SyncOp::kThreadNumber:
      if (const TeamRef team = task(t)->team; team && s.value != kUntold) client_.asked(t, team->number, s.value != 0);
      return;
    default:
      return;
  }
}

template <class Release>
void StrandMachine<Release>::leave(ThreadId t, const Sync& s) {
  auto& all = state(t).open;
  while (!all.empty() && all.back().op != s.op) all.pop_back();
  if (all.empty()) return;
  const Open open = std::move(all.back());
  all.pop_back();
  switch (s.op) {
    case SyncOp::kParallel:
      return end_team(t, open.team);
    case SyncOp::kImplicitTask:
      return end_member(t);
    case SyncOp::kTeamBarrier:
      return s.result ? void() : leave_barrier(t);
    case SyncOp::kWorkBegin:
    case SyncOp::kWorkNext:
      return work_left(t, s, open);
    case SyncOp::kWorkEnd:
      return open.value || s.result ? void() : leave_barrier(t);
    case SyncOp::kExclusiveBegin:
      return s.result ? begin_exclusive(t, lock_of(t, open.object, open.value)) : void();
    case SyncOp::kTaskCreate:
      return created(t, open);
    case SyncOp::kTaskData:
      return task_made(t, s);
    case SyncOp::kTask:
      return end_task(t);
    case SyncOp::kTaskwait:
      return wait_for_children(t, open);
    case SyncOp::kTaskgroupEnd:
      return end_group(t);
    case SyncOp::kThreadNumber:
      if (const TeamRef team = task(t)->team; team && s.object2) client_.copy_is_itself(t, team->number, s.object2);
      return;
    case SyncOp::kDoacrossWait:
      return sink(t, open.object);
    default:
      return;
  }
}

// Whoever was left by a jump, or by the thread's end.
template <class Release>
void StrandMachine<Release>::end_thread(ThreadId t) {
  State& s = state(t);
  while (!s.running.empty()) end(t);
  s.open.clear();
}

// --- teams ---

template <class Release>
void StrandMachine<Release>::begin_team(ThreadId t, const Sync& s, uint64_t index) {
  auto team = std::make_shared<Team<Release>>();
  team->number = s.object;
  team->alone = s.value == 1;
  team->apart = (s.value & kLeague) || !state(t).running.empty();
  team->begin = index;
  team->contention = task(t)->contention;
  team->is_league = (s.value & kLeague) != 0;
  team->fork = client_.release(t);
  teams_[s.object] = team;
  state(t).open.back().team = team;
}

template <class Release>
void StrandMachine<Release>::end_team(ThreadId t, const TeamRef& team) {
  if (!team) return;
  teams_.erase(team->number);
  team->end();
  client_.acquire(t, team->join);
}

template <class Release>
void StrandMachine<Release>::begin_member(ThreadId t, const Sync& s) {
  const auto found = teams_.find(s.object);
  auto team = found == teams_.end() ? std::make_shared<Team<Release>>() : found->second;
  auto task = std::make_shared<Task<Release>>();
  task->team = team;
  task->contention = team->is_league ? ++contention_groups_ : team->contention;
  begin(t, {StrandKind::kImplicit, team->number, s.value, 0, s.object2, team->begin, {}, false, team->apart}, task,
        team->fork);
}

template <class Release>
void StrandMachine<Release>::end_member(ThreadId t) {
  end_part(t);
  Running* const m = member(t);
  if (!m) return;
  const TeamRef team = m->task->team;
  team->join.join(m->share.parts);
  team->join.join(end(t));
}

template <class Release>
void StrandMachine<Release>::come_to_barrier(ThreadId t) {
  end_part(t);
  Running* const m = member(t);
  if (!m) return;
  Release given = client_.release(t);
  given.join(m->share.parts);
  m->share.parts = Release();
  m->task->team->arrive(m->task->phase, given);
}

template <class Release>
void StrandMachine<Release>::leave_barrier(ThreadId t) {
  Running* const m = member(t);
  if (m) client_.acquire(t, m->task->team->leave(m->task->phase++));
}

// --- locks ---

// Ordered regions come one after the other in the loop's order; so that one orders.
template <class Release>
void StrandMachine<Release>::begin_exclusive(ThreadId t, const Exclusive& e) {
  if (e.ordered)
    client_.acquire(t, ordered_[e.lock]);
  else
    client_.locked(t, e.lock);
}

template <class Release>
void StrandMachine<Release>::end_exclusive(ThreadId t, const Exclusive& e) {
  if (e.ordered)
    ordered_[e.lock] = client_.release(t);
  else
    client_.unlocked(t, e.lock);
}

// --- tasks ---

template <class Release>
void StrandMachine<Release>::create(ThreadId t, const Sync& s) {
  Creating& c = state(t).open.back().creating;
  c.flags = s.value;
  if ((s.value & kTaskLoop) && !(s.value & kTaskNoGroup)) c.group = std::make_shared<Group<Release>>();
}

template <class Release>
void StrandMachine<Release>::task_made(ThreadId t, const Sync& s) {
  client_.task_data(t, {s.object2, s.object2 + s.value});
  const TaskRef parent = task(t);
  auto made = std::make_shared<Task<Release>>();
  made->number = s.object;
  made->data = {s.object2, s.object2 + s.value};
  made->parent = parent;
  made->team = parent->team;
  made->contention = parent->contention;
  made->phase = parent->phase;
  made->created = client_.release(t);
  made->groups = parent->groups;
  Open* const open = creation(t);
  const uint64_t flags = open ? open->creating.flags : 0;
  made->final_task = (flags & kTaskFinal) || parent->final_task;
  made->of_loop = (flags & kTaskLoop) != 0;
  made->undeferred = (flags & kTaskUndeferred) || parent->final_task || (!made->team && !(flags & kTaskOfTarget));
  if (open) {
    if (open->creating.group) made->groups.push_back(open->creating.group);
    for (const Depend& d : open->creating.depends) {
      for (const auto& done : parent->depends.before(d))
        if (done != made->done) made->after.push_back(done);
      parent->depends.add(d, made->done);
      if (d.kind == DependKind::kMutexInOutSet) made->mutexes.push_back(d.addr);
    }
    if (made->undeferred) open->creating.undeferred.push_back(made);
    if (flags & kTaskDetached) detached_[static_cast<uint64_t>(s.result)] = made;
  }
  tasks_[made->number] = made;
}

template <class Release>
void StrandMachine<Release>::begin_task(ThreadId t, const Sync& s) {
  const auto found = tasks_.find(s.object);
  const TaskRef task = found == tasks_.end() ? std::make_shared<Task<Release>>() : found->second;
  if (found != tasks_.end()) tasks_.erase(found);
  Release from = std::move(task->created);
  for (const auto& done : task->after) from.join(*done);
  task->after.clear();
  const uint64_t team = task->team ? task->team->number : 0, team_begin = task->team ? task->team->begin : 0;
  begin(t, {StrandKind::kTask, team, 0, s.object, s.object2, team_begin, task->data, task->undeferred, true}, task,
        from);
  if (task->of_loop) state(t).running.back().share.begin = from;
  for (const uint64_t m : task->mutexes) client_.locked(t, {m, kOfTasks});
}

template <class Release>
void StrandMachine<Release>::end_task(ThreadId t) {
  end_iteration(t);
  auto& all = state(t).running;
  if (all.empty() || all.back().strand.kind != StrandKind::kTask) return;
  const TaskRef task = all.back().task;
  for (const uint64_t m : task->mutexes) client_.unlocked(t, {m, kOfTasks});
  Release given = std::move(all.back().share.iterations);
  given.join(end(t));
  give_done(task, given);
}

// Whoever waits for the task waits for both its end and its event.
template <class Release>
void StrandMachine<Release>::fulfil(ThreadId t, const Sync& s) {
  const auto found = detached_.find(s.object);
  if (found == detached_.end()) return;
  const TaskRef task = found->second;
  detached_.erase(found);
  give_done(task, client_.release(t));
}

template <class Release>
void StrandMachine<Release>::give_done(const TaskRef& task, const Release& given) {
  task->done->join(given);
  if (task->parent) task->parent->children.join(given);
  for (const auto& g : task->groups) g->done.join(given);
  if (task->team) task->team->add(task->phase, given);
}

template <class Release>
void StrandMachine<Release>::created(ThreadId t, const Open& open) {
  for (const TaskRef& task : open.creating.undeferred) client_.acquire(t, *task->done);
  if (open.creating.group) client_.acquire(t, open.creating.group->done);
}

template <class Release>
void StrandMachine<Release>::wait_for_children(ThreadId t, const Open& open) {
  const TaskRef now = task(t);
  if (open.value == 0) return client_.acquire(t, now->children);
  for (const Depend& d : open.creating.depends)
    for (const auto& done : now->depends.before(d)) client_.acquire(t, *done);
}

template <class Release>
void StrandMachine<Release>::end_group(ThreadId t) {
  const TaskRef now = task(t);
  if (now->groups.empty()) return;
  const auto group = now->groups.back();
  now->groups.pop_back();
  client_.acquire(t, group->done);
}

}  // namespace cdr::strands

#include "cdrgrind/analysis/strands/shared_work.h"  // IWYU pragma: export

extern template class cdr::strands::StrandMachine<cdr::strands::NoRelease>;

#endif
