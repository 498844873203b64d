// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/replay.h"

#include <algorithm>

namespace cdr::regions {

Replay::Replay(const BlockTable& blocks, const std::vector<bool>& library, CodeLoops& loops, RegisterFlow& registers,
               const DataflowTable& flows, StaticData& statics, LibraryNames& names, const ReplayOptions& options)
    : blocks_(blocks),
      library_(library),
      loops_(loops),
      registers_(registers),
      options_(options),
      result_(blocks),
      calls_(blocks, flows, names, result_),
      rows_(loops, statics, calls_, result_) {
  result_.runs.resize(1);
  result_.allocations.resize(1);
}

Replay::Thread& Replay::at(ThreadId t) {
  if (t.value >= threads_.size()) threads_.resize(t.value + 1);
  Thread& thread = threads_[t.value];
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
    case EventKind::kPartial:
      return block(e);
    case EventKind::kCall:
      return call(e, false);
    case EventKind::kSignalEnter:
      return call(e, true);
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

void Replay::block(const Event& e) {
  Thread& t = at(e.thread);
  const Superblock& sb = blocks_.superblock_of(e.block);
  Frame& f = t.stack->top();
  if (!f.named || ((sb.flags & kBlockFunctionEntry) && t.jumped)) name(t, f, sb);
  const Exit& exit = blocks_.exit_of(e.block);
  Executed x{static_cast<uint16_t>(exit.insns_executed()), exit.accesses, exit.words, exit.sp_changes};
  if (e.kind == EventKind::kPartial) x = executed_before(sb, e.ip);
  if (f.library)
    library_block(e, t, sb, x);
  else
    program_block(e, t, sb, x);
  clock_ += std::max<uint64_t>(x.insns, 1);
  t.executed += x.insns;
  result_.instructions += x.insns;
  t.jumped = e.kind == EventKind::kBlock && is_jump(exit.kind);
  f.last = e.block;
}

void Replay::move_sp(RegionStack& s, const SpChange& c, uint64_t sp_in, std::span<const uint64_t> words) {
  s.sp_is(sp_after(c, sp_in, words), clock_ + c.insn + 1u);
}

void Replay::make(const Access& access, std::span<const uint64_t> words, Now& now) {
  now.time = clock_ + access.insn + 1u;
  now.access = ++result_.accesses;
  const uint64_t addr = address_of(access, words);
  if (access.store())
    rows_.store(shadow_, addr, access.width, now);
  else
    rows_.load(shadow_, addr, access.width, now);
}

void Replay::program_block(const Event& e, Thread& t, const Superblock& sb, const Executed& x) {
  RegionStack& s = *t.stack;
  const BlockPlan p = plan(s.top(), blocks_.block(e.block).superblock);
  const Arrivals& arrivals = *p.arrivals;
  const bool by_insn = arrivals.size() > 1;
  const uint64_t left_at =
      s.top().last ? exit_addr(blocks_.superblock_of(s.top().last), blocks_.exit_of(s.top().last)) : 0;
  const auto go = [&](const Arrival& a) {
    const uint64_t from = a.insn == 0 ? left_at : sb.insn_addr(a.insn - 1u);
    arrive(t, a, from, clock_ + a.insn + 1u, t.executed + a.insn);
    if (a.at_branch) count_branch(s, sb.insn_addr(a.insn));
  };
  go(arrivals[0]);
  begin_behind_call(t, e.block);
  Now now = now_in(t, 0);
  const SiteIndex registers = p.sites + static_cast<SiteIndex>(sb.accesses.size());
  if (!by_insn) use_registers(t, e.block, registers, now, RegisterPart::kReads);
  const uint64_t sp_in = s.sp();
  size_t next = 1, sp_next = 0;
  RegisterSpan uses = by_insn ? registers_.by_insn(blocks_.block(e.block).superblock) : RegisterSpan();
  for (uint32_t a = 0; a <= x.accesses; ++a) {
    const uint32_t insn = a < x.accesses ? sb.accesses[a].insn : x.insns;
    for (; next < arrivals.size() && arrivals[next].insn <= insn && arrivals[next].insn < x.insns; ++next) {
      use_insn_registers(t, uses, arrivals[next].insn, registers, now);
      go(arrivals[next]);
      set_starts(now);
    }
    for (; sp_next < x.sp_changes && sb.sp_changes[sp_next].insn < insn; ++sp_next)
      move_sp(s, sb.sp_changes[sp_next], sp_in, e.words);
    if (a == x.accesses || !happened(sb.accesses[a], e.words)) continue;
    const Access& access = sb.accesses[a];
    if (sb.flags & kBlockDynamicLinker) continue;
    now.site = p.sites + a;
    make(access, e.words, now);
  }
  for (; sp_next < x.sp_changes; ++sp_next) move_sp(s, sb.sp_changes[sp_next], sp_in, e.words);
  if (by_insn)
    use_insn_registers(t, uses, x.insns, registers, now);
  else
    use_registers(t, e.block, registers, now, RegisterPart::kWrites);
  if (t.copies_result) end_behind_call(t);
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
}

Now Replay::now_in(const Thread& t, SiteIndex site) const {
  Now now;
  now.stack = t.stack;
  now.site = site;
  now.executed_later = clock_ - t.executed;
  set_starts(now);
  return now;
}

void Replay::set_starts(Now& now) {
  now.inner_start = now.stack->inner_start();
  now.settled = now.stack->settled();
  now.stores_settled = now.stack->stores_settled();
  now.stamp = now.stack->stamp();
}

// What a library does is one site's doing. What hidden functions and the dynamic linker access is nobody's.
void Replay::library_block(const Event& e, Thread& t, const Superblock& sb, const Executed& x) {
  RegionStack& s = *t.stack;
  const uint64_t sp_in = s.sp();
  const bool counts = !s.top().hidden && !(sb.flags & (kBlockDynamicLinker | kBlockShim | kBlockPlt));
  Now now = now_in(t, counts ? result_.contexts.whole(s.top().context, sb.addr) : 0);
  size_t sp_next = 0;
  for (uint32_t a = 0; a < x.accesses && counts; ++a) {
    const Access& access = sb.accesses[a];
    for (; sp_next < x.sp_changes && sb.sp_changes[sp_next].insn < access.insn; ++sp_next)
      move_sp(s, sb.sp_changes[sp_next], sp_in, e.words);
    if (!happened(access, e.words)) continue;
    make(access, e.words, now);
  }
  for (; sp_next < x.sp_changes; ++sp_next) move_sp(s, sb.sp_changes[sp_next], sp_in, e.words);
}

void Replay::read_foreign(Thread& t, uint8_t chunk, RegisterStamp& r, const Now& now) {
  const uint8_t reg = register_of_chunk(chunk);
  if (reg == kNoRegister) return;
  const RegisterSet bit = RegisterSet{1} << reg;
  if (r.returned) result_.contexts[r.returned].results |= bit;
  if (t.copies_result) return;
  r.returned = 0;
  const auto& frames = t.stack->frames();
  if (r.time < t.stack->watched) calls_.depends(r.site, r.time, t.stack->place_of(r.time).frame, now);
  for (size_t f = frames.size(); f-- > 0 && frames[f].start > r.time;)
    result_.contexts[frames[f].context].arguments |= bit;
}

void Replay::read_register(Thread& t, uint8_t chunk, const Now& now) {
  RegisterStamp& r = t.registers[chunk];
  if (!r.site) return;
  if (r.returned || r.time < t.stack->top().start) read_foreign(t, chunk, r, now);
  if (r.time < now.inner_start) rows_.register_read(chunk, r, now);
}

void Replay::use_registers(Thread& t, BlockId block, SiteIndex site, Now now, RegisterPart part) {
  now.site = site;
  for (const RegisterUse& u : registers_.of_block(block)) {
    now.time = clock_ + u.insn + 1u;
    if (u.write && part == RegisterPart::kWrites) t.registers[u.chunk] = {now.time, site};
    if (!u.write && part == RegisterPart::kReads) read_register(t, u.chunk, now);
  }
}

void Replay::use_insn_registers(Thread& t, RegisterSpan& uses, uint32_t until, SiteIndex site, Now now) {
  now.site = site;
  for (; !uses.empty() && uses[0].insn < until; uses = uses.subspan(1)) {
    now.time = clock_ + uses[0].insn + 1u;
    if (uses[0].write)
      t.registers[uses[0].chunk] = {now.time, site};
    else
      read_register(t, uses[0].chunk, now);
  }
}

Regions Replay::finish() {
  for (Thread& t : threads_)
    if (t.stack)
      while (t.stack->frames().size() > 1) pop(t, 1);
  for (Thread& t : threads_)
    if (t.stack) close_loops(t, 0, 0, clock_, t.executed);
  rows_.finish();
  return std::move(result_);
}

}  // namespace cdr::regions
