// SPDX-License-Identifier: GPL-2.0-or-later
// The loops whose iterations a parallel runtime, or the compiler in its place, shares out among threads: where in the
// code an iteration begins. And the bodies of which the runtime tells where they begin, not where they end: of a
// single, from behind the call that asks who executes it to where the ways of those who do and do not come together.
//
// Told by the runtime: a loop lies next within the one that asks for the next chunk, or between the beginning and the
// end of a construct with a static schedule; that of a taskloop is the one of its function. Where the compiler shares
// out by itself, the source tells: the loop of the code of a statement under `omp for' (CodeFacts::loop_statement_at)
// in functions that ask for the thread's number for a construct.
//
// What is not sure is left out: a construct of whose code several loops may be the one; a loop that goes back to its
// header from several places, for it may be two of the source.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_WORKSHARING_LOOPS_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_WORKSHARING_LOOPS_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/events/call_stacks.h"
#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/analysis/races/policy/runtime_code.h"
#include "cdrgrind/analysis/races/source/first_control.h"
#include "cdrgrind/analysis/races/source/worksharing_place.h"
#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/walk/event_stream.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::races {

using analysis::BlockCount;
using analysis::Passage;

// Operations without which there is no such loop.
bool may_share_loops(SyncOp op);

class WorksharingLoops {
 public:
  // Reads the trace, as far as `watch` lets it.
  WorksharingLoops(const trace::TraceFile& file, const RuntimeCode& runtime, CodeFacts& facts,
                   const analysis::Watch& watch);
  ~WorksharingLoops();

  // What happens before an instruction. Only then a loop is of use.
  enum class What : uint8_t {
    kEndsBody,    // of a single
    kBeginsBody,  // if the thread executes it
    kIsIn,        // what comes; loop number 0: none that the compiler shares out
    kArrives      // at the loop's header
  };
  // Before instruction `insn` of a superblock. Loops of one construct have one number, from 1 on.
  struct Step {
    uint32_t insn = 0;
    strands::SharedLoop loop;
    What what = What::kIsIn;
  };
  using Place = WorksharingPlace;
  // By header.
  const std::map<uint64_t, Place>& places() const { return places_; }
  const std::vector<Step>& steps(SuperblockId id) const { return steps_.empty() ? none_ : steps_[id.value]; }
  // Whether what the thread executes may change in a block.
  bool may_change(SuperblockId id) const {
    return std::any_of(steps(id).begin(), steps(id).end(), [](const Step& s) { return s.what != What::kIsIn; });
  }
  // The program asks for the thread's number itself where that thread asks the `nth` time, from 0 on: it is not for a
  // construct of the compiler.
  bool asks_itself(ThreadId t, uint64_t nth) const {
    return t.value < asks_itself_.size() && nth < asks_itself_[t.value].size() && asks_itself_[t.value][nth];
  }
  bool empty() const { return headers_.empty() && singles_.empty(); }
  // Where the first thread's control block begins; 0: not known.
  uint64_t control() const { return control_.address(); }

 private:
  using By = strands::SharedLoop::By;
  struct Function;
  void find_control();
  void see(const Event& e);
  void see(ThreadId t, Steps steps);
  void note(const Event& e);
  void find(CodeAddr entry, const Function& f);
  void find_told(const Function& f, const regions::FunctionLoops& loops);
  void find_static(CodeAddr entry, const Function& f, const regions::FunctionLoops& loops);
  void find_stated(CodeAddr entry, const Function& f);
  void find_singles(CodeAddr entry, const Function& f);
  void find_taskloops();
  std::vector<regions::LoopId> children(regions::LoopId around) const;
  struct Stated;
  void note_statements(CodeAddr entry, const Function& f);
  void note_set_up(ModuleId module, uint64_t site, uint32_t number, const slice::InsnGraph& code);
  LoopStatement statement_at(CodeAddr at);
  std::map<uint32_t, std::vector<Stated>> statements_of(CodeAddr entry);
  std::optional<Stated> stated(regions::LoopId loop);
  bool has_own(const Stated& s, regions::LoopId loop, bool head);
  bool is_whole(const Stated& s);
  bool goes_back_as(const LoopStatement& s, const regions::Loop& l);
  bool is_as_written(uint64_t entry, ModuleId module);
  bool is_within_another(const Stated& s);
  void add(const std::vector<regions::LoopId>& loops, By by);
  void note_deals(regions::LoopId loop, By by);
  void note_place(const Stated& s);
  void make_steps(SuperblockId id);

  const trace::TraceFile& file_;
  const RuntimeCode& runtime_;
  CodeFacts& facts_;
  analysis::CallStacks stacks_;
  std::map<CodeAddr, Function> functions_;       // by entry
  std::vector<std::vector<bool>> asks_itself_;   // by thread, in its order
  std::set<uint64_t> taskloops_;                 // functions
  std::set<uint64_t> regions_;                   // functions that are executed as implicit tasks
  std::set<std::pair<uint64_t, What>> singles_;  // by instruction
  std::unique_ptr<regions::CodeLoops> code_;
  std::map<uint64_t, strands::SharedLoop> headers_;
  std::map<uint64_t, Place> places_;
  std::map<uint32_t, LoopStatement> compiled_;  // by number: of the function those that the compiler has seen
  std::map<uint64_t, uint32_t> asks_;           // of its calls for the thread's number: for which; 0: none
  std::map<uint64_t, uint32_t> lines_;          // by line of these calls: which
  std::map<uint64_t, uint32_t> set_up_;         // instructions behind these calls that have their line: which
  std::map<uint64_t, uint32_t> bodies_;   // by instruction of functions with loops that the compiler shares out: which
  std::vector<std::vector<Step>> steps_;  // by superblock
  std::vector<Step> none_;
  uint32_t constructs_ = 0;
  FirstControl control_;
};

// A construct whose loop is left out; `unfit`: by number.
inline bool is_unfit(const std::vector<bool>& unfit, uint32_t construct) {
  return construct < unfit.size() && unfit[construct];
}

// Whether blocks, none of which may change what the thread executes, leave it in the loop in which it is.
template <class Machine>
bool stay_in_loop(const WorksharingLoops* loops, const std::vector<bool>& unfit, const BlockTable& blocks,
                  Machine& machine, const Passage& p) {
  if (!loops) return true;
  for (const BlockCount& c : p.blocks)
    for (const WorksharingLoops::Step& s : loops->steps(blocks.block(c.block).superblock)) {
      const uint32_t construct = s.loop.number;
      if (!is_unfit(unfit, construct) && machine.leaves_loop(p.thread, construct)) return false;
    }
  return true;
}

// What a block of a thread does to the iterations of the loops that it is in.
class LoopSteps {
 public:
  static constexpr uint32_t kAll = ~uint32_t{0};
  // `unfit`, by construct: those are left out.
  LoopSteps(const WorksharingLoops* loops, const std::vector<bool>& unfit, const Event& e, const BlockTable& blocks)
      : unfit_(unfit) {
    if (!loops || (e.kind != EventKind::kBlock && e.kind != EventKind::kPartial)) return;
    steps_ = &loops->steps(blocks.block(e.block).superblock);
    if (!steps_->empty() && e.kind == EventKind::kBlock) end_ = blocks.exit_of(e.block).insns_executed();
  }
  bool done() const { return !steps_ || next_ >= steps_->size(); }
  // Those before instruction `insn` and its own; f(loop, which) when an iteration begins. Whether what the thread
  // executes may be another strand, or iteration, now.
  template <class Machine, class F>
  bool until(uint32_t insn, Machine& machine, ThreadId t, F f) {
    bool changed = false;
    for (; !done() && (*steps_)[next_].insn <= insn; ++next_) {
      const WorksharingLoops::Step& s = (*steps_)[next_];
      const uint32_t construct = s.loop.number;
      if (s.insn >= end_ || is_unfit(unfit_, construct)) continue;
      if (s.what == WorksharingLoops::What::kEndsBody) machine.end_body(t);
      if (s.what == WorksharingLoops::What::kBeginsBody) machine.begin_body(t);
      if (s.what == WorksharingLoops::What::kIsIn) {
        changed |= machine.leave_loop(t, construct);
        continue;
      }
      changed = true;
      if (s.what != WorksharingLoops::What::kArrives) continue;
      if (const uint64_t which = machine.arrive(t, s.loop)) f(s.loop, which);
    }
    return changed;
  }

 private:
  const std::vector<WorksharingLoops::Step>* steps_ = nullptr;
  const std::vector<bool>& unfit_;
  size_t next_ = 0;
  uint32_t end_ = kAll;
};

}  // namespace cdr::races

#endif
