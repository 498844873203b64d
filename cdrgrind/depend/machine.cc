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
      judge_(tree_, actors_, tally_),
      memory_(stacks_, tree_, actors_, judge_, limits_of(options)),
      plans_(blocks, codes_, actors_, options.granularity > 1) {
  set_sweep_limits();
}

void Machine::run_on(Stack& stack) {
  stack_ = &stack;
  judge_.set_stack(stack_);
}

void Machine::block(ThreadId thread, BlockId id, std::span<const uint64_t> words) {
  if (thread != thread_ || !stack_) turn_to(thread);
  if (sweep_is_due()) sweep();
  const BlockPlan& b = plans_.block(id);
  SuperblockPlan& plan = *b.superblock;
  enter(plan);
  execute(plan, b.accesses, b.sp_changes, words);
  top().last = id.value;
}

// Null: the frame has executed nothing, or was stopped in the middle of its last block.
const BlockPlan* Machine::last_block(const Frame& f) {
  return f.last == 0 || (f.last & Frame::kPartial) ? nullptr : &plans_.block(BlockId(f.last));
}

// The frame's name and lazy binding, before a block of it is executed.
void Machine::enter(const SuperblockPlan& plan) {
  Frame& f = top();
  const bool ordinary = (plan.flags & (kBlockFunctionEntry | kBlockDynamicLinker)) == 0;
  if (f.named && ordinary && !f.lazy) return;
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

ActorIndex Machine::actors_for(SuperblockPlan& plan) {
  const Frame& f = top();
  const bool lazy = stack_->lazy_frames != 0;
  const uint32_t phase = f.phase | (lazy ? kLazyPhase : 0);
  if (plan.node == f.node && plan.phase == phase && plan.sp == stack_->raw_sp) return plan.actors;
  Run run;
  run.sp = stack_->raw_sp;
  run.node = f.node;
  run.sites = lazy ? plans_.lazy_sites(plan) : plan.sites;
  run.thread = thread_.value;
  run.stack = stack_->holds(run.sp) ? stack_->index : 0;
  plan.actors = actors_.add_run(run, static_cast<uint32_t>(plan.accesses.size()));
  plan.node = f.node;
  plan.phase = phase;
  plan.sp = stack_->raw_sp;
  return plan.actors;
}

void Machine::execute(SuperblockPlan& plan, size_t accesses, size_t sp_changes, std::span<const uint64_t> words) {
  Execution x{plan, words, stack_->raw_sp};
  x.accesses = plan.flags & kBlockShim ? 0 : accesses;
  x.sp_changes = sp_changes;
  if (x.accesses != 0 && actors_.full()) {
    lost_ += x.accesses;
    x.accesses = 0;
  }
  if (x.accesses != 0) {
    memory_.count_accesses(x.accesses);
    x.actors = actors_for(plan);
    if (sp_changes == 0 && plan.access_plans.empty()) return run_straight(x);
  }
  run_stepwise(x);
}

// No SP change, no instruction with both loads and stores.
void Machine::run_straight(const Execution& x) {
  const Step step{stack_->holds(x.sp) ? stack_ : nullptr, x.sp, x.sp, true};
  const Access* a = x.plan.accesses.data();
  const uint64_t* const words = x.words.data();
  ActorIndex actor = x.actors;
  for (const Access* const end = a + x.accesses; a != end; ++a, ++actor) {
    uint64_t addr = static_cast<uint64_t>(a->constant);
    if (a->slot != 0) {
      const uint64_t word = words[a->slot - 1];
      if (a->guarded() && word == 0) continue;
      addr += word;
    }
    if (a->store())
      memory_.access<AccessMode::kStore>(addr, a->width, actor, step);
    else
      memory_.access<AccessMode::kLoad>(addr, a->width, actor, step);
  }
}

// SP before and after the instruction. A value outside the stack's range does not count.
Step Machine::step_of(Execution& x, uint16_t insn) {
  const auto& changes = x.plan.sp_changes;
  for (; x.sp_done < x.sp_changes && changes[x.sp_done].insn < insn; ++x.sp_done)
    set_sp(sp_after(changes[x.sp_done], x.sp, x.words));
  Step step{stack_, stack_->raw_sp, stack_->raw_sp};
  for (size_t i = x.sp_done; i < x.sp_changes && changes[i].insn == insn; ++i)
    step.after = sp_after(changes[i], x.sp, x.words);
  const bool before = stack_->holds(step.before);
  const bool after = stack_->holds(step.after);
  if (!before && !after) step.stack = nullptr;
  if (!before) step.before = step.after;
  if (!after) step.after = step.before;
  return step;
}

void Machine::run_stepwise(Execution& x) {
  const auto& accesses = x.plan.accesses;
  for (size_t first = 0, end; first < x.accesses; first = end) {
    const uint16_t insn = accesses[first].insn;
    for (end = first + 1; end < x.accesses && accesses[end].insn == insn;) ++end;
    run_instruction(x, first, end, step_of(x, insn));
  }
  for (; x.sp_done < x.sp_changes; ++x.sp_done) set_sp(sp_after(x.plan.sp_changes[x.sp_done], x.sp, x.words));
}

void Machine::run_instruction(const Execution& x, size_t first, size_t end, const Step& step) {
  const uint8_t plan = x.plan.access_plans.empty() ? uint8_t{kSimple} : x.plan.access_plans[first];
  if (plan == kGroup && end - first > 1) return run_group(x, first, end, step);
  const bool overwritten = plan == kOverwritten && end - first > 1;
  for (size_t i = first; i < end; ++i) {
    const Access& a = x.plan.accesses[i];
    if (!happened(a, x.words)) continue;
    const uint64_t addr = address_of(a, x.words);
    const auto actor = static_cast<ActorIndex>(x.actors + i);
    if (a.store())
      memory_.access<AccessMode::kStore>(addr, a.width, actor, step);
    else if (overwritten)
      memory_.access<AccessMode::kLoadOnly>(addr, a.width, actor, step);
    else
      memory_.access<AccessMode::kLoad>(addr, a.width, actor, step);
  }
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
      group_.push_back({address_of(a, x.words), a.width, static_cast<ActorIndex>(x.actors + i), a.store()});
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
    else if (m.store)
      memory_.access<AccessMode::kStore>(m.addr, m.width, m.actor, step);
    else
      memory_.access<AccessMode::kLoad>(m.addr, m.width, m.actor, step);
  }
  if (overlap) memory_.end_group(step);
}

}  // namespace cdr::depend
