// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <utility>

#include "cdrgrind/base/system_calls.h"
#include "cdrgrind/depend/machine.h"

namespace cdr::depend {

void Machine::event(const Event& e) {
  if (switch_.to && e.kind != EventKind::kPop && e.kind != EventKind::kSignalEnter) settle_switch();
  switch (e.kind) {
    case EventKind::kThreadStart:
      return start_thread(e);
    case EventKind::kTurn:  // it may come before the thread's start
      thread_ = e.thread;
      stack_ = nullptr;
      return;
    case EventKind::kModuleMapped:
      return map_module(e.module);
    case EventKind::kModuleUnmapped:
      return unmap_module(e.module);
    default:
      break;
  }
  if (memory_event(e)) return;
  if (switch_.to && e.kind == EventKind::kPop && e.thread == thread_) run_on(*switch_.to);
  if (switch_.to && e.kind == EventKind::kSignalEnter) return enter_signal(e);
  if (e.thread != thread_ || !stack_) turn_to(e.thread);
  frame_event(e);
  if (switch_.to) stack_ = nullptr;
}

bool Machine::memory_event(const Event& e) {
  switch (e.kind) {
    case EventKind::kAlloc:
      memory_.alloc_block({e.addr, e.addr + e.size});
      return true;
    case EventKind::kFree:
      memory_.free_block({e.addr, e.addr + e.size});
      return true;
    case EventKind::kResize:
      resize(e);
      return true;
    case EventKind::kMap:
    case EventKind::kUnmap:
      memory_.forget(e.range);
      return true;
    default:
      return false;
  }
}

void Machine::frame_event(const Event& e) {
  switch (e.kind) {
    case EventKind::kBlock:
      return block(e.thread, e.block, e.words);
    case EventKind::kPartial:
      return partial(e);
    case EventKind::kCall:
      return open_frame(code_at(e.ip));
    case EventKind::kReturn:
      return close_frame();
    case EventKind::kPop:
      for (uint32_t i = 0; i < e.count && stack_->frames.size() > 1; ++i) close_frame();
      return;
    case EventKind::kStackSwitch:
      return switch_stack(e);
    case EventKind::kSignalEnter:
      return enter_signal(e);
    case EventKind::kSignalLeave:
      close_frame();
      return set_sp(e.sp);
    case EventKind::kStackPointer:
      return set_sp(e.sp);
    case EventKind::kGapEnd:
      memory_.forget_everything();
      return set_sp(e.sp);
    case EventKind::kEnter:
      return name_top(*lowered_blocks_.block(e.block).superblock);
    case EventKind::kThreadCreate:
      return created_by(e.thread, e.child);
    case EventKind::kThreadEnd:
      return end_thread(e);
    case EventKind::kSyscall:
      return system_call(e);
    default:
      return;
  }
}

void Machine::resize(const Event& e) {
  const uint64_t before = e.addr + e.size;
  const uint64_t after = e.addr + e.value;
  if (after < before)
    memory_.free_block({after, before});
  else
    memory_.alloc_block({before, after});
}

// Whole instructions before the one that faulted.
void Machine::partial(const Event& e) {
  row_table_.begin_step();
  const Superblock& sb = blocks_.superblock_of(e.block);
  LoweredSuperblock& lowered = *lowered_blocks_.block(e.block).superblock;
  const Executed done = executed_before(sb, e.ip);
  enter(lowered, top());
  const CodeIndex last = done.insns ? codes_.intern({sb.module, sb.insn_addr(done.insns - 1u)}) : last_code(top());
  const uint32_t accesses = lowered.flags & kBlockShim ? 0 : done.accesses;
  run(lowered, accesses, lowered_blocks_.part_of(sb, done.accesses, done.sp_changes), e.words.data());
  top().last = Frame::kPartial | last;
}

CodeIndex Machine::last_code(const Frame& f) {
  if (f.last & Frame::kPartial) return f.last & ~Frame::kPartial;
  return f.last ? lowered_blocks_.block(BlockId(f.last)).last : 0;
}

// The module of an address: as a rule that of the block executed last.
CodeIndex Machine::code_at(uint64_t addr) {
  if (const LoweredBlock* last = last_block(top())) {
    if (codes_[last->last].addr == addr) return last->last;
    const Superblock& sb = blocks_.superblock_of(BlockId(top().last));
    if (addr - sb.addr < sb.length) return codes_.intern({sb.module, addr});
  }
  for (size_t i = mapped_.size(); i-- > 0;)
    if (modules_[mapped_[i]].text.contains(addr)) return codes_.intern({mapped_[i], addr});
  return codes_.intern({ModuleId(), addr});
}

void Machine::open_frame(CodeIndex site) {
  Frame f;
  f.node = tree_.open(top().node, site, static_cast<uint32_t>(stack_->frames.size()));
  f.hidden = top().hidden;
  tree_[top().node].number = 0;
  stack_->frames.push_back(f);
  classifier_.frames_changed();
}

void Machine::close_frame() {
  if (stack_->frames.size() <= 1) return;
  if (top().lazy) --stack_->lazy_frames;
  const bool root = top().node == stack_->root;
  tree_.close(top().node);
  stack_->frames.pop_back();
  tree_[top().node].number = 0;
  if (root) stack_->root = tree_[top().node].root;
  classifier_.frames_changed();
}

void Machine::open_root(Stack& stack) {
  if (!stack.frames.empty()) tree_[stack.top().node].number = 0;
  classifier_.frames_changed();
  Frame root;
  root.node = stack.root = tree_.open_root(static_cast<uint32_t>(stack.frames.size()));
  stack.frames.push_back(root);
}

// If the thread came onto the stack for this signal, the handler's frame is a root, and hangs from the interrupted one.
void Machine::enter_signal(const Event& e) {
  Stack* const to = switch_.to;
  if (!to || e.thread != thread_ || to->raw_sp != e.sp) {
    turn_to(e.thread);
    open_frame(code_at(e.ip));
    return set_sp(e.sp);
  }
  Stack& from = *switch_.from;
  switch_ = {};
  run_on(from);
  begin_visit(*to, from, code_at(e.ip));
  open_root(*to);
  run_on(*to);
  set_sp(e.sp);
}

void Machine::finish(Stack& stack) {
  classifier_.frames_changed();
  while (!stack.frames.empty()) {
    tree_.close(stack.top().node);
    stack.frames.pop_back();
  }
  stack.lazy_frames = 0;
  stack.shared = false;
}

void Machine::turn_to(ThreadId thread) {
  settle_switch();
  thread_ = thread;
  ThreadState& t = stacks_.thread(thread);
  if (!t.stack) {  // a stream that does not say where it runs
    t.stack = &stacks_.add_nameless();
    t.stack->thread = thread.value;
    enter_first(t, *t.stack, 0);
  }
  if (t.stack->frames.empty()) open_root(*t.stack);  // or one that another thread on the same stack has finished
  run_on(*t.stack);
}

// The child's root will hang from the creator's top frame.
void Machine::created_by(ThreadId creator, ThreadId child) {
  stacks_.thread(child);
  const Stack* stack = creator ? stacks_.thread(creator).stack : nullptr;
  if (!stack || stack->frames.empty()) return;
  classifier_.frames_changed();
  Visits& visits = tree_.visits();
  VisitIndex& created = stacks_.thread(child).created;
  if (created) visits.release(created, tree_);
  created = visits.add(stack->top().node, last_code(stack->top()), stack->visit, child.value, false);
  visits.hold(created, tree_);
}

// The visit `first` that its creation made, or without one a visit that hangs from nothing.
void Machine::enter_first(ThreadState& t, Stack& stack, VisitIndex first) {
  leave_visits(t, 0);
  if (first == 0) {
    first = tree_.visits().add(0, 0, 0, stack.thread, false);
    tree_.visits().hold(first, tree_);
  }
  t.visits.push_back({stack.index, first});
  enter_visit(stack, first);
}

// Those inside the last one of the stack; 0: all.
void Machine::leave_visits(ThreadState& t, StackIndex stack) {
  for (; !t.visits.empty() && t.visits.back().stack != stack; t.visits.pop_back())
    tree_.visits().release(t.visits.back().visit, tree_);
}

void Machine::start_thread(const Event& e) {
  settle_switch();
  if (stacks_.thread(e.thread).created == 0) created_by(e.child, e.thread);
  ThreadState& t = stacks_.thread(e.thread);
  Stack* stack = stacks_.find(e.stack);
  if (!stack) stack = &stacks_.add(e.stack);
  finish(*stack);
  stack->range = e.range;
  memory_.set_stack(stack->index, e.range);
  stack->sp.set(e.sp, memory_.version());
  stack->raw_sp = e.sp;
  stack->thread = e.thread.value;
  open_root(*stack);
  enter_first(t, *stack, std::exchange(t.created, 0));
  t.stack = t.own = stack;
  thread_ = e.thread;
  run_on(*stack);
}

void Machine::end_thread(const Event& e) {
  ThreadState& t = stacks_.thread(e.thread);
  for (Stack* s : {t.stack, t.own}) {
    if (!s || s->thread != e.thread.value) continue;
    s->sp.set(s->range.end, memory_.version());
    finish(*s);
  }
  leave_visits(t, 0);
  t.stack = t.own = nullptr;
  stack_ = nullptr;
}

// The next event shows whether it is a handler's.
void Machine::switch_stack(const Event& e) {
  Stack& from = *stack_;
  from.raw_sp = from.sp.now();
  Stack* to = stacks_.find(e.stack);
  if (!to) to = &stacks_.add(e.stack);
  to->range = e.range;
  memory_.set_stack(to->index, e.range);
  to->sp.set(e.sp, memory_.version());
  to->raw_sp = e.sp;
  if (to->frames.empty()) open_root(*to);
  if (to == &from) return;  // only its bounds
  stacks_.thread(thread_).stack = to;
  switch_ = {&from, to, last_code(from.top())};
  stack_ = nullptr;
}

// It is none: the thread goes back to a visit that it is in, or makes one.
void Machine::settle_switch() {
  if (!switch_.to) return;
  const auto [from, to, site] = std::exchange(switch_, {});
  ThreadState& t = stacks_.thread(thread_);
  if (!t.is_in_visit_of(to->index)) return begin_visit(*to, *from, site);
  leave_visits(t, to->index);
  note_user(*to);
  enter_visit(*to, t.visits.back().visit);
}

void Machine::begin_visit(Stack& to, Stack& from, CodeIndex site) {
  ThreadState& t = stacks_.thread(thread_);
  Visits& visits = tree_.visits();
  note_user(to);
  const bool twice = to.shared || t.is_in_visit_of(to.index);
  const VisitIndex visit = visits.add(from.top().node, site, t.visits.back().visit, thread_.value, twice);
  visits.hold(visit, tree_);
  t.visits.push_back({to.index, visit});
  enter_visit(to, visit);
}

void Machine::note_user(Stack& stack) {
  stack.shared = stack.shared || (stack.thread != 0 && stack.thread != thread_.value);
  stack.thread = thread_.value;
}

// Its accesses are those of the instruction at `ip`; each span is one. A word that a thread waits on is no data.
void Machine::system_call(const Event& e) {
  row_table_.begin_step();
  if (e.memory.empty() || e.value == kCallFutex) return;
  const bool lazy = stack_->lazy_frames != 0;
  const CodeIndex code = code_at(e.ip);
  SiteIndex& sites = call_sites_[uint64_t{code} << 1 | (lazy ? 1 : 0)];
  if (sites == 0) {
    const uint8_t flags = lazy ? kSiteLazy : 0;
    const Site pair[2] = {{code, 0, flags}, {code, 0, static_cast<uint8_t>(flags | kSiteStore)}};
    sites = contexts_.add_sites(pair);
  }
  if (contexts_.full()) {
    lost_ += e.memory.size();
    return;
  }
  Run run;
  run.sp = stack_->raw_sp;
  run.node = top().node;
  run.sites = sites;
  run.visit = stack_->visit;
  run.stack = stack_->holds(run.sp) ? stack_->index : 0;
  const ContextIndex contexts = contexts_.add_run(run, 2);
  group_.clear();
  for (const MemorySpan& m : e.memory)
    if (m.size != 0) group_.push_back({m.addr, m.size, contexts + (m.store ? 1 : 0), m.store});
  row_table_.count_accesses(group_.size());
  run_members(nullptr);
}

void Machine::map_module(ModuleId id) {
  const Module& m = modules_[id];
  mapped_.push_back(id);
  memory_.map_got(m.got);
  memory_.map_got(m.got_plt);
}

void Machine::unmap_module(ModuleId id) {
  const auto at = std::find(mapped_.begin(), mapped_.end(), id);
  if (at == mapped_.end()) return;
  mapped_.erase(at);
  memory_.unmap_got(modules_[id].got);
  memory_.unmap_got(modules_[id].got_plt);
}

}  // namespace cdr::depend
