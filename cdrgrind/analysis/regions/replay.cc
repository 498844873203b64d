// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/replay.h"

#include <algorithm>

namespace cdr::regions {

Replay::Replay(const BlockTable& blocks, const std::vector<bool>& library, CodeLoops& loops,
               const RegisterFlow& registers, const DataflowTable& flows, StaticData& statics, LibraryNames& names,
               const ReplayOptions& options)
    : blocks_(blocks),
      library_(library),
      loops_(loops),
      registers_(registers),
      names_(names),
      options_(options),
      result_(blocks),
      shadow_(options.share),
      calls_(blocks, flows, names, result_),
      rows_(loops, statics, calls_, result_) {
  result_.runs.resize(1);
  result_.allocations.resize(1);
}

Replay::Thread& Replay::at(ThreadId t) {
  if (t.value >= threads_.size()) threads_.resize(t.value + 1);
  Thread& thread = threads_[t.value];
  thread.id = t;
  if (!thread.stack) thread.stack = &stack_of(StackId());
  return thread;
}

RegionStack& Replay::stack_of(StackId id) {
  RegionStack& s = stacks_[id.value];
  s.id = id;
  if (s.frames().empty()) {
    Frame root;
    root.sp = ~uint64_t{0} >> 1;
    root.start = clock_;
    s.push(root);
  }
  return s;
}

void Replay::see(const Event& e) {
  switch (e.kind) {
    case EventKind::kBlock:
      return block(at(e.thread), e.block, e.words);
    case EventKind::kPartial:
      return partial_block(e);
    case EventKind::kCall:
      return call(at(e.thread), e.sp, e.ip, false);
    case EventKind::kSignalEnter:
      return call(at(e.thread), e.sp, e.ip, true);
    case EventKind::kReturn:
      at(e.thread).stack->sp_is(e.sp, clock_);
      return pop(at(e.thread), 1);
    case EventKind::kSignalLeave:
      pop(at(e.thread), 1);
      return at(e.thread).stack->sp_is(e.sp, clock_);
    case EventKind::kPop:
      return pop(at(e.thread), e.count);
    case EventKind::kThreadStart:
    case EventKind::kStackSwitch: {
      Thread& t = at(e.thread);
      t.stack->executed = t.executed;
      t.stack = &stack_of(e.stack);
      t.stack->range = e.range;
      rows_.stack_moved();
      if (e.kind == EventKind::kThreadStart) t.registers.fill({});
      return t.stack->sp_is(e.sp, clock_);
    }
    case EventKind::kStackPointer:
      return at(e.thread).stack->sp_is(e.sp, clock_);
    case EventKind::kGapEnd:
      shadow_.clear();
      for (Thread& t : threads_) t.registers.fill({});
      return;
    case EventKind::kThreadCreate:
      for (size_t l = 0; l < at(e.thread).stack->loop_count(); ++l)
        result_.runs[at(e.thread).stack->loop(l).loop.value].starts_threads = true;
      return;
    case EventKind::kSyncEnter:
      return lock_entered(at(e.thread), e.sync.op);
    case EventKind::kSyncLeave:
      return lock_left(at(e.thread), e.sync.op);
    case EventKind::kAlloc:
      return alloc(at(e.thread), {e.addr, e.addr + e.size});
    case EventKind::kFree:
      return rows_.heap.remove({e.addr, e.addr + e.size});
    case EventKind::kResize:
      shadow_.clear({e.addr + std::min(e.size, e.value), e.addr + std::max(e.size, e.value)});
      return alloc(at(e.thread), {e.addr, e.addr + e.value}, false);
    case EventKind::kMap:
    case EventKind::kUnmap:
      return shadow_.clear(e.range);
    case EventKind::kSyscall:
      return system_call(e);
    default:
      return;
  }
}

void Replay::name_frame(Thread& t, BlockId id) {
  Frame& f = t.stack->top();
  const Superblock& sb = blocks_.superblock_of(id);
  if (!f.named || (sb.flags & kBlockFunctionEntry)) name(t, f, sb);
}

void Replay::block(Thread& t, BlockId id, Words words) {
  if (!t.stack->top().named || t.jumped) name_frame(t, id);
  BlockPlan& p = plan(t, id);
  execute(t, p, id, words);
  t.jumped = p.course->jumps;
}

// A fault has stopped it.
void Replay::partial_block(const Event& e) {
  Thread& t = at(e.thread);
  const Frame& f = t.stack->top();
  if (!f.named || t.jumped) name_frame(t, e.block);
  BlockPlan p = plan(t, e.block);
  const Course course = new_course(f, e.block, executed_before(*p.course->code, e.ip));
  p.course = &course;
  execute(t, p, e.block, e.words);
  t.jumped = false;
}

void Replay::execute(Thread& t, BlockPlan& p, BlockId id, Words words) {
  if (p.library)
    library_block(t, p, words);
  else
    program_block(t, p, id, words);
  const uint32_t insns = p.course->executed.insns;
  clock_ += std::max<uint32_t>(insns, 1);
  if (!in_runtime(t)) {
    t.executed += insns;
    result_.instructions += insns;
  }
  t.stack->top().left_at = p.course->left_at;
}

void Replay::move_sp(RegionStack& s, const SpChange& c, uint64_t sp_in, Words words) {
  s.sp_is(sp_after(c, sp_in, words), clock_ + c.insn + 1u);
}

void Replay::make(const Access& access, Words words, Now& now) {
  now.time = clock_ + access.insn + 1u;
  now.access = ++result_.accesses;
  const uint64_t addr = address_of(access, words);
  if (access.store())
    rows_.store(shadow_, addr, access.width, now);
  else
    rows_.load(shadow_, addr, access.width, now);
}

void Replay::program_block(Thread& t, const BlockPlan& p, BlockId id, Words words) {
  const Course& course = *p.course;
  arrive(t, p, course.arrivals[0]);
  begin_behind_call(t, id);
  Now now = now_in(t, p);
  if (course.arrivals.size() > 1) {
    accesses_and_arrivals(t, p, words, now);
  } else {
    read_registers(t, p, course.steps[0], now);
    accesses(t, p, p.course->executed.accesses, words, now);
    write_registers(t, p, course.steps[0]);
    for (const uint64_t branch : course.branches) count_branch(*t.stack, branch);
  }
  if (t.copies_result) end_behind_call(t);
}

// In a block in which no other iteration begins, or a library's.
void Replay::accesses(Thread& t, const BlockPlan& p, uint32_t count, Words words, Now& now) {
  RegionStack& s = *t.stack;
  const auto changes = p.course->code->sp_changes.first(p.course->executed.sp_changes);
  const uint64_t sp_in = s.sp();
  const SiteIndex step = p.library ? 0 : 1;
  SiteIndex site = p.sites;
  size_t sp_next = 0;
  for (const Access& access : p.course->code->accesses.first(p.course->skips_accesses ? 0 : count)) {
    for (; sp_next < changes.size() && changes[sp_next].insn < access.insn; ++sp_next)
      move_sp(s, changes[sp_next], sp_in, words);
    now.site = site;
    site += step;
    if (happened(access, words)) make(access, words, now);
  }
  for (; sp_next < changes.size(); ++sp_next) move_sp(s, changes[sp_next], sp_in, words);
}

void Replay::accesses_and_arrivals(Thread& t, const BlockPlan& p, Words words, Now& now) {
  RegionStack& s = *t.stack;
  const auto accesses = p.course->code->accesses.first(p.course->executed.accesses);
  const auto changes = p.course->code->sp_changes.first(p.course->executed.sp_changes);
  const std::span<const RegisterStep> steps = p.course->steps;
  const std::span<const Arrival> arrivals = p.course->arrivals;
  const uint64_t sp_in = s.sp();
  size_t next = 1, sp_next = 0;
  // Before that instruction.
  const auto go_on = [&](uint32_t insn) {
    for (; next < steps.size() && arrivals[next].insn <= insn; ++next) {
      read_registers(t, p, steps[next - 1], now);
      write_registers(t, p, steps[next - 1]);
      arrive(t, p, arrivals[next]);
      set_starts(now);
    }
    for (; sp_next < changes.size() && changes[sp_next].insn < insn; ++sp_next)
      move_sp(s, changes[sp_next], sp_in, words);
  };
  for (size_t a = 0; a < accesses.size(); ++a) {
    go_on(accesses[a].insn);
    if (p.course->skips_accesses || !happened(accesses[a], words)) continue;
    now.site = p.sites + static_cast<SiteIndex>(a);
    make(accesses[a], words, now);
  }
  go_on(p.course->executed.insns);
  for (; sp_next < changes.size(); ++sp_next) move_sp(s, changes[sp_next], sp_in, words);
  read_registers(t, p, steps.back(), now);
  write_registers(t, p, steps.back());
}

// The first block of a program's function behind a long call.
void Replay::begin_behind_call(Thread& t, BlockId block) {
  t.copies_result = t.call_ended;
  if (t.call_ended) calls_.first_block(*t.stack, block, clock_, t.executed);
  t.call_ended = false;
}

void Replay::end_behind_call(Thread& t) {
  for (const uint8_t chunk : calls_.copied()) {
    RegisterStamp& r = t.registers[chunk];
    calls_.copied_at(*t.stack, r.time);
    r.returned = t.stack->top().context;
  }
  t.copies_result = false;
  t.stack->touch();
}

Now Replay::now_in(const Thread& t, SiteIndex site) {
  Now now;
  now.stack = t.stack;
  now.site = site;
  now.executed_later = clock_ - t.executed;
  set_starts(now);
  return now;
}

Now Replay::now_in(const Thread& t, const BlockPlan& p) {
  Now now = now_in(t, p.sites);
  // What loops beside it have done.
  if (p.course->is_like_loop && !p.library) now.settled = clock_ + 1;
  now.stores_settled = now.settled;
  return now;
}

void Replay::set_starts(Now& now) {
  now.inner_start = now.stack->inner_start();
  now.settled = now.stack->settled();
  now.stores_settled = now.stack->stores_settled();
  now.stamp = now.stack->stamp();
  now.state = rows_.state_of(*now.stack);
}

// What a library does is one site's doing. What hidden functions and the dynamic linker access is nobody's; what shims
// read, and they alone, is not asked: those of them that stand for functions of a library end with exact accesses.
void Replay::library_block(Thread& t, BlockPlan& p, Words words) {
  const bool counts = !t.stack->top().hidden && !p.course->skips_accesses && !in_runtime(t);
  if (counts && p.sites == 0) p.sites = result_.contexts.whole(p.context, p.course->code->addr);
  Now now = now_in(t, p);
  if (counts && (t.unread & (p.course->arguments.reads | p.course->arguments.writes))) read_arguments(t, p, now);
  if (p.course->code->flags & kBlockShim) t.unread &= ~p.course->arguments.writes;
  accesses(t, p, counts ? p.course->executed.accesses : 0, words, now);
}

void Replay::read_foreign(Thread& t, uint8_t chunk, RegisterStamp& r, const Now& now) {
  const uint8_t reg = register_of_chunk(chunk);
  if (reg == kNoRegister) return;
  const RegisterSet bit = RegisterSet{1} << reg;
  if (r.returned) result_.contexts[r.returned].results |= bit;
  if (t.copies_result) return;
  r.returned = 0;
  const auto& frames = t.stack->frames();
  if (r.time < t.stack->watched) calls_.register_depends(r.site, r.time, t.stack->place_of(r.time).frame, now);
  for (size_t f = frames.size(); f-- > 0 && frames[f].start > r.time;)
    result_.contexts[frames[f].context].arguments |= bit;
}

void Replay::read_registers(Thread& t, const BlockPlan& p, const RegisterStep& step, Now& now) {
  now.site = registers_of(p);
  const uint64_t start = t.stack->top().start;
  for (const RegisterUse& u : step.reads) {
    RegisterStamp& r = t.registers[u.chunk];
    if (!r.site || (!r.returned && r.time >= now.inner_start)) continue;
    now.time = clock_ + u.insn + 1u;
    if (!r.returned && !t.copies_result && rows_.repeat_register_read(u.chunk, r, start, now)) continue;
    if (r.returned || r.time < start) read_foreign(t, u.chunk, r, now);
    if (r.time < now.inner_start) rows_.register_read(u.chunk, r, now);
  }
}

// What the program has left in a register for a library.
void Replay::read_arguments(Thread& t, const BlockPlan& p, Now& now) {
  now.time = clock_ + 1;
  const RegisterSet read = t.unread & p.course->arguments.reads;
  for (uint8_t reg = 0; reg < 32; ++reg) {
    const uint8_t chunk = chunk_of(reg);
    if (!(read >> reg & 1)) continue;
    RegisterStamp& r = t.registers[chunk];
    if (!r.site || (!r.returned && r.time >= now.inner_start)) continue;
    read_foreign(t, chunk, r, now);
    if (r.time < now.inner_start) rows_.register_read(chunk, r, now);
  }
  t.unread &= ~(p.course->arguments.reads | p.course->arguments.writes);
}

void Replay::write_registers(Thread& t, const BlockPlan& p, const RegisterStep& step) {
  const SiteIndex site = registers_of(p);
  for (const RegisterUse& u : step.writes) t.registers[u.chunk] = {clock_ + u.insn + 1u, site};
}

void Replay::finish() {
  for (Thread& t : threads_)
    if (t.stack) close(t);
  // Those that no thread runs on: coroutines that nobody resumed.
  for (auto& [id, stack] : stacks_) {
    Thread left;
    left.stack = &stack;
    left.executed = stack.executed;
    close(left);
  }
  rows_.finish();
  for (Thread& t : threads_) t.plan = nullptr;
  plans_ = {};
  plan_index_ = {};
  courses_ = {};
  course_index_ = {};
}

void Replay::close(Thread& t) {
  while (t.stack->frames().size() > 1) pop(t, 1);
  close_loops(t, 0, 0, clock_, t.executed);
}

}  // namespace cdr::regions
