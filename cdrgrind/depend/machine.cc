// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/machine.h"

#include <algorithm>
#include <bit>

namespace cdr::depend {
namespace {

constexpr uint32_t kLazyPhase = uint32_t{1} << 31;

MemoryLimits limits_of(const Options& o) {
  MemoryLimits l;
  l.granularity_bits = static_cast<unsigned>(std::bit_width(std::clamp(o.granularity, 1u, 64u)) - 1);
  l.shadow_bytes = o.memory_bytes / 4 * 3;
  l.set_bytes = o.memory_bytes / 16;
  return l;
}

}  // namespace

Machine::Machine(const ModuleTable& modules, const BlockTable& blocks, const Options& options)
    : modules_(modules),
      blocks_(blocks),
      options_(options),
      rounded_(options.granularity > 1),
      judge_(tree_, actors_, tally_),
      memory_(stacks_, tree_, actors_, judge_, limits_of(options)),
      plans_(blocks, codes_, actors_, rounded_) {
  set_sweep_limits();
}

void Machine::run_on(Stack& stack) {
  stack_ = &stack;
  judge_.set_stack(stack_);
}

// From now on the stack is in this visit.
void Machine::enter_visit(Stack& stack, VisitIndex visit) {
  stack.under_hidden = tree_.visits()[visit].under_hidden;
  if (stack.visit == visit) return;
  stack.visit = visit;
  const uint32_t phase = ++phases_ & ~kLazyPhase;
  for (Frame& f : stack.frames) f.phase = phase;
}

// Not 0: SP will rise behind so many ops more.
[[gnu::always_inline]] inline uint16_t Machine::change_sp(const Op& op, const uint64_t* words, Stack& stack) {
  const uint64_t sp = sp_of(op, words, sp_at_entry_);
  const bool falls = sp < stack.raw_sp || !stack.holds(stack.raw_sp);
  if (!falls && op.count != 0) {
    rises_ = true;
    rises_to_ = sp;
    return op.count;
  }
  set_sp(stack, sp);
  return 0;
}

// kKnown: `precedents` has one for each access. The loop over accesses that do what they did before is what regular
// programs do: its state lies in registers, so all else is done elsewhere.
template <bool kKnown>
[[gnu::always_inline]] inline void Machine::steps(std::span<const Op> ops, const uint64_t* words, ActorIndex first,
                                                  Precedent* precedents, Stack& stack) {
  sp_at_entry_ = stack.raw_sp;
  memory_.turn_to(stack);
  const Op* op = ops.data();
  const Op* const end = op + ops.size();
  const Op* stop = end;
  ActorIndex actor = first;  // without precedents; with them they tell
  Precedent* known = precedents;
  const auto present = [&] { return kKnown ? first + static_cast<ActorIndex>(known - precedents) : actor; };
  while (true) {
    while (op != stop) {
      if (op->quick) [[likely]] {
        memory_.quick_access<kKnown>(op->mode(), address_of(*op, words), op->shift, op->count, present, known);
        actor += kKnown ? 0 : 1;
        known += kKnown ? 1 : 0;
        ++op;
      } else if (!kKnown && op->kind == OpKind::kSp) {
        if (const uint16_t behind = change_sp(*op, words, stack)) stop = op + behind + 1;
        ++op;
      } else {
        const Step step = special(*op, words, present(), known);
        actor += kKnown ? 0 : step.accesses;
        known += kKnown ? step.accesses : 0;
        op += step.ops;
        if (step.rises_behind != 0) [[unlikely]]
          stop = op + step.rises_behind;
      }
    }
    if (!rises_) return;
    rises_ = false;
    set_sp(stack, rises_to_);
    stop = end;
  }
}

// The plan's actors are the present ones, or it gets new ones, whose first accesses these are.
[[gnu::always_inline]] inline void Machine::execute(SuperblockPlan& plan, uint32_t accesses, std::span<const Op> ops,
                                                    const uint64_t* words, Stack& stack, const Frame& frame) {
  if (accesses == 0) {
    if (!ops.empty()) steps<false>(ops, words, 0, nullptr, stack);
    return;
  }
  memory_.count_accesses(accesses);
  const uint32_t phase = frame.phase | (stack.lazy_frames != 0 ? kLazyPhase : 0);
  if (plan.node != frame.node || plan.phase != phase || plan.sp != stack.raw_sp) {
    if (!new_actors(plan, phase)) return lose(accesses, ops, words);
    return steps<false>(ops, words, plan.actors, nullptr, stack);
  }
  if (plan.epoch != judge_.epoch()) [[unlikely]]
    plans_.start_precedents(plan, judge_.epoch(), tally_);
  steps<true>(ops, words, plan.actors, plan.precedents.get(), stack);
}

void Machine::block(ThreadId thread, BlockId id, std::span<const uint64_t> words) {
  const RunStep alone{id, static_cast<uint32_t>(words.size()), {words.data()}};
  run(thread, {&alone, 1});
}

void Machine::run(ThreadId thread, Steps run) {
  if (run.empty()) return;
  if (thread != thread_ || !stack_) [[unlikely]]
    turn_to(thread);
  Stack& stack = *stack_;
  Frame* frame = &stack.top();
  for (const RunStep& s : run) {
    if (!s.block) {
      if (s.kind() == EventKind::kCall)
        open_frame(last_code(*frame));
      else
        close_frame();
      frame = &stack.top();
      continue;
    }
    if (memory_.pressed()) [[unlikely]]
      sweep();
    const BlockPlan& b = plans_.block(s.block);
    enter(*b.superblock, *frame);
    execute(*b.superblock, b.accesses, {b.ops, b.op_count}, s.words, stack, *frame);
    frame->last = s.block.value;
  }
}

// Null: the frame has executed nothing, or was stopped in the middle of its last block.
const BlockPlan* Machine::last_block(const Frame& f) {
  return f.last == 0 || (f.last & Frame::kPartial) ? nullptr : &plans_.block(BlockId(f.last));
}

[[gnu::noinline]] void Machine::enter_specially(const SuperblockPlan& plan, Frame& f) {
  const BlockPlan* last = last_block(f);
  const bool jumped = last && last->jumps;
  if (!f.named || (jumped && (plan.flags & kBlockFunctionEntry))) name_top(plan);
  if (!jumped) return;
  const uint8_t from = last->superblock->flags;
  if (!f.lazy && (from & kBlockPlt) && (plan.flags & kBlockDynamicLinker)) {
    f.lazy = true;
    ++stack_->lazy_frames;
  } else if (f.lazy && (from & kBlockDynamicLinker) && !(plan.flags & kBlockDynamicLinker)) {
    f.lazy = false;
    --stack_->lazy_frames;
  }
}

void Machine::name_top(const SuperblockPlan& plan) {
  Frame& f = top();
  const bool hidden = plan.flags & kBlockHidden;
  const Node& node = tree_[f.node];
  if (f.named && (node.function != plan.code || node.hidden() != hidden)) f.phase = ++phases_ & ~kLazyPhase;
  f.named = true;
  judge_.frames_changed();
  if (tree_.name(f.node, plan.code, hidden)) {
    judge_.empty_cache();
    for (const ThreadState& t : stacks_.threads())
      if (t.stack) t.stack->under_hidden = tree_.visits()[t.stack->visit].under_hidden;
  }
  const size_t position = stack_->frames.size() - 1;
  const bool root = tree_[f.node].root == f.node;
  f.hidden = hidden ? static_cast<int32_t>(position) : root ? -1 : stack_->frames[position - 1].hidden;
}

[[gnu::noinline]] bool Machine::new_actors(SuperblockPlan& plan, uint32_t phase) {
  if (sweep_is_due()) sweep();
  if (actors_.full()) return false;
  Run run;
  run.sp = stack_->raw_sp;
  run.node = top().node;
  run.sites = phase & kLazyPhase ? plans_.lazy_sites(plan) : plan.sites;
  run.visit = stack_->visit;
  run.stack = stack_->holds(run.sp) ? stack_->index : 0;
  plan.actors = actors_.add_run(run, plan.accesses);
  plan.epoch = SuperblockPlan::kNoEpoch;
  plan.node = run.node;
  plan.phase = phase;
  plan.sp = run.sp;
  return true;
}

void Machine::run(SuperblockPlan& plan, uint32_t accesses, std::span<const Op> ops, const uint64_t* words) {
  execute(plan, accesses, ops, words, *stack_, top());
}

// What is no ordinary access.
[[gnu::noinline]] Machine::Step Machine::special(const Op& op, const uint64_t* words, ActorIndex actor,
                                                 Precedent* known) {
  if (op.is_access()) {
    odd_access(op, words, actor, known);
    return {1, 1, 0};
  }
  if (op.kind == OpKind::kGroup) {
    group(&op + 1, op.count, words, actor);
    return {static_cast<uint16_t>(op.count + 1), op.count, 0};
  }
  return {1, 0, change_sp(op, words, *stack_)};
}

void Machine::odd_access(const Op& op, const uint64_t* words, ActorIndex actor, Precedent* known) {
  if (op.guarded && op.slot != 0 && words[op.slot - 1] == 0) return;
  const uint64_t addr = address_of(op, words);
  const auto present = [actor] { return actor; };
  if (op.shift == Op::kOddWidth)
    memory_.access(op.mode(), addr, op.count, actor, known);
  else if (known)
    memory_.quick_access<true>(op.mode(), addr, op.shift, op.count, present, known);
  else
    memory_.quick_access<false>(op.mode(), addr, op.shift, op.count, present, known);
}

// Without actors: only SP.
void Machine::lose(uint32_t accesses, std::span<const Op> ops, const uint64_t* words) {
  lost_ += accesses;
  const uint64_t sp_at_entry = stack_->raw_sp;
  for (const Op& op : ops)
    if (op.kind == OpKind::kSp) set_sp(sp_of(op, words, sp_at_entry));
}

bool Machine::any_overlap() {
  for (size_t i = 0; i < group_.size(); ++i)
    for (size_t j = i + 1; j < group_.size(); ++j) {
      if (!group_[i].store && !group_[j].store) continue;
      uint64_t a = group_[i].addr, a_width = group_[i].width, b = group_[j].addr, b_width = group_[j].width;
      memory_.round(a, a_width);
      memory_.round(b, b_width);
      if (a < b + b_width && b < a + a_width) return true;
    }
  return false;
}

[[gnu::noinline]] void Machine::group(const Op* op, size_t count, const uint64_t* words, ActorIndex first) {
  group_.clear();
  for (const Op* const end = op + count; op != end; ++op, ++first)
    if (const uint64_t word = op->slot ? words[op->slot - 1] : 0; !op->guarded || word != 0)
      group_.push_back({op->constant + word, op->count, first, op->kind == OpKind::kStore});
  run_members();
}

// The accesses of one execution of one instruction.
void Machine::run_members() {
  const bool overlap = any_overlap();
  if (overlap) memory_.begin_group();
  for (const GroupMember& m : group_) {
    if (overlap)
      memory_.access_in_group(m.store, m.addr, m.width, m.actor);
    else
      memory_.access(m.store ? AccessMode::kStore : AccessMode::kLoad, m.addr, m.width, m.actor, nullptr);
  }
  if (overlap) memory_.end_group();
}

}  // namespace cdr::depend
