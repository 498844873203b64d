// SPDX-License-Identifier: GPL-2.0-or-later
// The engine's works: runs the event stream through frames, SP and memory. machine.cc has the blocks,
// machine_events.cc everything else, sweep.cc the folding.
#ifndef CDRGRIND_DEPEND_MACHINE_H
#define CDRGRIND_DEPEND_MACHINE_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/depend/access_contexts.h"
#include "cdrgrind/depend/activation_tree.h"
#include "cdrgrind/depend/classifier.h"
#include "cdrgrind/depend/code_table.h"
#include "cdrgrind/depend/engine.h"
#include "cdrgrind/depend/lowered_block.h"
#include "cdrgrind/depend/memory.h"
#include "cdrgrind/depend/row_table.h"
#include "cdrgrind/depend/stacks.h"

namespace cdr::depend {

class Machine {
 public:
  Machine(const ModuleTable& modules, const BlockTable& blocks, const Options& options);

  void block(ThreadId thread, BlockId id, std::span<const uint64_t> words);
  void run(ThreadId thread, Steps run);
  void event(const Event& e);
  ResultTable results();
  std::vector<PartRow> rows();
  std::vector<CrossingHit>& crossing_hits() { return row_table_.hits(); }
  Key key(RowIndex row) const { return row_table_.key(row, codes_); }
  CodeAddr code(CodeIndex at) const { return codes_[at]; }
  void observe(CountObserver& observer) { classifier_.observation().set(observer); }
  Stats stats() const;

 private:
  void turn_to(ThreadId thread);
  void run_on(Stack& stack);
  void settle_switch();
  void begin_visit(Stack& to, Stack& from, CodeIndex site);
  void enter_visit(Stack& stack, VisitIndex visit);
  void note_user(Stack& stack);
  Frame& top() { return stack_->top(); }

  // machine.cc
  void run(LoweredSuperblock& lowered, uint32_t accesses, std::span<const Op> ops, const uint64_t* words);
  void lose(uint32_t accesses, std::span<const Op> ops, const uint64_t* words);
  bool new_contexts(LoweredSuperblock& lowered, const Frame& frame, uint32_t phase);
  // The step at `s`, and those behind it, up to `end`, that do the same; `s` is the last of them then.
  void execute(LoweredSuperblock& lowered, uint32_t accesses, std::span<const Op> ops, bool plain, const RunStep*& s,
               const RunStep* end, Stack& stack, const Frame& frame);
  template <bool kShared>
  void repeat_plain(const LoweredSuperblock& lowered, std::span<const Op> ops, const RunStep*& s, const RunStep* end);
  void repeat_plain_of_part(const LoweredSuperblock& lowered, std::span<const Op> ops, const RunStep*& s,
                            const RunStep* end);
  template <bool kKnown, bool kObserved = false>
  void steps(std::span<const Op> ops, const uint64_t* words, ContextIndex first, InlineCache* inline_caches,
             Stack& stack);
  static uint64_t address_of(const Op& op, const uint64_t* words) {
    return op.slot == 0 ? op.constant : op.constant + words[op.slot - 1];
  }
  // How far an op leads.
  struct Step {
    uint32_t ops;
    uint16_t accesses;
    uint16_t rises_behind;  // not 0: after so many ops more SP rises
  };
  uint16_t change_sp(const Op& op, const uint64_t* words, Stack& stack);
  Step special(const Op& op, const uint64_t* words, ContextIndex context, InlineCache* known);
  void odd_access(const Op& op, const uint64_t* words, ContextIndex context, InlineCache* known);
  static uint64_t sp_of(const Op& op, const uint64_t* words, uint64_t sp_at_entry) {
    if (op.slot == SpChange::kSpAtEntry) return sp_at_entry + op.constant;
    return op.slot == 0 ? op.constant : words[op.slot - 1] + op.constant;
  }
  void group(const Op* op, size_t count, const uint64_t* words, ContextIndex first, InlineCache* known);
  void run_members(InlineCache* known);
  bool updates() const;
  bool any_overlap();
  // SP where the thread has it; the stack's own SP only moves within its range, for code that switches stacks
  // loads the other's SP before the stream says so.
  void set_sp(uint64_t sp) { set_sp(*stack_, sp); }
  void set_sp(Stack& stack, uint64_t sp) {
    stack.raw_sp = sp;
    if (!stack.holds(sp)) return;
    if (!stack.sp.go_on(sp)) stack.sp.set(sp, memory_.version());
    memory_.sp_moved(stack);
  }
  // The frame's name and lazy binding, before a block of it is executed.
  void enter(const LoweredSuperblock& lowered, Frame& f) {
    const bool ordinary = (lowered.flags & (kBlockFunctionEntry | kBlockDynamicLinker)) == 0;
    if (!f.named || f.lazy || !ordinary) enter_specially(lowered, f);
  }
  void enter_specially(const LoweredSuperblock& lowered, Frame& f);
  void name_top(const LoweredSuperblock& lowered);
  const LoweredBlock* last_block(const Frame& f);

  // machine_events.cc
  void partial(const Event& e);
  void open_frame(CodeIndex site);
  void enter_signal(const Event& e);
  void close_frame();
  void created_by(ThreadId creator, ThreadId child);
  void start_thread(const Event& e);
  void end_thread(const Event& e);
  void switch_stack(const Event& e);
  void open_root(Stack& stack);
  void enter_first(ThreadState& t, Stack& stack, VisitIndex first);
  void leave_visits(ThreadState& t, StackIndex stack);
  void finish(Stack& stack);
  void system_call(const Event& e);
  void resize(const Event& e);
  void map_module(ModuleId id);
  void unmap_module(ModuleId id);
  void frame_event(const Event& e);
  bool memory_event(const Event& e);
  CodeIndex last_code(const Frame& f);
  CodeIndex code_at(uint64_t addr);

  // sweep.cc
  // Tables that the next sweep fills; they keep their memory.
  struct Spare {
    ActivationTree tree;
    AccessContexts contexts;
    ReaderSets sets;
    size_t bytes() const { return tree.bytes() + contexts.bytes() + sets.bytes(); }
  };
  void take_spare();
  bool sweep_is_due() const {
    return tree_.size() > node_limit_ || contexts_.run_count() > run_limit_ || tree_.visits().size() > node_limit_;
  }
  void sweep();
  void set_sweep_limits();
  void move_frames(std::span<const NodeIndex> nodes);
  void move_visits(std::span<const NodeIndex> nodes);
  uint64_t bytes() const;

  const ModuleTable& modules_;
  const BlockTable& blocks_;
  const Options options_;
  const bool rounded_;  // addresses are, to the granularity
  const bool shared_;   // the memory is, with engines for its other parts
  CodeTable codes_;
  ActivationTree tree_;
  AccessContexts contexts_;
  RowTable row_table_;
  Stacks stacks_;
  Classifier classifier_;
  Memory memory_;
  LoweredBlocks lowered_blocks_;
  ThreadId thread_;
  Stack* stack_ = nullptr;  // of thread_; null: not looked up yet
  // A StackSwitch of thread_ until the next event shows whether it is a handler's; null `to`: there is none. Meanwhile
  // stack_ is null.
  struct Switch {
    Stack* from = nullptr;
    Stack* to = nullptr;
    CodeIndex site = 0;
  };
  Switch switch_;
  uint32_t phases_ = 0;
  uint64_t sp_at_entry_ = 0;  // of the present block
  uint64_t rises_to_ = 0;     // SP, behind the present instruction
  bool rises_ = false;
  std::vector<ModuleId> mapped_;

  struct GroupMember {
    uint64_t addr, width;
    ContextIndex context;
    bool store;
  };
  std::vector<GroupMember> group_;
  FlatMap<uint64_t, SiteIndex> call_sites_;  // of system calls: code, lazy

  Spare spare_;
  uint32_t node_limit_ = 0;
  uint32_t run_limit_ = 0;
  uint64_t sweeps_ = 0;
  uint64_t peak_bytes_ = 0;
  uint64_t lost_ = 0;  // accesses without a context
};

}  // namespace cdr::depend

#endif
