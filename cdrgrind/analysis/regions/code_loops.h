// SPDX-License-Identifier: GPL-2.0-or-later
// The loops of the program's functions: loop_forest.h on their instruction graphs, completed with code that never ran.
// A function is what is reached from its entry without entering another one.
#ifndef CDRGRIND_ANALYSIS_REGIONS_CODE_LOOPS_H
#define CDRGRIND_ANALYSIS_REGIONS_CODE_LOOPS_H

#include <cstdint>
#include <map>
#include <vector>

#include "cdrgrind/analysis/slice/function_graphs.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/id.h"
#include "cdrgrind/base/range.h"

namespace cdr::regions {

using LoopId = Id<struct LoopTag>;

struct Loop {
  CodeAddr header;                // the lowest, if it is threaded
  std::vector<uint64_t> headers;  // arrivals there begin iterations; ascending
  uint64_t function = 0;          // its entry
  LoopId parent;
  uint32_t depth = 1;          // 1: outermost
  bool irregular = false;      // entered elsewhere than at its only header
  bool weak = false;           // some code of the function is not known
  std::vector<uint64_t> body;  // instructions, ascending, with those of loops within
  // From the header up to and with its first branch: leaving there is no iteration. Empty if that branch repeats the
  // loop, for then all of an iteration is there.
  std::vector<uint64_t> head;
  std::vector<uint64_t> exits_at;  // instructions that lead out, ascending, but for those of `ends_at`
  // Instructions that lead out to where nothing returns from: the program ends there, or an exception is thrown. None
  // did so in the run, and there are others that lead out.
  std::vector<uint64_t> ends_at;
  // By instruction of the body: where it leads within the loop.
  std::vector<std::vector<uint64_t>> next;

  bool has(uint64_t addr) const;
  bool is_threaded() const { return headers.size() > 1; }
  bool begins_at(uint64_t addr) const;
  const std::vector<uint64_t>& successors(uint64_t addr) const;
  bool leaves_by_head(uint64_t addr) const;
  bool branches_at(uint64_t addr) const { return !head.empty() && head.back() == addr; }
};

// Of one function.
struct FunctionLoops {
  FlatMap<uint64_t, LoopId> innermost;  // by instruction; none where there is no loop
  LoopId at(uint64_t addr) const {
    const LoopId* const l = innermost.find(addr);
    return l ? *l : LoopId();
  }
};

class CodeLoops {
 public:
  CodeLoops(const BlockTable& blocks, const slice::JumpTargets& targets, slice::CodeBytes& code)
      : graphs_(blocks, targets, code) {}

  // Stays where it is.
  const FunctionLoops& of(CodeAddr entry);
  slice::InsnGraph graph_of(CodeAddr entry) { return graphs_.graph_of(entry.addr, slice::TailCalls::kLeave); }
  slice::FunctionGraphs::Code code_of(CodeAddr entry) { return graphs_.code_of(entry.addr, slice::TailCalls::kLeave); }
  slice::FunctionGraphs::Code code_with_tail_calls(CodeAddr entry) {
    return graphs_.code_of(entry.addr, slice::TailCalls::kGoOn);
  }
  // The one around it, or it, that the replay opens: of those within more than kMostOpen others there are too many to
  // follow each.
  LoopId opened(LoopId id) const {
    while (depth(id) > kMostOpen) id = parent(id);
    return id;
  }
  static constexpr uint32_t kMostOpen = 64;
  // References are valid until of() is asked for another function.
  const Loop& operator[](LoopId id) const { return loops_[id.value - 1]; }
  uint32_t size() const { return static_cast<uint32_t>(loops_.size()); }
  LoopId parent(LoopId id) const { return nests_[id.value].parent; }
  // 1: outermost; of none 0.
  uint32_t depth(LoopId id) const { return nests_[id.value].depth; }
  // The innermost loop around an instruction of the loop's function; none if it is elsewhere.
  LoopId innermost(LoopId loop, uint64_t addr) const {
    const auto f = functions_.find((*this)[loop].function);
    return f == functions_.end() ? LoopId() : f->second.at(addr);
  }
  // Whether the head of a loop around `inner` ends at the instruction.
  bool is_outer_branch(LoopId inner, uint64_t addr) const;
  // Whether `outer` is `inner`, or around it.
  bool is_within(LoopId inner, LoopId outer) const {
    const Nest &in = nests_[inner.value], &out = nests_[outer.value];
    return in.first >= out.first && in.first < out.end;
  }

 private:
  // What is asked of loops most. Loops are numbered with those within behind them: from `first` to before `end`.
  struct Nest {
    LoopId parent;
    uint32_t depth = 0, first = 0, end = 0;
  };
  void add(CodeAddr entry, FunctionLoops& function);
  void number(uint32_t base);

  slice::FunctionGraphs graphs_;
  std::vector<Loop> loops_;
  std::vector<Nest> nests_ = {{{}, 0, 0, ~uint32_t{0}}};  // by loop; the first is of none
  std::map<uint64_t, FunctionLoops> functions_;
};

}  // namespace cdr::regions

#endif
