// SPDX-License-Identifier: GPL-2.0-or-later
// Frames and loops, and what is not done by blocks.
#include <algorithm>

#include "cdrgrind/analysis/regions/replay.h"
#include "cdrgrind/base/system_calls.h"

namespace cdr::regions {
namespace {

constexpr uint8_t kCalleeSaved[6] = {kStateRbx / 8,     kStateRbp / 8,     kStateR12 / 8,
                                     kStateR12 / 8 + 1, kStateR12 / 8 + 2, kStateR15 / 8};

constexpr std::array<bool, kRegisterChunks> kIsSaved = [] {
  std::array<bool, kRegisterChunks> saved{};
  for (const uint8_t c : kCalleeSaved) saved[c] = true;
  return saved;
}();

uint8_t system_use(uint64_t number) {
  switch (number) {
    case 0:    // read
    case 8:    // lseek
    case 17:   // pread64
    case 19:   // readv
    case 45:   // recvfrom
    case 47:   // recvmsg
    case 78:   // getdents
    case 217:  // getdents64
    case 295:  // preadv
      return kUsesInput;
    case 1:    // write
    case 18:   // pwrite64
    case 20:   // writev
    case 44:   // sendto
    case 46:   // sendmsg
    case 296:  // pwritev
      return kUsesOutput;
    case 32:   // dup
    case 33:   // dup2
    case 56:   // clone
    case 57:   // fork
    case 58:   // vfork
    case 59:   // execve
    case 80:   // chdir
    case 81:   // fchdir
    case 95:   // umask
    case 292:  // dup3
      return kUsesProcess;
    default:
      return 0;
  }
}

}  // namespace

void Replay::name(Thread& t, Frame& f, const Superblock& sb) {
  close_loops(t, f.loops, 0, clock_, t.executed);
  const Context& caller = result_.contexts[f.caller];
  const bool is_library = (sb.module && sb.module.value < library_.size() && library_[sb.module.value]) ||
                          (sb.flags & (kBlockShim | kBlockPlt | kBlockDynamicLinker));
  const auto& frames = t.stack->frames();
  f.hidden = (sb.flags & kBlockHidden) || (frames.size() > 1 && frames[frames.size() - 2].hidden);
  const bool enters_library = (is_library || f.hidden) && !caller.library && !(f.named && f.library);
  if (enters_library) t.unread = kArgumentRegisters;
  f.named = true;
  f.library = is_library || f.hidden;
  const CodeAddr function{sb.module, sb.addr};
  if (!f.caller)
    f.context = result_.contexts.root(t.stack->id, function, f.library);
  else if (f.library && caller.library)
    f.context = f.caller;
  else
    f.context = result_.contexts.child(f.caller, f.site, function, f.library);
  f.function = f.library ? nullptr : &loops_.of(function);
  t.stack->renamed();
  if (result_.runs.size() <= loops_.size()) result_.runs.resize(loops_.size() + 1);
}

Replay::BlockPlan& Replay::find_plan(Thread& t, BlockId id) {
  const Frame& f = t.stack->top();
  BlockPlan*& known = plan_index_[(uint64_t{f.context} << 1 | f.library) << 32 | id.value];
  if (!known) known = &plans_.emplace_back(new_plan(f, id));
  if (t.plan) t.plan->followers = {known, t.plan->followers[0]};
  t.plan = known;
  return *known;
}

Replay::BlockPlan Replay::new_plan(const Frame& f, BlockId id) {
  BlockPlan p;
  p.course = &course_of(f, id);
  p.block = id;
  p.context = f.context;
  p.library = f.library;
  if (!f.library) p.sites = result_.contexts.sites_of(f.context, blocks_.block(id).superblock);
  return p;
}

const Replay::Course& Replay::course_of(const Frame& f, BlockId id) {
  constexpr uint64_t kLibrary = ~uint64_t{0};
  Course*& known = course_index_[{f.library ? kLibrary : result_.contexts[f.context].function.addr, id.value}];
  if (!known) {
    const Exit& exit = blocks_.exit_of(id);
    const Executed x{static_cast<uint16_t>(exit.insns_executed()), exit.accesses, exit.words, exit.sp_changes};
    known = &courses_.emplace_back(new_course(f, id, x));
  }
  return *known;
}

Replay::Course Replay::new_course(const Frame& f, BlockId id, const Executed& x) const {
  const Superblock& sb = blocks_.superblock_of(id);
  const Exit& exit = blocks_.exit_of(id);
  Course c;
  c.skips_accesses = sb.flags & (f.library ? kBlockDynamicLinker | kBlockShim | kBlockPlt : kBlockDynamicLinker);
  c.jumps = is_jump(exit.kind);
  c.executed = x;
  c.code = &sb;
  c.left_at = exit_addr(sb, exit);
  c.is_like_loop = f.library || repeats_insn(sb, c.left_at);
  if (f.library)
    c.arguments = registers_.arguments_of(id);
  else
    find_steps(c, f, id);
  return c;
}

void Replay::find_steps(Course& c, const Frame& f, BlockId id) const {
  const Superblock& sb = *c.code;
  c.arrivals = arrivals(*f.function, sb);
  const auto first = c.arrivals.begin();
  const auto end =
      std::find_if(first + 1, c.arrivals.end(), [&](const Arrival& a) { return a.insn >= c.executed.insns; });
  const bool is_whole = c.arrivals.size() == 1;
  // What comes behind the first instruction is only counted.
  if (std::all_of(first + 1, end, [&](const Arrival& a) { return a.loop == first->loop && !a.at_header; })) {
    for (auto a = first; a != end; ++a)
      if (a->at_branch) c.branches.push_back(sb.insn_addr(a->insn));
    c.arrivals.resize(1);
    c.arrivals[0].at_branch = false;
  }
  if (is_whole) {
    c.steps.push_back(registers_.of_block(id));
  } else {
    std::vector<uint16_t> ends;
    for (size_t a = 1; a < c.arrivals.size(); ++a) ends.push_back(c.arrivals[a].insn);
    c.steps = registers_.by_insn(blocks_.block(id).superblock, ends, c.executed.insns);
  }
  for (size_t a = 0; a < c.steps.size(); ++a)
    if (c.arrivals[a].at_header) c.headers.push_back(c.arrivals[a].insn);
}

std::vector<Replay::Arrival> Replay::arrivals(const FunctionLoops& loops, const Superblock& sb) const {
  std::vector<Arrival> to;
  LoopId before;
  for (uint16_t i = 0; i < sb.insns.size(); ++i) {
    const uint64_t addr = sb.insn_addr(i);
    const LoopId innermost = loops.at(addr), l = loops_.opened(innermost);
    const bool header = l == innermost && l && loops_[l].begins_at(addr);
    const bool branch = l && loops_.is_outer_branch(innermost, addr);
    if (i == 0 || l != before || header || branch) to.push_back({i, header, branch, l});
    before = l;
  }
  if (to.empty()) to.push_back({});
  return to;
}

// Within a block the instruction before it leads there.
void Replay::arrive(Thread& t, const BlockPlan& p, const Arrival& a) {
  RegionStack& s = *t.stack;
  const bool stays = s.loop_count() > s.top().loops ? s.inner_loop().loop == a.loop : !a.loop;
  if (a.at_header || !stays) {
    const uint64_t from = a.insn == 0 ? s.top().left_at : p.course->code->insn_addr(a.insn - 1u);
    arrive(t, a, from, clock_ + a.insn + 1u, t.executed + a.insn);
  }
  if (a.at_branch) count_branch(s, p.course->code->insn_addr(a.insn));
}

void Replay::arrive(Thread& t, const Arrival& a, uint64_t left_at, uint64_t time, uint64_t executed) {
  RegionStack& s = *t.stack;
  const uint32_t first = s.top().loops;
  while (s.loop_count() > first && !loops_.is_within(a.loop, s.loop(s.loop_count() - 1).loop))
    close_loop(t, left_at, time, executed);
  if (!a.loop) return;
  const size_t open = s.loop_count() - first, depth = loops_.depth(a.loop);
  if (open == depth) {
    if (a.at_header) begin_iteration(t, time, executed);
    return;
  }
  std::array<LoopId, CodeLoops::kMostOpen> path;
  LoopId l = a.loop;
  for (size_t d = depth; d > open; --d, l = loops_.parent(l)) path[d - 1] = l;
  for (size_t d = open; d < depth; ++d) {
    LoopInstance& opened = s.open_loop(path[d], time);
    opened.began = opened.iteration_began = executed;
    opened.longest = 0;
    opened.locks = t.locks;
    opened.outermost = result_.runs[path[d].value].open++ == 0 || !s.is_open(path[d], s.loop_count() - 1);
    opened.beside = options_.listener && t.id && options_.listener->loop_begins(t.id, path[d], executed);
  }
}

// At the first branch behind the headers of loops around the innermost one.
void Replay::count_branch(RegionStack& s, uint64_t addr, uint32_t times) {
  for (size_t l = s.top().loops; l < s.loop_count(); ++l)
    s.loop(l).branches += times * loops_[s.loop(l).loop].branches_at(addr);
}

void Replay::begin_iteration(Thread& t, uint64_t time, uint64_t executed) {
  RegionStack& s = *t.stack;
  calls_.end_iteration(s, s.loop_count() - 1, time, executed);
  s.begin_iteration(time);
  LoopInstance& l = s.inner_loop();
  l.longest = std::max(l.longest, executed - l.iteration_began);
  l.iteration_began = executed;
  l.branches = 0;
  if (t.locks > l.locks) result_.runs[l.loop.value].keeps_locks = true;
}

void Replay::close_loop(Thread& t, uint64_t left_at, uint64_t time, uint64_t executed) {
  RegionStack& s = *t.stack;
  LoopInstance& l = s.loop(s.loop_count() - 1);
  LoopRun& run = result_.runs[l.loop.value];
  // In a loop within, too, the branch is the header's own the first time only.
  const bool by_head = left_at != 0 && l.branches <= 1 && loops_[l.loop].leaves_by_head(left_at);
  const uint64_t iterations = l.iterations.count() - by_head;
  l.longest = std::max(l.longest, executed - l.iteration_began);
  const uint64_t total = executed - l.began;
  --run.open;
  ++run.instances;
  run.with_iterations += iterations > 1;
  run.empty += by_head && iterations == 0;
  run.iterations += iterations;
  run.longest_iteration = std::max(run.longest_iteration, l.longest);
  rows_.loop_closed(l.loop, by_head ? l.before : l.iteration, time - 1);
  if (l.outermost) {
    run.instructions += total;
    run.beside += l.beside ? total : 0;
    run.parallel += l.beside ? total : std::max((total + options_.threads - 1) / options_.threads, l.longest);
  }
  if (options_.listener && t.id) options_.listener->loop_ends(t.id, l.loop, executed, iterations);
  calls_.end_iteration(s, s.loop_count() - 1, time, executed);
  s.close_loop(time);
}

void Replay::close_loops(Thread& t, size_t down_to, uint64_t left_at, uint64_t time, uint64_t executed) {
  while (t.stack->loop_count() > down_to) close_loop(t, left_at, time, executed);
}

void Replay::call(Thread& t, uint64_t sp, uint64_t ip, bool signal) {
  RegionStack& s = *t.stack;
  const Frame& caller = s.top();
  Frame f;
  f.sp = sp;
  f.start = clock_ + 1;
  f.executed = t.executed;
  f.site = ip;
  f.caller = caller.context;
  f.loops = static_cast<uint32_t>(s.loop_count());
  f.hidden = caller.hidden;
  t.unread = 0;
  for (size_t i = 0; i < f.saved.size(); ++i) f.saved[i] = t.registers[kCalleeSaved[i]];
  // What a library, or the kernel, puts there is not followed.
  if (signal || caller.library)
    for (uint8_t c = 0; c < kRegisterChunks; ++c)
      if (!kIsSaved[c]) t.registers[c] = {};
  s.push(f);
  s.sp_is(sp, clock_);
}

void Replay::pop(Thread& t, uint32_t count) {
  RegionStack& s = *t.stack;
  count = std::min<uint32_t>(count, static_cast<uint32_t>(s.frames().size()) - 1);
  t.unread = 0;
  for (; count > 0; --count) {
    close_loops(t, s.top().loops, 0, clock_ + 1, t.executed);
    calls_.end_activation(s, clock_, t.executed);
    const Frame ended = s.top();
    s.pop();
    give_back(t, ended);
    t.call_ended = calls_.returned(s, ended, clock_, t.executed);
  }
}

// What a function may change is its caller's no more, but for the result.
void Replay::give_back(Thread& t, const Frame& ended) {
  for (size_t i = 0; i < ended.saved.size(); ++i) t.registers[kCalleeSaved[i]] = ended.saved[i];
  if (!ended.library) {
    for (uint8_t c = 0; c < kRegisterChunks; ++c)
      if (RegisterStamp& r = t.registers[c]; r.time >= ended.start && !kIsSaved[c]) hand_back(c, r, ended.context);
    return;
  }
  const SiteIndex site = ended.named ? result_.contexts.whole(ended.context, ended.site) : 0;
  for (uint8_t c = 0; c < kRegisterChunks; ++c)
    if (!kIsSaved[c]) t.registers[c] = is_result_chunk(c) && site ? RegisterStamp{clock_, site} : RegisterStamp();
}

// What a function of the program leaves in a register that it has written.
void Replay::hand_back(uint8_t chunk, RegisterStamp& r, ContextIndex ended) {
  if (!is_result_chunk(chunk)) return void(r = {});
  if (r.returned) result_.contexts[r.returned].passed_on |= RegisterSet{1} << register_of_chunk(chunk);
  r.returned = ended;
}

void Replay::system_call(const Event& e) {
  Thread& t = at(e.thread);
  for (const uint16_t r : {kStateRax, kStateRcx, kStateR11}) t.registers[r / 8] = {};
  note_system(t, system_use(e.value), e.ip);
  RegionStack& s = *t.stack;
  if (e.value == kCallFutex || s.top().hidden || !s.top().context) return;
  Now now = now_in(t, result_.contexts.whole(s.top().context, e.ip));
  now.time = clock_;
  for (const MemorySpan& m : e.memory) {
    now.access = ++result_.accesses;
    if (m.size == 0) continue;
    constexpr uint64_t kLarge = uint64_t{1} << 28;
    if (m.size > kLarge)
      shadow_.clear({m.addr, m.addr + m.size});
    else if (m.store)
      rows_.store(shadow_, m.addr, m.size, now);
    else
      rows_.load(shadow_, m.addr, m.size, now);
  }
}

// In which iterations of the loops around it the system was asked for something.
void Replay::note_system(Thread& t, uint8_t use, uint64_t ip) {
  if (use == 0) return;
  RegionStack& s = *t.stack;
  calls_.system_used(s, use, ip, clock_, t.executed);
  for (size_t i = 0; i < s.loop_count(); ++i) {
    LoopInstance& l = s.loop(i);
    LoopRun& run = result_.runs[l.loop.value];
    run.system |= use;
    for (size_t bit = 0; bit < l.system_at.size(); ++bit) {
      if (!(use >> bit & 1)) continue;
      if (l.system_at[bit] >= l.start && l.system_at[bit] < l.iteration) run.carries_system |= use;
      l.system_at[bit] = clock_;
    }
  }
}

// The program's calls, innermost first, as far as each hands on what it gets; `library`: it is a library's own.
std::vector<CodeAddr> Replay::allocating_calls(const RegionStack& s, bool& library) {
  constexpr size_t kMost = 8;
  std::vector<CodeAddr> calls;
  for (size_t f = s.frames().size(); f-- > 1 && calls.size() < kMost;) {
    const Frame& caller = s.frames()[f - 1];
    if (caller.hidden || !caller.named) continue;
    if (caller.library) {
      if (!calls.empty()) break;
      library = true;
      continue;
    }
    const CodeAddr call{result_.contexts[caller.context].function.module, s.frames()[f].site};
    if (std::find(calls.begin(), calls.end(), call) != calls.end()) break;
    calls.push_back(call);
    if (!names_.hands_on(call, result_.contexts[s.frames()[f].context].function)) break;
  }
  return calls;
}

void Replay::alloc(Thread& t, AddrRange block, bool fresh) {
  if (fresh) shadow_.clear(block);
  bool library = false;
  std::vector<CodeAddr> calls = allocating_calls(*t.stack, library);
  const auto [known, is_new] =
      allocation_numbers_.try_emplace(calls, static_cast<uint32_t>(result_.allocations.size()));
  if (is_new) result_.allocations.push_back(std::move(calls));
  rows_.heap.add({block, known->second, library});
}

void Replay::lock_left(Thread& t, SyncOp op) {
  t.locks +=
      op == SyncOp::kMutexLock || op == SyncOp::kSpinLock || op == SyncOp::kRwWriteLock || op == SyncOp::kRwReadLock;
}

void Replay::lock_entered(Thread& t, SyncOp op) {
  const bool gives = op == SyncOp::kMutexUnlock || op == SyncOp::kSpinUnlock || op == SyncOp::kRwUnlock;
  t.locks -= gives && t.locks > 0;
}

}  // namespace cdr::regions
