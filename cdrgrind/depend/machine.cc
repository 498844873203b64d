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
  l.parts = o.parts;
  l.part = o.part;
  return l;
}

}  // namespace

Machine::Machine(const ModuleTable& modules, const BlockTable& blocks, const Options& options)
    : modules_(modules),
      blocks_(blocks),
      options_(options),
      rounded_(options.granularity > 1),
      shared_(options.parts > 1),
      classifier_(tree_, contexts_, row_table_),
      memory_(stacks_, tree_, contexts_, classifier_, limits_of(options)),
      lowered_blocks_(blocks, codes_, contexts_, rounded_) {
  set_sweep_limits();
}

void Machine::run_on(Stack& stack) {
  stack_ = &stack;
  classifier_.set_stack(stack_);
}

// From now on the stack is in this visit.
void Machine::enter_visit(Stack& stack, VisitIndex visit) {
  classifier_.frames_changed();
  stack.under_hidden = tree_.visits()[visit].under_hidden;
  if (stack.visit == visit) return;
  stack.visit = visit;
  const uint32_t phase = ++phases_ & ~kLazyPhase;
  for (Frame& f : stack.frames) {
    f.phase = phase;
    tree_[f.node].number = 0;
  }
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

// kKnown: `inline_caches` has one for each access. The loop over accesses that do what they did before is what regular
// programs do: its state lies in registers, so all else is done elsewhere.
template <bool kKnown, bool kObserved>
[[gnu::always_inline]] inline void Machine::steps(std::span<const Op> ops, const uint64_t* words, ContextIndex first,
                                                  InlineCache* inline_caches, Stack& stack) {
  sp_at_entry_ = stack.raw_sp;
  memory_.turn_to(stack);
  const Op* op = ops.data();
  const Op* const end = op + ops.size();
  const Op* stop = end;
  ContextIndex context = first;  // without inline caches; with them they tell
  InlineCache* known = inline_caches;
  const auto present = [&] { return kKnown ? first + static_cast<ContextIndex>(known - inline_caches) : context; };
  while (true) {
    while (op != stop) {
      if (op->quick) [[likely]] {
        const uint64_t addr = address_of(*op, words);
        if (!shared_ || memory_.concerns(addr, op->count)) [[likely]]
          memory_.quick_access<kKnown, kObserved>(op->mode(), addr, op->shift, op->count, present, known);
        context += kKnown ? 0 : 1;
        known += kKnown ? 1 : 0;
        ++op;
      } else if (!kKnown && op->kind == OpKind::kSp) {
        if (const uint16_t behind = change_sp(*op, words, stack)) stop = op + behind + 1;
        ++op;
      } else {
        const Step step = special(*op, words, present(), known);
        context += kKnown ? 0 : step.accesses;
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

// The steps behind `s` that do the same, where no op can change SP.
template <bool kShared>
[[gnu::always_inline]] inline void Machine::repeat_plain(const LoweredSuperblock& lowered, std::span<const Op> ops,
                                                         const RunStep*& s, const RunStep* end) {
  InlineCache* const inline_caches = lowered.inline_caches.get();
  const ContextIndex first = lowered.contexts;
  const RunStep* next = s + 1;
  for (; next != end && next->block == s->block && !memory_.pressed(); ++next) {
    const uint64_t* const words = next->words;
    row_table_.begin_step();
    row_table_.count_accesses(ops.size());
    InlineCache* known = inline_caches;
    const auto present = [&] { return first + static_cast<ContextIndex>(known - inline_caches); };
    for (const Op& op : ops) {
      const uint64_t addr = address_of(op, words);
      if (!kShared || memory_.concerns(addr, op.count))
        memory_.quick_access<true>(op.mode(), addr, op.shift, op.count, present, known);
      ++known;
    }
  }
  s = next - 1;
}

[[gnu::noinline]] void Machine::repeat_plain_of_part(const LoweredSuperblock& lowered, std::span<const Op> ops,
                                                     const RunStep*& s, const RunStep* end) {
  repeat_plain<true>(lowered, ops, s, end);
}

// The superblock's contexts are the present ones, or it gets new ones, whose first accesses these are.
[[gnu::always_inline]] inline void Machine::execute(LoweredSuperblock& lowered, uint32_t accesses,
                                                    std::span<const Op> ops, bool plain, const RunStep*& s,
                                                    const RunStep* end, Stack& stack, const Frame& frame) {
  const uint64_t* words = s->words;
  if (accesses == 0) {
    if (!ops.empty()) steps<false>(ops, words, 0, nullptr, stack);
    return;
  }
  row_table_.count_accesses(accesses);
  const uint32_t phase = frame.phase | (stack.lazy_frames != 0 ? kLazyPhase : 0);
  if (lowered.node != frame.node || lowered.phase != phase || lowered.sp != stack.raw_sp) {
    if (!new_contexts(lowered, frame, phase)) return lose(accesses, ops, words);
    return steps<false>(ops, words, lowered.contexts, nullptr, stack);
  }
  if (lowered.version != classifier_.version()) [[unlikely]]
    lowered_blocks_.start_inline_caches(lowered, classifier_.version(), row_table_);
  if constexpr (kObservable)
    if (classifier_.observation().any())
      return steps<true, true>(ops, words, lowered.contexts, lowered.inline_caches.get(), stack);
  while (true) {
    steps<true>(ops, words, lowered.contexts, lowered.inline_caches.get(), stack);
    const RunStep* const next = s + 1;
    if (plain) return shared_ ? repeat_plain_of_part(lowered, ops, s, end) : repeat_plain<false>(lowered, ops, s, end);
    if (next == end || next->block != s->block || lowered.sp != stack.raw_sp || memory_.pressed()) return;
    s = next;
    words = s->words;
    row_table_.begin_step();
    row_table_.count_accesses(accesses);
  }
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
  const RunStep* const end = run.data() + run.size();
  for (const RunStep* s = run.data(); s != end; ++s) {
    if (!s->block) {
      if (s->kind() == EventKind::kCall)
        open_frame(last_code(*frame));
      else
        close_frame();
      frame = &stack.top();
      continue;
    }
    if (memory_.pressed()) [[unlikely]]
      sweep();
    row_table_.begin_step();
    const LoweredBlock& b = lowered_blocks_.block(s->block);
    enter(*b.superblock, *frame);
    const bool alone = frame->lazy || (b.superblock->flags & (kBlockFunctionEntry | kBlockDynamicLinker)) != 0;
    execute(*b.superblock, b.accesses, {b.ops, b.op_count}, b.plain, s, alone ? s + 1 : end, stack, *frame);
    frame->last = s->block.value;
  }
}

// Null: the frame has executed nothing, or was stopped in the middle of its last block.
const LoweredBlock* Machine::last_block(const Frame& f) {
  return f.last == 0 || (f.last & Frame::kPartial) ? nullptr : &lowered_blocks_.block(BlockId(f.last));
}

[[gnu::noinline]] void Machine::enter_specially(const LoweredSuperblock& lowered, Frame& f) {
  const LoweredBlock* last = last_block(f);
  const bool jumped = last && last->jumps;
  if (!f.named || (jumped && (lowered.flags & kBlockFunctionEntry))) name_top(lowered);
  if (!jumped) return;
  const uint8_t from = last->superblock->flags;
  if (!f.lazy && (from & kBlockPlt) && (lowered.flags & kBlockDynamicLinker)) {
    f.lazy = true;
    ++stack_->lazy_frames;
  } else if (f.lazy && (from & kBlockDynamicLinker) && !(lowered.flags & kBlockDynamicLinker)) {
    f.lazy = false;
    --stack_->lazy_frames;
  }
}

void Machine::name_top(const LoweredSuperblock& lowered) {
  Frame& f = top();
  const bool hidden = lowered.flags & kBlockHidden;
  const Node& node = tree_[f.node];
  if (f.named && (node.function != lowered.code || node.hidden() != hidden)) f.phase = ++phases_ & ~kLazyPhase;
  f.named = true;
  tree_[f.node].number = 0;
  classifier_.frames_changed();
  if (tree_.name(f.node, lowered.code, hidden)) {
    classifier_.empty_cache();
    for (StackIndex i = 1; i < stacks_.end(); ++i)
      for (const Frame& other : stacks_[i].frames) tree_[other.node].number = 0;
    for (const ThreadState& t : stacks_.threads())
      if (t.stack) t.stack->under_hidden = tree_.visits()[t.stack->visit].under_hidden;
  }
  const size_t position = stack_->frames.size() - 1;
  const bool root = tree_[f.node].root == f.node;
  f.hidden = hidden ? static_cast<int32_t>(position) : root ? -1 : stack_->frames[position - 1].hidden;
}

[[gnu::noinline]] bool Machine::new_contexts(LoweredSuperblock& lowered, const Frame& frame, uint32_t phase) {
  if (sweep_is_due()) [[unlikely]]
    sweep();
  if (contexts_.full()) [[unlikely]]
    return false;
  Run run;
  run.sp = stack_->raw_sp;
  run.node = frame.node;
  run.sites = phase & kLazyPhase ? lowered_blocks_.lazy_sites(lowered) : lowered.sites;
  run.visit = stack_->visit;
  run.stack = stack_->holds(run.sp) ? stack_->index : 0;
  lowered.contexts = contexts_.add_run(run, lowered.accesses);
  lowered.version = LoweredSuperblock::kNoVersion;
  lowered.node = run.node;
  lowered.phase = phase;
  lowered.sp = run.sp;
  return true;
}

void Machine::run(LoweredSuperblock& lowered, uint32_t accesses, std::span<const Op> ops, const uint64_t* words) {
  const RunStep alone{BlockId(), 0, {words}};
  const RunStep* s = &alone;
  execute(lowered, accesses, ops, false, s, s + 1, *stack_, top());
}

// What is no ordinary access.
[[gnu::noinline]] Machine::Step Machine::special(const Op& op, const uint64_t* words, ContextIndex context,
                                                 InlineCache* known) {
  if (op.is_access()) {
    odd_access(op, words, context, known);
    return {1, 1, 0};
  }
  if (op.kind == OpKind::kGroup) {
    group(&op + 1, op.count, words, context, known);
    return {static_cast<uint16_t>(op.count + 1), op.count, 0};
  }
  return {1, 0, change_sp(op, words, *stack_)};
}

void Machine::odd_access(const Op& op, const uint64_t* words, ContextIndex context, InlineCache* known) {
  if (op.guarded && op.slot != 0 && words[op.slot - 1] == 0) return;
  const uint64_t addr = address_of(op, words);
  if (shared_ && !memory_.concerns(addr, op.count)) return;
  const auto present = [context] { return context; };
  if (op.shift == Op::kOddWidth)
    memory_.access(op.mode(), addr, op.count, context, known);
  else if (known)
    memory_.quick_access<true, kObservable>(op.mode(), addr, op.shift, op.count, present, known);
  else
    memory_.quick_access<false>(op.mode(), addr, op.shift, op.count, present, known);
}

// Without contexts: only SP.
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

[[gnu::noinline]] void Machine::group(const Op* op, size_t count, const uint64_t* words, ContextIndex first,
                                      InlineCache* known) {
  group_.clear();
  for (const Op* const end = op + count; op != end; ++op, ++first)
    if (const uint64_t word = op->slot ? words[op->slot - 1] : 0; !op->guarded || word != 0)
      group_.push_back({op->constant + word, op->count, first, op->kind == OpKind::kStore});
  run_members(group_.size() == count ? known : nullptr);
}

// Loads and then a store, all of the same bytes, as atomic instructions make them: the loads join no readers.
bool Machine::updates() const {
  if (group_.size() < 2 || !group_.back().store) return false;
  return std::all_of(group_.begin(), group_.end() - 1, [last = group_.back()](const GroupMember& m) {
    return !m.store && m.addr == last.addr && m.width == last.width;
  });
}

// The accesses of one execution of one instruction. `known`: if it is not null, an inline cache for each.
void Machine::run_members(InlineCache* known) {
  if (updates()) {
    for (uint32_t i = 0; i < group_.size(); ++i) {
      const GroupMember& m = group_[i];
      if (shared_ && !memory_.concerns(m.addr, m.width)) continue;
      row_table_.set_member(i);
      memory_.access(m.store ? AccessMode::kStore : AccessMode::kLoadOnly, m.addr, m.width, m.context,
                     known ? known + i : nullptr);
    }
    return row_table_.set_member(0);
  }
  const bool overlap = any_overlap();
  if (overlap) memory_.begin_group();
  for (uint32_t i = 0; i < group_.size(); ++i) {
    const GroupMember& m = group_[i];
    if (shared_ && !memory_.concerns(m.addr, m.width)) continue;
    row_table_.set_member(i);
    if (overlap)
      memory_.access_in_group(m.store, m.addr, m.width, m.context);
    else
      memory_.access(m.store ? AccessMode::kStore : AccessMode::kLoad, m.addr, m.width, m.context, nullptr);
  }
  row_table_.set_member(0);
  if (overlap) memory_.end_group();
}

}  // namespace cdr::depend
