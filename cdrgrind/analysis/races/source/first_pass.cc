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
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::races {

namespace {

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
  std::vector<std::vector<Running>> threads_;  // by thread
  uint32_t last_ = 0;
};

class FirstPassReader {
 public:
  FirstPassReader(const BlockTable& blocks, const RuntimeCode& runtime, SpinLoops& spins, FirstPass& to)
      : blocks_(blocks),
        runtime_(runtime),
        spins_(spins),
        to_(to),
        frames_(blocks, runtime.shim),
        strands_(to, generations_, frames_) {}

  void event(const Event& e, uint64_t index) {
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
      frames_.event(e, [](ThreadId, const TaskFrames::Frame&) {});
      may_wait_ = spins_.any_in(blocks_.block(e.block).superblock);
      by_program_ = runtime_.parallel && !runtime_.library[blocks_.superblock_of(e.block).module.value];
    } else {
      other_event(e, index);
      by_program_ = false;
    }
    if (e.thread != running_) recent_touches_.forget();
    running_ = e.thread;
    whose_.reset();
    in_runtime_ = to_.strands && strands_.in_runtime(e.thread);
    in_known_frames_ = to_.strands && frames_.knows_any(e.thread);
    LoopSteps steps(to_.loops, to_.unfit, e, blocks_);
    analysis::visit_accesses(e, blocks_, [&](const analysis::Seen& seen) {
      if (!steps.done() && seen.access) take(steps, e.thread, seen.access->insn);
      access(e, seen);
    });
    if (!steps.done()) take(steps, e.thread, LoopSteps::kAll);
    analysis::visit_awaited_word(e, [&](uint64_t addr, uint64_t width) { to_.note_atomic(generations_, addr, width); });
  }

  void finish() {
    for (const Freed& f : freed_) to_.sharing.touch_known_since(f.by, f.floor, f.addr, f.size);
    freed_.clear();
  }

 private:
  void other_event(const Event& e, uint64_t index) {
    if (e.kind == EventKind::kFree || e.kind == EventKind::kResize) touch_block(e);
    if (e.kind == EventKind::kSyncEnter && e.sync.op == SyncOp::kGuardAcquire) to_.guards.insert(e.sync.object);
    lives_.event(e, [&](auto... use) { to_.note_object(use...); });
    to_.hide_regions += e.kind == EventKind::kHideBegin;
    to_.gaps += e.kind == EventKind::kGapBegin;
    frames_.event(e, [&](ThreadId, TaskFrames::Frame& f) { f.note_generations(generations_); });
    strands_.event(e, index);
    if (!freed_.empty() && phases().floor() > freed_.back().floor) finish();
    generations_.event(e, index);
    if (e.kind != EventKind::kCall && e.kind != EventKind::kReturn) recent_touches_.forget();
  }
  struct Freed {
    ThreadId by;
    uint32_t floor = 0;
    uint64_t addr = 0, size = 0;
  };
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
    if (!in_runtime_ && (in_known_frames_ || !recent_touches_.repeats(seen.addr, seen.width, seen.store)))
      touch(e, seen);
    if (!seen.access || !(may_wait_ || (seen.access->flags & kAccessAtomic))) return;
    const SuperblockId sb = blocks_.block(e.block).superblock;
    if ((seen.access->flags & kAccessAtomic) || spins_.is_told(sb, *seen.access))
      to_.note_atomic(generations_, seen.addr, seen.width);
    if (!seen.store && e.kind == EventKind::kBlock && spins_.is_flag(sb, *seen.access))
      to_.spin_flags.insert(seen.addr);
  }

  void touch(const Event& e, const analysis::Seen& seen) {
    const Whose& who = whose(e.thread);
    if (by_program_) note_program(recent_.at(seen.addr));
    if (TaskFrames::Frame* const f = to_.strands ? frames_.find(e.thread, seen.addr) : nullptr)
      touch_frame(e.thread, *f, seen);
    if (!to_.strands || !touch_own(e.thread, seen)) {
      const bool in_turn = strands_.below_frame(e.thread, seen.addr) && is_stack_of(e.thread, seen.addr);
      to_.sharing.touch_since(in_turn ? who.thread : who.strand, phases().floor(), seen.addr, seen.width, seen.store);
      if (who.iteration.number && !in_turn) to_.iterations.touch(who.iteration, seen.addr, seen.width, seen.store);
    }
    if (who.member.number) to_.parts.touch(who.member, seen.addr, seen.width, true);
  }
  void note_program(GenerationId g) {
    if (Generations::is_of_strand(g)) return;
    if (g >= to_.touched_by_program.size()) to_.touched_by_program.resize(g + 1);
    to_.touched_by_program[g] = true;
  }
  // A variable of a frame that the task knows: that will be closed.
  void touch_frame(ThreadId t, TaskFrames::Frame& f, const analysis::Seen& seen) {
    const AddrRange bytes{seen.addr, seen.addr + seen.width};
    const GenerationId g = f.left ? f.generation_at(seen.addr) : recent_.at(seen.addr);
    if (Generations::is_of_strand(g)) note_other(g, bytes);
    to_.sharing.touch(strands_.of(t), seen.addr, seen.width, seen.store);
    to_.sharing.touch(StrandNumbers::kCloser, seen.addr, seen.width, true);
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
  bool touch_own(ThreadId t, const analysis::Seen& seen) {
    const GenerationId g = recent_.at(seen.addr);
    if (!Generations::is_of_strand(g)) return false;
    const ThreadId strand = strands_.of(t), owner = owners_.other(g, strand);
    if (!owner) return true;
    note_other(g, {seen.addr, seen.addr + seen.width});
    to_.sharing.touch(owner, seen.addr, seen.width, true);
    to_.sharing.touch(strand, seen.addr, seen.width, seen.store);
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

FirstPass first_pass_of(const trace::TraceFile& file, const RuntimeCode& runtime, SpinLoops& spins,
                        const WorksharingLoops* loops, uint64_t end, const analysis::Watch& watch) {
  FirstPass first_pass;
  first_pass.loops = loops;
  analysis::WatchedPart part(watch, "shared memory", std::min(end, file.event_count()));
  FirstPassReader reader(file.blocks(), runtime, spins, first_pass);
  trace::Cursor cursor(file);
  uint64_t& index = first_pass.events;
  for (Event e; index < end && part.goes_on(index) && cursor.next(e); ++index) reader.event(e, index);
  reader.finish();
  return first_pass;
}

}  // namespace cdr::races
