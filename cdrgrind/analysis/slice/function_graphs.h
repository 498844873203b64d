// SPDX-License-Identifier: GPL-2.0-or-later
// The control flow of functions, instruction by instruction: of what was executed from the block table's exits, of
// what was not by decoding the module's code; and which instructions a given one is control-dependent on. A call goes
// on behind itself, unless CodeBytes says that it does not, a tail call is a jump. Dynamic jumps go where they
// were seen to go.
#ifndef CDRGRIND_ANALYSIS_SLICE_FUNCTION_GRAPHS_H
#define CDRGRIND_ANALYSIS_SLICE_FUNCTION_GRAPHS_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/slice/code_bytes.h"
#include "cdrgrind/analysis/slice/code_joins.h"
#include "cdrgrind/analysis/slice/control_dependence.h"
#include "cdrgrind/analysis/slice/insn_decoder.h"
#include "cdrgrind/analysis/slice/jump_targets.h"
#include "cdrgrind/base/block_table.h"
#include "cdrgrind/base/flat_map.h"

namespace cdr::slice {

// An exit of a superblock whose condition, or dynamic target, decides something.
struct ExitAt {
  SuperblockId superblock;
  uint16_t exit = 0;
};

bool is_choice(const Exit& exit);

struct Branches {
  std::span<const uint64_t> at;  // addresses of instructions
  bool weak = false;             // the function's code is not known completely
};

// How long a branch decides what happens: from its evaluation until the activation comes to `join`, its immediate
// post-dominator; 0: until it ends.
struct Region {
  uint64_t join = 0;
  bool weak = false;
};

// Nodes are instructions, ascending by address; addrs[0] is the exit's.
struct InsnGraph {
  std::vector<uint64_t> addrs;
  FlowGraph graph;
  std::vector<uint32_t> computed;  // nodes of jumps that go where they were seen to go
  std::vector<bool> ran;           // by node
  bool weak = false;               // some code is not known

  // 0: it is none of them.
  uint32_t node_of(uint64_t addr) const {
    const auto at = std::lower_bound(addrs.begin() + 1, addrs.end(), addr);
    return at == addrs.end() || *at != addr ? 0 : static_cast<uint32_t>(at - addrs.begin());
  }
};

// What a jump to another function's entry does.
enum class TailCalls : uint8_t { kGoOn, kLeave };

class FunctionGraphs {
 public:
  // The arguments must outlive it.
  FunctionGraphs(const BlockTable& blocks, const JumpTargets& targets, CodeBytes& code);

  // Of the function entered at `entry`.
  InsnGraph graph_of(uint64_t entry, TailCalls tail_calls);
  // The same nodes without edges: less to make.
  struct Code {
    std::vector<uint64_t> addrs;  // ascending
    bool weak = false;            // some code is not known
    bool computed = false;        // with jumps that go where they were seen to go
  };
  Code code_of(uint64_t entry, TailCalls tail_calls);

  // What the instruction at `ip` of the function entered at `entry` depends on. Valid until the next call.
  Branches branches(uint64_t entry, uint64_t ip);
  // Of the branch at `ip` of that function; none if it decides nothing.
  std::optional<Region> region(uint64_t entry, uint64_t ip);
  // Whether a way in the code leads from the branch to the instruction and not through the join.
  bool in_region(uint64_t entry, uint64_t branch, uint64_t ip);
  // Exits at the instruction that may be left or not, or go to several places.
  std::span<const ExitAt> exits_at(uint64_t ip) const;

 private:
  struct Node {
    uint64_t addr = 0;
    std::vector<uint64_t> next;
    std::vector<uint32_t> links;  // their indices, as far as ways have gone there; 0: not yet
    ModuleId module;
    bool leaves = false, computed = false, ran = false, is_entry = false;
    uint32_t walk = 0, number = 0;  // the last one that came to it; its number in that
  };
  struct Function {
    std::unordered_map<uint64_t, std::vector<uint64_t>> on;  // by instruction
    bool weak = false;
  };

  // `executed`: so many of its instructions, from the first one on.
  void add(SuperblockId id, uint32_t executed);
  // Whether the module's code, decoded, has the instructions that were executed: else it is another file's.
  bool is_what_ran(ModuleId module);
  void add_exit(SuperblockId id, uint16_t exit);
  void add_last_exit(const Superblock& sb, const Exit& exit, SuperblockId id);
  Node& node(uint64_t addr);
  // Its index; 0 if the code is not known.
  uint32_t node_at(uint64_t addr, ModuleId module);
  // All that the function leads to: indices of nodes, ascending by address, which have its number.
  struct Walk {
    std::vector<uint32_t> nodes;
    bool weak = false;
  };
  Walk walk(uint64_t entry, TailCalls tail_calls);
  Function dependences(uint64_t entry);
  // All that it leads to gets a number.
  void join_all(uint64_t entry);
  // Of the instruction, if the function's code leads there; else the exit's.
  uint32_t number_in(uint64_t entry, uint64_t ip);

  const BlockTable& blocks_;
  const JumpTargets& targets_;
  CodeBytes& code_;
  InsnDecoder decoder_;
  FlatMap<uint64_t, uint32_t> index_;             // of nodes, by instruction
  std::deque<Node> nodes_ = std::deque<Node>(1);  // the first stands for none
  uint32_t walks_ = 0;
  std::map<ModuleId, bool> is_what_ran_;
  std::unordered_set<uint64_t> entries_;  // of functions
  std::unordered_set<uint64_t> starts_;   // of superblocks
  std::unordered_map<uint64_t, std::vector<ExitAt>> exits_;
  std::map<uint64_t, Function> dependences_;
  CodeJoins joins_;
  FlatMap<uint64_t, uint32_t> numbers_;            // in these, of instructions; of unknown code the exit's
  std::vector<uint64_t> addrs_ = {0};              // by number
  std::map<uint32_t, std::vector<bool>> regions_;  // by branch, those that were asked for
};

}  // namespace cdr::slice

#endif
