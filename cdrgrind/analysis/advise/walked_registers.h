// SPDX-License-Identifier: GPL-2.0-or-later
// Registers through which a walk goes from one element to the next where it now and then does more than that: iterators
// of a deque go on in their piece, and at its end through the container's map to another one. What an iteration leaves
// in them follows from what they held, and from what is loaded through them and not changed by the loop; and so does
// which way it takes wherever that makes a difference to them. So the body does not decide how far the walk goes.
//
//  1: add  rax,8                cur
//     cmp  rax,rdx ; jne 2f     last: which way is taken is said by registers of the walk
//     mov  rax,[rsi+8]          through node
//     add  rsi,8
//     lea  rdx,[rax+512]
//  2: …                         rax, rdx, rsi: of the walk, on either way
//
// Found by going over the loop's instructions with what is then known, which registers these are and which branches
// they decide, until no more turn out not to be so.
#ifndef CDRGRIND_ANALYSIS_ADVISE_WALKED_REGISTERS_H
#define CDRGRIND_ANALYSIS_ADVISE_WALKED_REGISTERS_H

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/advise/insn_steps.h"

namespace cdr::advise {

class WalkedRegisters {
 public:
  WalkedRegisters(const regions::Loop& loop, regions::InsnTable& insns, InsnSteps::WalkOfCall walk_of_call,
                  InsnSteps::Kept kept, InsnSteps::IsLink is_link);
  bool has(uint8_t reg) const { return reg < regions::kFirstVector && (walked_ >> reg & 1); }
  // Whether it holds what was loaded through others, and nothing but what these registers, by themselves, tell.
  bool is_loaded(uint8_t reg) const {
    return reg < regions::kFirstVector && (determined_ >> reg & 1) && end_[reg].kind == Step::Kind::kWalked;
  }
  // Whether the branch leads out of the loop by where the walk comes to.
  bool ends_at(uint64_t exit) const { return ends_at_.contains(exit); }

 private:
  using Node = uint32_t;  // instructions in an order in which ways forwards lead on; the last is the iteration's end
  using State = InsnSteps::State;
  using RegisterSet = regions::RegisterSet;
  struct Edge {
    Node from = 0;
    bool back = false;
  };
  // A branch within the loop, and what is known of it.
  struct Branch {
    Node node = 0;
    bool decided = true;  // by registers of the walk
    RegisterSet by = 0;   // which these are
    bool operator==(const Branch&) const = default;
  };

  bool settle();
  bool order_nodes();
  void find_branches();
  bool go_over();
  bool pass();
  State meet(Node at) const;
  Step meet(Node at, uint8_t reg, const std::vector<const State*>& ways) const;
  Step joined(Node at, uint8_t reg, const Step& a, const Step& b) const;
  bool take_back(Node at, const State& from);
  bool judge(bool is_strict);
  void find_walked();
  void find_ends();
  bool is_left_with(uint8_t reg) const;
  bool stays_until_end(Node from, uint8_t reg) const;
  bool tells_way(const Steps& steps, uint8_t reg, bool is_strict) const;

  const regions::Loop& loop_;
  InsnSteps insns_;
  std::vector<uint64_t> addrs_;          // by node
  std::vector<std::vector<Node>> next_;  // the end is addrs_.size()
  std::vector<std::vector<Edge>> before_;
  std::vector<Branch> branches_;
  std::vector<std::vector<uint32_t>> chosen_by_;  // by node: branches that choose by which way it is come to
  std::vector<State> in_, out_;
  // Of nodes that are come back to: registers that are others then, and places in the frame.
  std::map<std::pair<Node, uint8_t>, Step> changing_;
  std::map<Node, std::set<std::pair<int64_t, uint8_t>>> lost_;
  Steps end_;
  RegisterSet determined_ = 0;  // follow from each other alone
  RegisterSet walked_ = 0;
  std::set<uint64_t> ends_at_;
};

}  // namespace cdr::advise

#endif
