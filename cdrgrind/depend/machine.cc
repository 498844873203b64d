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
  run(plan, b.accesses, {b.ops, b.op_count}, words.data());
  top().last = id.value;
}

void Machine::block_run(ThreadId thread, std::span<const ExecutedBlock> run) {
  for (const ExecutedBlock& b : run) block(thread, b.id, {b.words, b.word_count});
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
  judge_.frames_changed();
  if (tree_.name(f.node, plan.code, hidden)) judge_.empty_cache();
  const size_t position = stack_->frames.size() - 1;
  f.hidden = hidden ? static_cast<int32_t>(position) : position == 0 ? -1 : stack_->frames[position - 1].hidden;
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
  plan.actors = actors_.add_run(run, plan.accesses);
  plan.epoch = SuperblockPlan::kNoEpoch;
  plan.node = run.node;
  plan.phase = phase;
  plan.sp = run.sp;
  return true;
}

// A part of a superblock, with so many accesses.
void Machine::run(SuperblockPlan& plan, uint32_t accesses, std::span<const Op> ops, const uint64_t* words) {
  ActorIndex actor = 0;  // of the next access
  Precedent* known = nullptr;
  if (accesses != 0) {
    memory_.count_accesses(accesses);
    if (!take_actors(plan)) return lose(accesses, ops, words);
    actor = plan.actors;
    if (plan.epoch == judge_.epoch()) known = plan.precedents.get();
  }
  const uint64_t sp_at_entry = stack_->raw_sp;
  Here here = Memory::here(*stack_);
  const Op* rise = nullptr;  // SP rises to `later` behind it
  uint64_t later = 0;
  for (const Op *op = ops.data(), *const end = op + ops.size(); op != end; ++op) {
    if (op->is_access()) [[likely]] {
      access(*op, words, actor, known, here);
      ++actor;
      if (known) ++known;
    } else if (op->kind == OpKind::kGroup) {
      group(op + 1, op->count, words, actor);
      actor += op->count;
      if (known) known += op->count;
      op += op->count;
    } else if (later = sp_of(*op, words, sp_at_entry); falls_to(later) || op->count == 0) {
      set_sp(later);
      here = Memory::here(*stack_);
    } else {
      rise = op + op->count;
    }
    if (op == rise) {
      set_sp(later);
      here = Memory::here(*stack_);
    }
  }
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
