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

void Machine::block(ThreadId thread, BlockId id, std::span<const uint64_t> words) {
  if (thread != thread_ || !stack_) [[unlikely]]
    turn_to(thread);
  if (memory_.pressed()) [[unlikely]]
    sweep();
  const BlockPlan& b = plans_.block(id);
  SuperblockPlan& plan = *b.superblock;
  enter(plan);
  if (b.straight)
    run_straight(plan, b.accesses, words.data());
  else
    execute(plan, b.accesses, b.sp_changes, words);
  top().last = id.value;
}

// Null: the frame has executed nothing, or was stopped in the middle of its last block.
const BlockPlan* Machine::last_block(const Frame& f) {
  return f.last == 0 || (f.last & Frame::kPartial) ? nullptr : &plans_.block(BlockId(f.last));
}

[[gnu::noinline]] void Machine::enter_specially(const SuperblockPlan& plan) {
  Frame& f = top();
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
  if (tree_.name(f.node, plan.code, hidden)) judge_.empty_cache();
  const size_t position = stack_->frames.size() - 1;
  f.hidden = hidden ? static_cast<int32_t>(position) : position == 0 ? -1 : stack_->frames[position - 1].hidden;
}

// SP where the thread has it; the stack's own SP only moves within its range, for code that switches stacks
// loads the other's SP before the stream says so.
void Machine::set_sp(uint64_t sp) {
  stack_->raw_sp = sp;
  if (stack_->holds(sp)) stack_->sp.set(sp, memory_.version());
}

// Sees to it that the plan has the present actors. False: there are no more.
inline bool Machine::take_actors(SuperblockPlan& plan) {
  const Frame& f = top();
  const uint32_t phase = f.phase | (stack_->lazy_frames != 0 ? kLazyPhase : 0);
  if (plan.node != f.node || plan.phase != phase || plan.sp != stack_->raw_sp) return new_actors(plan, phase);
  if (plan.epoch != judge_.epoch()) [[unlikely]]
    plans_.start_precedents(plan, judge_.epoch());
  return true;
}

[[gnu::noinline]] bool Machine::new_actors(SuperblockPlan& plan, uint32_t phase) {
  if (sweep_is_due()) sweep();
  if (actors_.full()) return false;
  Run run;
  run.sp = stack_->raw_sp;
  run.node = top().node;
  run.sites = phase & kLazyPhase ? plans_.lazy_sites(plan) : plan.sites;
  run.thread = thread_.value;
  run.stack = stack_->holds(run.sp) ? stack_->index : 0;
  plan.actors = actors_.add_run(run, static_cast<uint32_t>(plan.ops.size()));
  plan.epoch = SuperblockPlan::kNoEpoch;
  plan.node = run.node;
  plan.phase = phase;
  plan.sp = run.sp;
  return true;
}

// No SP change, no accesses of one instruction that may overlap, but for a load that is overwritten at once.
void Machine::run_straight(SuperblockPlan& plan, size_t accesses, const uint64_t* words) {
  memory_.count_accesses(accesses);
  if (!take_actors(plan)) {
    lost_ += accesses;
    return;
  }
  const Here here = Memory::here(still());
  Precedent* const known = plan.epoch == judge_.epoch() ? plan.precedents.get() : nullptr;
  for (size_t i = 0; i < accesses; ++i) {
    const Op& op = plan.ops[i];
    uint64_t addr = op.constant;
    if (op.slot != 0) {
      const uint64_t word = words[op.slot - 1];
      if (op.guarded && word == 0) continue;
      addr += word;
    }
    const auto actor = static_cast<ActorIndex>(plan.actors + i);
    Precedent* const p = known ? known + i : nullptr;
    if (op.shift == Op::kOddWidth || !memory_.try_cell(op.mode, addr, op.shift, actor, here, p))
      access_here(op, addr, actor, p);
  }
}

[[gnu::noinline]] void Machine::access_here(const Op& op, uint64_t addr, ActorIndex actor, Precedent* known) {
  Step step = still();
  step.exact = true;
  memory_.access(op.mode, addr, op.width, actor, step, known);
}

Step Machine::still() const {
  const uint64_t sp = stack_->raw_sp;
  return {stack_->holds(sp) ? stack_ : nullptr, sp, sp};
}

// SP before and after the instruction. A value outside the stack's range does not count.
inline Step Machine::step_of(Execution& x, uint16_t insn) {
  const SpChange* const changes = x.plan.sp_changes.data();
  for (; x.sp_done < x.sp_changes && changes[x.sp_done].insn < insn; ++x.sp_done)
    set_sp(sp_after(changes[x.sp_done], x.sp, x.words));
  if (x.sp_done == x.sp_changes || changes[x.sp_done].insn != insn) return still();
  size_t last = x.sp_done;
  while (last + 1 < x.sp_changes && changes[last + 1].insn == insn) ++last;
  Step step{stack_, stack_->raw_sp, sp_after(changes[last], x.sp, x.words)};
  const bool before = stack_->holds(step.before);
  const bool after = stack_->holds(step.after);
  if (!before && !after) step.stack = nullptr;
  if (!before) step.before = step.after;
  if (!after) step.after = step.before;
  return step;
}

inline void Machine::run_instruction(const Execution& x, size_t first, size_t end, const Step& step) {
  const bool alone = end - first == 1;
  if (x.plan.is_group[first] && !alone) return run_group(x, first, end, step);
  const Here here = Memory::here(step);
  for (size_t i = first; i < end; ++i) {
    const Op& op = x.plan.ops[i];
    if (!happened(x.plan.accesses[i], x.words)) continue;
    const uint64_t addr = address_of(x.plan.accesses[i], x.words);
    const AccessMode mode = alone && op.mode == AccessMode::kLoadOnly ? AccessMode::kLoad : op.mode;
    const auto actor = static_cast<ActorIndex>(x.plan.actors + i);
    Precedent* const known = x.known ? x.known + i : nullptr;
    if (op.shift == Op::kOddWidth || rounded_ || !memory_.try_cell(mode, addr, op.shift, actor, here, known))
      memory_.access(mode, addr, op.width, actor, step, known);
  }
}

// Any part of a superblock.
void Machine::execute(SuperblockPlan& plan, size_t accesses, size_t sp_changes, std::span<const uint64_t> words) {
  Execution x{plan, words, stack_->raw_sp};
  x.accesses = plan.flags & kBlockShim ? 0 : accesses;
  x.sp_changes = sp_changes;
  if (x.accesses != 0) {
    memory_.count_accesses(x.accesses);
    if (!take_actors(plan)) {
      lost_ += x.accesses;
      x.accesses = 0;
    }
    x.known = plan.epoch == judge_.epoch() ? plan.precedents.get() : nullptr;
  }
  for (size_t first = 0, end; first < x.accesses; first = end) {
    const uint16_t insn = plan.accesses[first].insn;
    for (end = first + 1; end < x.accesses && plan.accesses[end].insn == insn;) ++end;
    run_instruction(x, first, end, step_of(x, insn));
  }
  for (; x.sp_done < x.sp_changes; ++x.sp_done) set_sp(sp_after(plan.sp_changes[x.sp_done], x.sp, words));
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

void Machine::run_group(const Execution& x, size_t first, size_t end, const Step& step) {
  group_.clear();
  for (size_t i = first; i < end; ++i) {
    const Access& a = x.plan.accesses[i];
    if (happened(a, x.words))
      group_.push_back({address_of(a, x.words), a.width, static_cast<ActorIndex>(x.plan.actors + i), a.store()});
  }
  run_members(step);
}

// The accesses of one execution of one instruction.
void Machine::run_members(const Step& step) {
  const bool overlap = any_overlap();
  if (overlap) memory_.begin_group();
  for (const GroupMember& m : group_) {
    if (overlap)
      memory_.access_in_group(m.store, m.addr, m.width, m.actor, step);
    else
      memory_.access(m.store ? AccessMode::kStore : AccessMode::kLoad, m.addr, m.width, m.actor, step, nullptr);
  }
  if (overlap) memory_.end_group(step);
}

}  // namespace cdr::depend
