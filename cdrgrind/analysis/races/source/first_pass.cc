// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/first_pass.h"

#include <algorithm>
#include <optional>

#include "cdrgrind/analysis/events/first_stack.h"
#include "cdrgrind/analysis/events/visit.h"
#include "cdrgrind/analysis/races/source/object_lives.h"
#include "cdrgrind/analysis/races/source/recent_touches.h"
#include "cdrgrind/analysis/races/source/strand_memory.h"
#include "cdrgrind/analysis/races/source/strand_phases.h"
#include "cdrgrind/analysis/races/source/task_frames.h"
#include "cdrgrind/analysis/strands/strand_machine.h"
#include "cdrgrind/analysis/walk/event_walk.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::races {

using analysis::EventReader;
using analysis::EventWalk;
using analysis::Passage;

namespace {

// Elements of an array that strands share out: they do not share the ends of their parts.
constexpr unsigned kStrandLineBits = 3;

// Strands by serial numbers.
class StrandNumbers final : strands::StrandClient<strands::NoRelease> {
 public:
  StrandNumbers(FirstPass& to, Generations& generations, TaskFrames& frames)
      : to_(to), frames_(frames), memory_(generations), machine_(*this) {}

  void event(const Event& e, uint64_t index) {
    index_ = index;
    if (e.kind == EventKind::kThreadStart) to_.last_thread = std::max(to_.last_thread, e.thread.value);
    if (e.kind == EventKind::kSyncEnter && is_team_op(e.sync.op)) to_.strands = true;
    if (e.kind == EventKind::kSyncEnter && e.sync.op == SyncOp::kParallel)
      to_.regions[e.sync.object].function = e.sync.object2;
    if (e.kind == EventKind::kSyncLeave && e.sync.op == SyncOp::kParallel)
      to_.regions[e.sync.object].data = e.sync.value;
    if (e.kind == EventKind::kSyncEnter && e.sync.op == SyncOp::kThreadNumber && e.sync.value == 0) ask(e.thread);
    machine_.event(e, index);
    phases_.event(e, machine_);
  }
  StrandPhases& phases() { return phases_; }
  strands::StrandMachine<strands::NoRelease>& machine() { return machine_; }
  // An iteration of what the thread executes begins.
  void iterate(ThreadId t, const strands::SharedLoop& loop, uint64_t which) {
    Running& r = threads_[t.value].back();
    r.iteration.number = next();
    if (which != 1) return;
    if (!loop.as_written || !is_in_turn(t, r)) r.iteration.floor = r.iteration.number;
    r.looped = loop.as_written ? phases_.barriers(t) + 1 : 0;
  }
  // Not a number of any.
  static constexpr ThreadId kCloser{(1 << 20) - 1};
  // Who touches memory: among iterations, and among the members of a team in what is shared out.
  PhaseSharing::Actor iteration(ThreadId t) {
    const Running* const r = top(t);
    return r && (machine_.is_looping(t) || (phases_.in_part(t) && is_in_turn(t, *r))) ? r->iteration
                                                                                      : PhaseSharing::Actor();
  }
  PhaseSharing::Actor member(ThreadId t) {
    return top(t) && (phases_.in_part(t) || machine_.is_looping(t)) ? phases_.member(t) : PhaseSharing::Actor();
  }
  ThreadId of(ThreadId t) const {
    const Running* const r = top(t);
    return r ? r->number : t;
  }
  bool in_runtime(ThreadId t) const { return machine_.in_runtime(t); }
  // Below the frame of an implicit task, if it is one that the thread executes.
  bool below_frame(ThreadId t, uint64_t addr) const {
    const Running* const r = top(t);
    return r && addr < r->frame && r->frame - addr < analysis::kFirstStackBytes;
  }
  // Some of it may be below.
  bool near_frame(ThreadId t, AddrRange bytes) const {
    const Running* const r = top(t);
    return r && bytes.begin < r->frame && (bytes.end > r->frame || r->frame - bytes.end < analysis::kFirstStackBytes);
  }

 private:
  struct Running {
    ThreadId number;
    PhaseSharing::Actor iteration = {};
    uint64_t looped = 0;  // barriers before the last loop that was shared out by a static schedule, and 1; 0: none
    uint64_t frame = 0;   // of an implicit task or its part: below it are frames that the thread's others use in turn
  };
  // Behind those of all threads that there may be.
  static constexpr uint32_t kFirst = 1 << 20, kMost = 1 << 29;

  strands::NoRelease release(ThreadId) override { return {}; }
  void acquire(ThreadId, const strands::NoRelease&) override {}
  void begins(ThreadId on, const strands::Strand& s, const strands::NoRelease&) override {
    if (on.value >= threads_.size()) threads_.resize(on.value + 1);
    auto& all = threads_[on.value];
    Running r;
    if (strands::lies_on_another(s.kind)) r = all.back();
    if (s.kind != strands::StrandKind::kIteration) r.number = ThreadId(kFirst + last_++ % kMost);
    if (s.kind == strands::StrandKind::kPart && is_in_turn(on, r)) r.iteration.number = next();
    r.frame = s.own_frames ? 0 : s.frame;
    all.push_back(r);
    memory_.begins(on, s, index_);
    frames_.begins(on, s);
    phases_.begins(on, s);
  }
  strands::NoRelease ends(ThreadId on, const strands::Strand& s) override {
    threads_[on.value].pop_back();
    memory_.ends(on, s, index_);
    frames_.ends(on, s);
    phases_.ends(on);
    return {};
  }
  void task_data(ThreadId by, AddrRange data) override { memory_.data(by, data, index_); }
  void asked(ThreadId /*by*/, uint64_t team, bool for_copies) override {
    if (for_copies || asks_itself_) to_.asked.insert(team);
  }

  void ask(ThreadId t) {
    if (t.value >= asks_.size()) asks_.resize(t.value + 1);
    asks_itself_ = to_.loops && to_.loops->asks_itself(t, asks_[t.value]++);
  }
  // It has gone through a static loop since the last barrier.
  bool is_in_turn(ThreadId t, const Running& r) { return r.looped != 0 && r.looped == phases_.barriers(t) + 1; }
  const Running* top(ThreadId t) const {
    return t.value < threads_.size() && !threads_[t.value].empty() ? &threads_[t.value].back() : nullptr;
  }
  uint32_t next() { return PhaseSharing::number_of(++iterations_); }

  uint64_t iterations_ = 0;
  FirstPass& to_;
  TaskFrames& frames_;
  StrandPhases phases_;
  StrandMemory memory_;
  strands::StrandMachine<strands::NoRelease> machine_;
  uint64_t index_ = 0;
  std::vector<uint64_t> asks_;                 // by thread: how often it has asked for its number
  bool asks_itself_ = false;                   // not for a construct of the compiler
  std::vector<std::vector<Running>> threads_;  // by thread
  uint32_t last_ = 0;
};

class FirstPassReader final : public EventReader {
 public:
  FirstPassReader(const BlockTable& blocks, const RuntimeCode& runtime, SpinLoops& spins, analysis::WatchedPart& part,
                  FirstPass& to)
      : blocks_(blocks),
        runtime_(runtime),
        spins_(spins),
        part_(part),
        to_(to),
        frames_(blocks, runtime.shim),
        strands_(to, generations_, frames_) {}

  void event(const Event& e, uint64_t index) override {
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
      frames_.event(e, [](ThreadId, const TaskFrames::Frame&) {});
      may_wait_ = spins_.any_in(blocks_.block(e.block).superblock);
      by_program_ = is_by_program(e.block);
    } else {
      other_event(e, index);
      by_program_ = false;
    }
    runs(e.thread);
    LoopSteps steps(to_.loops, to_.unfit, e, blocks_);
    analysis::visit_accesses(e, blocks_, [&](const analysis::Seen& seen) {
      if (!steps.done() && seen.access) take(steps, e.thread, seen.access->insn);
      access(e, seen);
    });
    if (!steps.done()) take(steps, e.thread, LoopSteps::kAll);
    analysis::visit_awaited_word(e, [&](uint64_t addr, uint64_t width) { to_.note_atomic(generations_, addr, width); });
  }

  bool goes_on(uint64_t index) override { return part_.goes_on(index); }
  bool pass(EventWalk& walk, const Passage& p) override {
    if (to_.strands && frames_.knows_any(p.thread)) return false;
    if (!stay_in_loop(to_.loops, to_.unfit, blocks_, strands_.machine(), p)) return false;
    runs(p.thread);
    if (!in_runtime_ && !walk.addresses(p, [&](BlockId id, const Access& a, std::span<const Progression> addresses) {
          by_program_ = is_by_program(id);
          for (const Progression& one : addresses) touch(p.thread, one, a.store());
          return true;
        }))
      return false;
    if (p.orders) note_ordering(walk, p);
    frames_.passed(p.thread, p.last);
    return true;
  }

  void end() {
    finish_freed();
    std::vector<AddrRange> shared = to_.sharing.shared_ranges();
    to_.iterations.append_shared(shared);
    to_.shared = AddressRanges(std::move(shared));
  }

 private:
  bool is_by_program(BlockId id) const {
    return runtime_.parallel && !runtime_.library[blocks_.superblock_of(id).module.value];
  }
  void runs(ThreadId t) {
    if (t != running_) recent_touches_.forget();
    running_ = t;
    whose_.reset();
    in_runtime_ = to_.strands && strands_.in_runtime(t);
    in_known_frames_ = to_.strands && frames_.knows_any(t);
  }
  void other_event(const Event& e, uint64_t index) {
    if (e.kind == EventKind::kFree || e.kind == EventKind::kResize) touch_block(e);
    if (e.kind == EventKind::kSyncEnter && e.sync.op == SyncOp::kGuardAcquire) to_.guards.insert(e.sync.object);
    lives_.event(e, [&](auto... use) { to_.note_object(use...); });
    to_.hide_regions += e.kind == EventKind::kHideBegin;
    to_.gaps += e.kind == EventKind::kGapBegin;
    frames_.event(e, [&](ThreadId, TaskFrames::Frame& f) { f.note_generations(generations_); });
    strands_.event(e, index);
    if (!freed_.empty() && phases().floor() > freed_.back().floor) finish_freed();
    begins(generations_.event(e, index), index);
    if (e.kind != EventKind::kCall && e.kind != EventKind::kReturn) recent_touches_.forget();
  }
  void begins(AddrRange memory, uint64_t index) {
    to_.parts.begin(memory, index);
    to_.iterations.begin(memory, index);
  }
  struct Freed {
    ThreadId by;
    uint32_t floor = 0;
    uint64_t addr = 0, size = 0;
  };
  void finish_freed() {
    for (const Freed& f : freed_) to_.sharing.touch_known_since(f.by, f.floor, f.addr, f.size);
    freed_.clear();
  }
  StrandPhases& phases() { return strands_.phases(); }
  void take(LoopSteps& steps, ThreadId t, uint32_t insn) {
    const bool changed = steps.until(insn, strands_.machine(), t, [&](const strands::SharedLoop& loop, uint64_t which) {
      const uint32_t construct = loop.number;
      strands_.iterate(t, loop, which);
      if (!strands_.machine().has_too_many(t)) return;
      to_.unfit.resize(std::max<size_t>(to_.unfit.size(), construct + 1));
      to_.unfit[construct] = true;
    });
    if (changed) recent_touches_.forget();
    whose_.reset();
  }
  // A free is a store to the whole block. It matters where somebody else was in its phase, also behind it; large blocks
  // of one thread are not worth their lines.
  void touch_block(const Event& e) {
    freed_.push_back({phases().strand(e.thread), phases().floor(), e.addr, e.size ? e.size : 1});
  }
  // Whose the accesses are that come now.
  struct Whose {
    ThreadId strand, thread;
    PhaseSharing::Actor iteration, member;
  };
  const Whose& whose(ThreadId t) {
    if (!whose_) whose_ = {phases().strand(t), phases().itself(t), strands_.iteration(t), strands_.member(t)};
    return *whose_;
  }

  void access(const Event& e, const analysis::Seen& seen) {
    if (!in_runtime_) touch_once(e.thread, seen.addr, seen.width, seen.store);
    if (seen.access && (may_wait_ || (seen.access->flags & kAccessAtomic)))
      note_ordering(e.block, *seen.access, seen.addr, e.kind == EventKind::kBlock);
  }
  // What atomic instructions touch, and loads for which a loop waits, which the block ends.
  void note_ordering(BlockId id, const Access& a, uint64_t addr, bool ended) {
    const SuperblockId sb = blocks_.block(id).superblock;
    if ((a.flags & kAccessAtomic) || spins_.is_told(sb, a)) to_.note_atomic(generations_, addr, a.width);
    if (!a.store() && ended && spins_.is_flag(sb, a)) to_.spin_flags.insert(addr);
  }
  void note_ordering(EventWalk& walk, const Passage& p) {
    walk.addresses(p, [&](BlockId id, const Access& a, std::span<const Progression> addresses) {
      for (const Progression& one : addresses)
        for (uint64_t i = 0; i < one.count; ++i) note_ordering(id, a, one.at(i), true);
      return true;
    });
  }

  void touch_once(ThreadId t, uint64_t addr, uint64_t width, bool store) {
    if (in_known_frames_ || !recent_touches_.repeats(addr, width, store)) touch(t, addr, width, store);
  }
  void touch(ThreadId t, uint64_t addr, uint64_t width, bool store) {
    if (by_program_) note_program(recent_.at(addr));
    if (TaskFrames::Frame* const f = to_.strands ? frames_.find(t, addr) : nullptr)
      touch_frame(t, *f, addr, width, store);
    const Whose& who = whose(t);
    if (!to_.strands || !touch_own(t, addr, width, store)) {
      const bool in_turn = strands_.below_frame(t, addr) && is_stack_of(t, addr);
      to_.sharing.touch_since(in_turn ? who.thread : who.strand, phases().floor(), addr, width, store);
      if (who.iteration.number && !in_turn) to_.iterations.touch(who.iteration, addr, width, store);
    }
    if (who.member.number) to_.parts.touch(who.member, addr, width, true);
  }
  // In frames that no task knows.
  void touch(ThreadId t, const Progression& p, bool store) {
    if (p.count == 1) return touch_once(t, p.base, p.width, store);
    for (uint64_t i = 0; i < p.count;) {
      const Generations::Found f = recent_.found(p.at(i));
      const uint64_t n = std::min(p.count - i, (f.range.end - 1 - p.at(i)) / p.stride + 1);
      const AddrRange bytes{p.at(i), p.at(i + n - 1) + p.width};
      if (Generations::is_of_strand(f.id) || strands_.near_frame(t, bytes))
        for (uint64_t k = i; k < i + n; ++k) touch_once(t, p.at(k), p.width, store);
      else
        touch(t, f.id, {p.at(i), n == 1 ? 0 : p.stride, n, p.width, 1}, store);
      i += n;
    }
  }
  // In no strand's own memory, nor frames that a thread uses in turn.
  void touch(ThreadId t, GenerationId g, const Progression& p, bool store) {
    if (by_program_) note_program(g);
    const Whose& who = whose(t);
    for_each_span(p, to_.sharing.line(), [&](uint64_t addr, uint64_t width) {
      to_.sharing.touch_since(who.strand, phases().floor(), addr, width, store);
      return true;
    });
    if (!who.iteration.number && !who.member.number) return;
    for_each_span(p, p.width, [&](uint64_t addr, uint64_t width) {
      if (who.iteration.number) to_.iterations.touch(who.iteration, addr, width, store);
      if (who.member.number) to_.parts.touch(who.member, addr, width, true);
      return true;
    });
  }
  void note_program(GenerationId g) {
    if (Generations::is_of_strand(g)) return;
    if (g >= to_.touched_by_program.size()) to_.touched_by_program.resize(g + 1);
    to_.touched_by_program[g] = true;
  }
  // A variable of a frame that the task knows: that will be closed.
  void touch_frame(ThreadId t, TaskFrames::Frame& f, uint64_t addr, uint64_t width, bool store) {
    const AddrRange bytes{addr, addr + width};
    const GenerationId g = f.left ? f.generation_at(addr) : recent_.at(addr);
    if (Generations::is_of_strand(g)) note_other(g, bytes);
    to_.sharing.touch(strands_.of(t), addr, width, store);
    to_.sharing.touch(StrandNumbers::kCloser, addr, width, true);
    if (!f.left) return;
    f.touch(bytes);
    to_.left_frames[f.serial] = f.touched;
  }
  void note_other(GenerationId g, AddrRange bytes) {
    const auto [all, added] = to_.of_others.insert(g);
    *all = added ? bytes : AddrRange{std::min(all->begin, bytes.begin), std::max(all->end, bytes.end)};
  }
  // Frames and data of strands lie where those of others have been: they are shared only if another one comes there
  // while they are this one's. False if the memory is no strand's.
  bool touch_own(ThreadId t, uint64_t addr, uint64_t width, bool store) {
    const GenerationId g = recent_.at(addr);
    if (!Generations::is_of_strand(g)) return false;
    const ThreadId strand = strands_.of(t), owner = owners_.other(g, strand);
    if (!owner) return true;
    note_other(g, {addr, addr + width});
    to_.sharing.touch(owner, addr, width, true);
    to_.sharing.touch(strand, addr, width, store);
    return true;
  }
  // Implicit tasks that a thread executes one after the other, and what it does between, use its stack in turn. Memory
  // of which nothing was told may be one.
  bool is_stack_of(ThreadId t, uint64_t addr) {
    const Generation g = generations_[recent_.at(addr)];
    return g.kind == MemoryKind::kStack ? g.thread == t : g.kind != MemoryKind::kHeap;
  }

  const BlockTable& blocks_;
  const RuntimeCode& runtime_;
  SpinLoops& spins_;
  analysis::WatchedPart& part_;
  FirstPass& to_;
  Generations generations_;
  RecentGenerations recent_{generations_};
  StrandOwners owners_;
  ObjectLives lives_;
  std::vector<Freed> freed_;
  TaskFrames frames_;
  StrandNumbers strands_;
  RecentTouches recent_touches_;
  ThreadId running_;
  std::optional<Whose> whose_;
  bool in_runtime_ = false;
  bool by_program_ = false;       // the block is not a library's, and there are strands
  bool may_wait_ = false;         // there is a load in the block for which a loop may wait
  bool in_known_frames_ = false;  // which one an address lies in changes with SP
};

}  // namespace

FirstPass first_pass_of(EventStream& events, const RuntimeCode& runtime, SpinLoops& spins,
                        const WorksharingLoops* loops, uint64_t end, const analysis::Watch& watch) {
  FirstPass first_pass;
  if (runtime.parallel) first_pass.sharing = Sharing(kStrandLineBits);
  first_pass.loops = loops;
  analysis::WatchedPart part(watch, "shared memory", std::min(end, events.file().event_count()));
  FirstPassReader reader(events.file().blocks(), runtime, spins, part, first_pass);
  first_pass.events = events.run(reader, end);
  reader.end();
  return first_pass;
}

}  // namespace cdr::races
