// SPDX-License-Identifier: GPL-2.0-or-later
// Executes a trace for the sake of its loops: frames, loop instances, iterations; every byte and register with who
// wrote and read it last. The result is carried.h's.
//
// A dependence's source is a site and a time. The innermost open region that holds the time is the nearest common
// ancestor of source and target: if that is a loop instance, the loop carries the dependence.
#ifndef CDRGRIND_ANALYSIS_REGIONS_REPLAY_H
#define CDRGRIND_ANALYSIS_REGIONS_REPLAY_H

#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/regions/carried.h"
#include "cdrgrind/analysis/regions/dependence_rows.h"
#include "cdrgrind/analysis/regions/region_stack.h"
#include "cdrgrind/analysis/regions/register_flow.h"
#include "cdrgrind/analysis/regions/shadow.h"
#include "cdrgrind/base/event.h"

namespace cdr::regions {

// Is told when loop instances begin and end; `executed`: instructions of the thread before.
class LoopListener {
 public:
  // Whether others run beside it already.
  virtual bool loop_begins(ThreadId t, LoopId loop, uint64_t executed) = 0;
  virtual void loop_ends(ThreadId t, LoopId loop, uint64_t executed, uint64_t iterations) = 0;
  // What the thread executes is a parallel runtime's: its instructions count nowhere, and what it does to memory is
  // nobody's.
  virtual bool in_runtime(ThreadId t) = 0;

 protected:
  ~LoopListener() = default;
};

struct ReplayOptions {
  uint64_t threads = 8;
  LoopListener* listener = nullptr;
  LineShare share{1, 0};
};

class Replay {
 public:
  // `library`: by module, what is not the program's code.
  Replay(const BlockTable& blocks, const std::vector<bool>& library, CodeLoops& loops, const RegisterFlow& registers,
         const DataflowTable& flows, StaticData& statics, LibraryNames& names, const ReplayOptions& options);

  void see(const Event& e);
  // The next ones of a thread.
  void see(ThreadId thread, Steps steps);
  // Closes what is open, and gives back what only events need. Of what the result has escapes and callers are missing
  // (PartedRegions).
  void finish();
  Regions& result() { return result_; }
  DependenceRows& rows() { return rows_; }
  const CallLog& calls() const { return calls_; }

 private:
  struct BlockPlan;
  struct Thread {
    ThreadId id;  // none: what no thread runs on is closed
    RegionStack* stack = nullptr;
    bool jumped = false;
    bool call_ended = false, copies_result = false;  // a long one, just now; and the present block is the first behind
    uint64_t executed = 0;                           // instructions
    uint64_t locks = 0;                              // held
    std::array<RegisterStamp, kRegisterChunks> registers;
    RegisterSet unread = 0;     // in a library: arguments of the program's that it has neither read nor overwritten
    BlockPlan* plan = nullptr;  // of the last block
  };
  // Before instruction `insn` of a superblock the innermost loop is another, or it is its header.
  struct Arrival {
    uint16_t insn = 0;
    bool at_header = false;
    bool at_branch = false;  // the first one behind the header of a loop around the innermost
    LoopId loop;
  };
  // What is the same for all executions of a block in one function; or in libraries, where the first four are empty.
  struct Course {
    std::vector<Arrival> arrivals;    // the first at the block's first instruction
    std::vector<RegisterStep> steps;  // between the arrivals that it executes; one: of the block as a whole
    std::vector<uint16_t> headers;    // of these arrivals those at headers: instructions
    std::vector<uint64_t> branches;   // the first behind outer loops' headers, in a block that lies in one loop
    bool skips_accesses = false, jumps = false;
    // It stands for a loop: a library's, or an instruction that repeats itself.
    bool is_like_loop = false;
    Executed executed;
    const Superblock* code = nullptr;
    ArgumentUses arguments;  // a library's
    uint64_t left_at = 0;    // the instruction at the exit
  };
  // And in one context.
  struct BlockPlan {
    const Course* course = nullptr;
    ContextIndex context = 0;
    SiteIndex sites = 0;  // of a library's block its only one, or none yet
    BlockId block;
    bool library = false;
    std::array<BlockPlan*, 2> followers{};  // that came behind it last
  };

  Thread& at(ThreadId t);
  bool in_runtime(const Thread& t) const { return options_.listener && t.id && options_.listener->in_runtime(t.id); }
  RegionStack& stack_of(StackId id);
  // All that is open on its stack.
  void close(Thread& t);
  using Words = std::span<const uint64_t>;
  void block(Thread& t, BlockId id, Words words);
  void block_times(Thread& t, Steps run);
  bool may_repeat(const Thread& t, const BlockPlan& p) const;
  void repeat_block(Thread& t, const BlockPlan& p, Steps run);
  bool by_columns(Thread& t, const BlockPlan& p, Steps run);
  void by_executions(Thread& t, const BlockPlan& p, Steps run);
  void end_repeats(Thread& t, const BlockPlan& p, uint32_t times, uint64_t executed);
  void partial_block(const Event& e);
  void name_frame(Thread& t, BlockId id);
  void execute(Thread& t, BlockPlan& p, BlockId id, Words words);
  void program_block(Thread& t, const BlockPlan& p, BlockId id, Words words);
  void library_block(Thread& t, BlockPlan& p, Words words);
  // The first `count`.
  void accesses(Thread& t, const BlockPlan& p, uint32_t count, Words words, Now& now);
  void accesses_and_arrivals(Thread& t, const BlockPlan& p, Words words, Now& now);
  void move_sp(RegionStack& s, const SpChange& c, uint64_t sp_in, Words words);
  // An access of the block that is being executed; sets time and number.
  void make(const Access& access, Words words, Now& now);
  void name(Thread& t, Frame& f, const Superblock& sb);
  // Of the thread's next block.
  BlockPlan& plan(Thread& t, BlockId id) {
    const Frame& f = t.stack->top();
    if (t.plan)
      for (BlockPlan* const p : t.plan->followers)
        if (p && p->block == id && p->context == f.context && p->library == f.library) return *(t.plan = p);
    return find_plan(t, id);
  }
  BlockPlan& find_plan(Thread& t, BlockId id);
  BlockPlan new_plan(const Frame& f, BlockId id);
  const Course& course_of(const Frame& f, BlockId id);
  Course new_course(const Frame& f, BlockId id, const Executed& x) const;
  void find_steps(Course& c, const Frame& f, BlockId id) const;
  std::vector<Arrival> arrivals(const FunctionLoops& loops, const Superblock& sb) const;

  void arrive(Thread& t, const BlockPlan& p, const Arrival& a);
  void arrive(Thread& t, const Arrival& a, uint64_t left_at, uint64_t time, uint64_t executed);
  void count_branch(RegionStack& s, uint64_t addr, uint32_t times = 1);
  void begin_iteration(Thread& t, uint64_t time, uint64_t executed);
  void close_loop(Thread& t, uint64_t left_at, uint64_t time, uint64_t executed);
  void close_loops(Thread& t, size_t down_to, uint64_t left_at, uint64_t time, uint64_t executed);

  void call(Thread& t, uint64_t sp, uint64_t ip, bool signal);
  void pop(Thread& t, uint32_t count);
  void give_back(Thread& t, const Frame& ended);
  void hand_back(uint8_t chunk, RegisterStamp& r, ContextIndex ended);

  Now now_in(const Thread& t, const BlockPlan& p);
  Now now_in(const Thread& t, SiteIndex site);
  void set_starts(Now& now);
  void begin_behind_call(Thread& t, BlockId block);
  void end_behind_call(Thread& t);
  // Of what was there before its frame began, or of what a function has left.
  void read_foreign(Thread& t, uint8_t chunk, RegisterStamp& r, const Now& now);
  static SiteIndex registers_of(const BlockPlan& p) {
    return p.sites + static_cast<SiteIndex>(p.course->code->accesses.size());
  }
  void read_registers(Thread& t, const BlockPlan& p, const RegisterStep& step, Now& now);
  void read_arguments(Thread& t, const BlockPlan& p, Now& now);
  void write_registers(Thread& t, const BlockPlan& p, const RegisterStep& step);

  void system_call(const Event& e);
  void note_system(Thread& t, uint8_t use, uint64_t ip);
  // `fresh`: nothing is in it.
  void alloc(Thread& t, AddrRange block, bool fresh = true);
  std::vector<CodeAddr> allocating_calls(const RegionStack& s, bool& library);
  void lock_entered(Thread& t, SyncOp op);
  void lock_left(Thread& t, SyncOp op);

  const BlockTable& blocks_;
  const std::vector<bool>& library_;
  CodeLoops& loops_;
  const RegisterFlow& registers_;
  LibraryNames& names_;
  ReplayOptions options_;
  Regions result_;
  Shadow shadow_;
  Columns columns_;
  std::vector<uint64_t> iterations_;  // of the innermost loop, as of Column
  CallLog calls_;
  DependenceRows rows_;
  uint64_t clock_ = 1;  // of the last instruction executed; 0 is no time
  std::vector<Thread> threads_;
  std::map<uint32_t, RegionStack> stacks_;
  std::deque<BlockPlan> plans_;
  FlatMap<uint64_t, BlockPlan*> plan_index_;  // by context, kind of function, and block
  std::deque<Course> courses_;
  FlatMap<WordPair, Course*, WordPairHash> course_index_;         // by function, or kLibrary, and block
  std::map<std::vector<CodeAddr>, uint32_t> allocation_numbers_;  // into Regions::allocations
};

}  // namespace cdr::regions

#endif
