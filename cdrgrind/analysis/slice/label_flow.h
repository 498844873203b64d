// SPDX-License-Identifier: GPL-2.0-or-later
// Carries labels along the events of a run, in true order: what registers, memory and open branches were made from, as
// event_control.h defines it.
//
//     value of a load      what the memory holds, what its address was made from; its own label if it is an end
//     store                its value; unless it is linkage, its address and the open branches; its own label
//     register             its inputs; the open branches, unless it is restored
//     branch               its condition and the branches open so far; it is open until its region ends
//     callee               the branches open at the call, what the target of a dynamic call was made from
//     parallel runtime     nothing of what it computes; strands: see strand_contexts.h
//     libc's threads       nothing of what it computes (managed_threads.h), in its own data; elsewhere it stores under
//                          the branches open at the call
//     thread               the branches open at the call that creates it, what its routine was made from; its argument,
//                          and what it returns for who joins it, as they are
//
// Where nothing that a block reads holds a label, no branch is open and no access is an end, nothing is done: what
// threads repeat so is passed over. Nor is anything done where the labels are what they were when the same was executed
// just before.
#ifndef CDRGRIND_ANALYSIS_SLICE_LABEL_FLOW_H
#define CDRGRIND_ANALYSIS_SLICE_LABEL_FLOW_H

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/slice/function_graphs.h"
#include "cdrgrind/analysis/slice/label_memory.h"
#include "cdrgrind/analysis/slice/label_registers.h"
#include "cdrgrind/analysis/slice/label_sets.h"
#include "cdrgrind/analysis/slice/label_trail.h"
#include "cdrgrind/analysis/slice/managed_threads.h"
#include "cdrgrind/analysis/slice/race_ends.h"
#include "cdrgrind/analysis/slice/strand_contexts.h"
#include "cdrgrind/analysis/walk/event_walk.h"
#include "cdrgrind/base/dataflow.h"
#include "cdrgrind/base/event.h"

namespace cdr::slice {

// What an access that is judged depends on.
struct JudgedAccess {
  AccessPosition at;
  ThreadId thread;  // none: it was not come to
  CodeAddr ip;
  Labels address = 0, branches = 0;
  struct Branch {
    CodeAddr ip;
    Labels labels = 0;
  };
  std::vector<Branch> open;  // innermost first
};

// Table: LabelTable, or LabelTrail, which also keeps the steps.
template <class Table>
class LabelFlow final : StrandContexts::Flow {
 public:
  // All references must outlive it. `flows` has a summary for every superblock.
  LabelFlow(const BlockTable& blocks, const DataflowTable& flows, FunctionGraphs& graphs, RaceEnds& ends, Table& table,
            const CLibrary& library);
  // Ascending, before the first event.
  void judge(std::vector<AccessPosition> at);
  void event(const Event& e, uint64_t index);
  // In place of events, as analysis::EventReader has it.
  bool pass(analysis::EventWalk& walk, const analysis::Passage& p);
  uint32_t may_stand_for(const analysis::Passage& p);
  // False when all that is judged has been come to.
  bool goes_on() const { return next_ < judged_.size(); }
  const std::vector<JudgedAccess>& judged() const { return judged_; }

 private:
  struct OpenBranch {
    uint64_t branch = 0, join = 0;
    Labels labels = 0;
  };
  struct Frame {
    uint64_t entry = 0;  // address of its first block
    ModuleId module;
    Labels inherited = 0;      // from the call
    Labels context = 0;        // these, and those of the open branches
    uint32_t first_open = 0;   // in the stack's
    bool for_program = false;  // code of the program has run in it, or in one that called it
    bool in_wrapper = false;   // it has come to a wrapper's code
    bool jumped_to = false;    // control came over frames that were left: some branches may be behind it
    std::shared_ptr<const LabelRegisters> saved;  // a wrapper's: what it will give back
  };
  struct Stack {
    std::vector<Frame> frames;  // outermost first
    std::vector<OpenBranch> open;
  };
  // What a thread has of who created it.
  struct Handed {
    Labels context = 0, routine = 0, argument = 0;
  };
  struct Thread {
    Stack* stack = nullptr;
    LabelRegisters registers;
    Handed creates;                     // of the thread that it is creating
    Labels argument = 0;                // until its routine has begun
    Labels result = 0;                  // that it returned
    std::vector<AddrRange> stored_for;  // where libc has stored for the program in the operation
    Labels target = 0;                  // of the dynamic call at the end of the last block
    std::vector<std::shared_ptr<const LabelRegisters>> signals;  // registers at the begins of those that run
  };
  struct RegisterWrite {
    StatePiece piece;
    uint16_t set = 0;
    uint16_t exit = 0;      // the first exit behind it
    bool restored = false;  // it is what the caller had there
    bool saved = false;     // by a wrapper, whose accesses are not recorded: what was there when it began
  };
  // What is the same for each execution of a block.
  struct BlockInfo {
    bool known = false;
    bool ends = false;               // some access may be an end
    uint64_t reads = 0, writes = 0;  // registers, a bit each
    std::vector<RegisterWrite> written;
  };
  // The block that is being executed.
  struct Run {
    Thread* thread = nullptr;
    Frame* frame = nullptr;
    const Superblock* superblock = nullptr;
    const Dataflow* flow = nullptr;
    std::span<const uint64_t> words;
    int64_t arrived = -1;  // instruction
    ThreadId id;
    uint64_t index = 0;
    bool managed = false;
  };
  // A thread as it was when what it repeats began.
  struct Watched {
    ThreadId thread;
    uint64_t end = 0;  // of what began then: the event behind it
    LabelRegisters registers;
    std::vector<OpenBranch> open;
    Labels context = 0;
    bool stored = false;  // since then memory has got other labels
  };
  struct Evaluated {
    uint64_t run = 0;
    Labels labels = 0;
  };

  Thread& thread(ThreadId t);
  void push_frame(Thread& t, Labels inherited, bool for_program);
  void pop_frames(Thread& t, uint32_t count);
  void frames(const Event& e);
  void memory(const Event& e, uint64_t index);
  void end_gap(const Event& e);
  void enter_operation(const Event& e);
  void leave_operation(const Event& e);
  void start_thread(const Event& e);
  void return_from(Thread& t);
  bool is_managed(ThreadId t, const Frame& f, const Superblock& sb) const {
    return managed_.library().has(sb.module) && (!f.for_program || managed_.operation(t) != SyncOp::kNone);
  }
  void enter_signal(Thread& t);
  void leave_signal(Thread& t);
  Labels context(ThreadId t) override { return thread(t).stack->frames.back().context; }
  void begin_strand(ThreadId on, Labels context) override;
  void copy_labels(uint64_t from, AddrRange to) override { memory_.copy(from, to); }

  void block(const Event& e, uint64_t index);
  void enter_block(Thread& t, const Superblock& sb);
  // The event of the first access that is judged, from that event on.
  uint64_t next_judged(uint64_t begin) const;
  bool touches_labels(analysis::EventWalk& walk, const analysis::Passage& p, bool stores_only);
  bool is_as_watched(Thread& t) const;
  bool passes(Thread& t, const Event& e, const BlockInfo& info, std::span<const Access> accesses) const;
  void forget_writes(Thread& t, const BlockInfo& info);
  void forget_stores(const Event& e, std::span<const Access> accesses);
  void execute(Thread& t, const Event& e, uint64_t index, const BlockInfo& info, std::span<const Access> accesses);
  void access(const Event& e, uint64_t index, uint32_t number, bool may_be_end);
  Labels ends_at(const Touch& touch);
  void evaluate_exit(uint32_t number);
  void arrive(uint32_t insn);
  void open_branch(uint64_t ip, Labels labels);
  void recompute_context(Stack& s, Frame& f);
  void write_registers(const BlockInfo& info);
  Labels labels_of_set(uint32_t set);
  FlowStep step_of(FlowStep::Kind kind, const Touch& t) const;
  void see_judged(const Event& e, const Touch& t, Labels address);
  const BlockInfo& info_of(BlockId id);
  BlockInfo make_info(BlockId id) const;
  void add_writes(const Block& b, BlockInfo& info) const;

  const BlockTable& blocks_;
  const DataflowTable& flows_;
  FunctionGraphs& graphs_;
  RaceEnds& ends_;
  Table& table_;
  LabelMemory memory_;
  StrandContexts strands_;
  ManagedThreads managed_;
  std::unordered_map<uint32_t, Handed> handed_;   // by thread that is to start
  std::unordered_map<uint32_t, Labels> results_;  // of threads that have ended
  std::vector<std::unique_ptr<Thread>> threads_;  // by serial
  std::unordered_map<uint32_t, Stack> stacks_;
  std::vector<BlockInfo> infos_;  // by block
  std::vector<JudgedAccess> judged_;
  size_t next_ = 0;

  Watched watched_;
  Run run_;
  uint64_t runs_ = 0;
  std::vector<Evaluated> sets_;   // by number, of this run
  std::vector<Labels> loaded_;    // by access
  std::vector<Labels> contexts_;  // at the exits
  std::vector<Labels> written_;   // by write
  std::vector<LabelId> given_;
};

// Registers that the kernel or Valgrind writes at the exit.
bool written_by_kernel(ExitKind kind, uint32_t offset);
// rbx, rbp, r12 … r15.
bool is_callee_saved(uint32_t offset);
// The register keeps its value, or what became of it is not followed (the stack pointer).
bool is_neutral(const StateWrite& w, const Dataflow& flow);
bool is_restored(const StateWrite& w, const Superblock& sb, const Dataflow& flow);

}  // namespace cdr::slice

#endif
