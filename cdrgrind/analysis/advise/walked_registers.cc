// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/walked_registers.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cdrgrind/analysis/slice/control_dependence.h"
#include "cdrgrind/base/checksum.h"

namespace cdr::advise {

using regions::kFirstVector;
using regions::MachineInsn;

namespace {

constexpr size_t kLongestLoop = 2000;  // instructions; the work is by their square
constexpr int kMostPasses = 100;

}  // namespace

WalkedRegisters::WalkedRegisters(const regions::Loop& loop, regions::InsnTable& insns,
                                 InsnSteps::WalkOfCall walk_of_call, InsnSteps::Kept kept, InsnSteps::IsLink is_link)
    : loop_(loop), insns_(loop, insns, std::move(walk_of_call), std::move(kept), std::move(is_link), {}) {
  if (loop.weak || loop.irregular || loop.is_threaded() || loop.body.size() > kLongestLoop || !order_nodes()) return;
  find_branches();
  if (!settle()) walked_ = determined_ = 0;
  find_ends();
  // Of thousands of loops it is much.
  in_ = out_ = {};
  before_ = {};
  chosen_by_ = next_ = {};
}

// Which registers are of the walk is seen when it is known what decides the branches.
bool WalkedRegisters::settle() {
  bool is_strict = false;
  for (int i = 0; i < kMostPasses; ++i) {
    if (!go_over()) return false;
    find_walked();
    const bool same = judge(is_strict);
    if (same && is_strict) return true;
    is_strict = is_strict || same;
  }
  return false;
}

// Whether all of the loop is come to from its header.
bool WalkedRegisters::order_nodes() {
  std::vector<uint64_t> behind_first;
  std::set<uint64_t> seen = {loop_.header.addr};
  std::vector<std::pair<uint64_t, size_t>> path = {{loop_.header.addr, 0}};
  while (!path.empty()) {
    auto& [addr, way] = path.back();
    const auto& ways = loop_.successors(addr);
    if (way == ways.size()) {
      behind_first.push_back(addr);
      path.pop_back();
    } else if (const uint64_t next = ways[way++]; seen.insert(next).second) {
      path.push_back({next, 0});
    }
  }
  addrs_.assign(behind_first.rbegin(), behind_first.rend());
  std::unordered_map<uint64_t, Node> node_of;
  for (const uint64_t addr : addrs_) node_of.emplace(addr, static_cast<Node>(node_of.size()));
  const auto end = static_cast<Node>(addrs_.size());
  next_.resize(end);
  before_.resize(end + 1);
  for (Node n = 0; n < end; ++n)
    for (const uint64_t to : loop_.successors(addrs_[n])) {
      const Node next = to == loop_.header.addr ? end : node_of.at(to);
      next_[n].push_back(next);
      before_[next].push_back({n, next <= n});
    }
  return addrs_.size() == loop_.body.size();
}

// A branch chooses where ways from it meet, up to the first place that all of them come to.
void WalkedRegisters::find_branches() {
  const auto end = static_cast<Node>(addrs_.size());
  const auto graph_node = [&](Node n) { return n == end ? 0 : n + 1; };
  const std::vector<uint32_t> all_come_to = slice::FlowGraph::of_places(next_).immediate_postdominators();
  chosen_by_.resize(end + 1);
  for (Node n = 0; n < end; ++n) {
    if (next_[n].size() < 2) continue;
    const auto number = static_cast<uint32_t>(branches_.size());
    branches_.push_back({n, true, 0});
    const uint32_t last = all_come_to[graph_node(n)];
    std::vector<bool> seen(end + 1);
    for (std::vector<Node> open = next_[n]; !open.empty();) {
      const Node at = open.back();
      open.pop_back();
      if (seen[at]) continue;
      seen[at] = true;
      chosen_by_[at].push_back(number);
      if (at != end && graph_node(at) != last) open.insert(open.end(), next_[at].begin(), next_[at].end());
    }
  }
}

// What is known of each register with what is known of the branches; whether that came to an end.
bool WalkedRegisters::go_over() {
  changing_.clear();
  lost_.clear();
  for (int i = 0; i < kMostPasses; ++i)
    if (!pass()) return true;
  return false;
}

// Whether something that is come back with is another value than was thought.
bool WalkedRegisters::pass() {
  const auto end = static_cast<Node>(addrs_.size());
  in_.assign(end, {});
  out_.assign(end, {});
  for (Node n = 0; n < end; ++n) {
    in_[n] = meet(n);
    out_[n] = insns_.behind(addrs_[n], in_[n]);
  }
  end_ = meet(end).steps;
  bool changes = false;
  for (Node n = 0; n < end; ++n)
    for (const Edge& e : before_[n])
      if (e.back) changes |= take_back(n, out_[e.from]);
  return changes;
}

WalkedRegisters::State WalkedRegisters::meet(Node at) const {
  if (at == 0) return InsnSteps::at_begin();
  std::vector<const State*> ways;
  bool is_come_back_to = false;
  for (const Edge& e : before_[at])
    if (e.back)
      is_come_back_to = true;
    else
      ways.push_back(&out_[e.from]);
  State s = *ways[0];
  for (const State* way : ways) {
    if (!(way->compared == s.compared) || is_come_back_to) s.compared = {};
    s.slots.erase_if([&](const auto& slot) {
      const auto other = way->slots.find(slot.first);
      return other == way->slots.end() || !(other->second == slot.second);
    });
  }
  if (const auto lost = lost_.find(at); lost != lost_.end())
    s.slots.erase_if([&](const auto& slot) { return lost->second.contains(slot.first); });
  for (uint8_t r = 0; r < kFirstVector; ++r) s.steps[r] = meet(at, r, ways);
  return s;
}

Step WalkedRegisters::meet(Node at, uint8_t reg, const std::vector<const State*>& ways) const {
  const auto changes = changing_.find({at, reg});
  Step met = ways[0]->steps[reg];
  for (const State* way : ways) met = joined(at, reg, met, way->steps[reg]);
  return changes == changing_.end() ? met : joined(at, reg, changes->second, met);
}

// One or the other, where ways meet.
Step WalkedRegisters::joined(Node at, uint8_t reg, const Step& a, const Step& b) const {
  if (a == b) return a;
  if (!a.is_known() || !b.is_known()) return kUnknownStep;
  RegisterSet by = 0;
  for (const uint32_t i : chosen_by_[at]) {
    if (!branches_[i].decided) return kUnknownStep;
    by |= branches_[i].by;
  }
  Step one;
  one.kind = Step::Kind::kWalked;
  one.amount = mix64(uint64_t{at} << 8 | reg);
  one.from = a.bases() | b.bases() | by;
  one.through = a.through | b.through;
  one.chosen = true;
  return one;
}

// What is come back with to a node; whether it is not what is known to be there.
bool WalkedRegisters::take_back(Node at, const State& from) {
  bool changes = false;
  for (uint8_t r = 0; r < kFirstVector; ++r) {
    const Step& there = in_[at].steps[r];
    const Step one = joined(at, r, there, from.steps[r]);
    if (one == there) continue;
    changing_[{at, r}] = one;
    changes = true;
  }
  for (const auto& [slot, value] : in_[at].slots) {
    const auto other = from.slots.find(slot);
    if (other == from.slots.end() || !(other->second == value)) changes |= lost_[at].insert(slot).second;
  }
  return changes;
}

// Of the registers that follow from each other alone those from which a way leads back to them, with a load through one
// of them, and a branch.
void WalkedRegisters::find_walked() {
  RegisterSet constant = 0;
  for (uint8_t r = 0; r < kFirstVector; ++r) constant |= insns_.is_constant(r) ? RegisterSet{1} << r : 0;
  determined_ = (RegisterSet{1} << kFirstVector) - 1;
  for (bool changes = true; changes;) {
    changes = false;
    for (uint8_t r = 0; r < kFirstVector; ++r) {
      if (!(determined_ & ~constant & RegisterSet{1} << r)) continue;
      if (end_[r].is_known() && (end_[r].bases() & ~determined_) == 0) continue;
      determined_ &= ~(RegisterSet{1} << r);
      changes = true;
    }
  }
  std::array<RegisterSet, kFirstVector> from = {};
  for (uint8_t r = 0; r < kFirstVector; ++r)
    if (determined_ & ~constant & RegisterSet{1} << r) from[r] = end_[r].bases() & ~constant;
  for (uint8_t by = 0; by < kFirstVector; ++by)
    for (uint8_t r = 0; r < kFirstVector; ++r)
      if (from[r] >> by & 1) from[r] |= from[by];
  walked_ = 0;
  for (uint8_t r = 0; r < kFirstVector; ++r) {
    if (!(from[r] >> r & 1)) continue;
    RegisterSet around = 0, through = 0;
    bool is_chosen = false;
    for (uint8_t o = 0; o < kFirstVector; ++o)
      if ((from[r] >> o & 1) && (from[o] >> r & 1)) {
        around |= RegisterSet{1} << o;
        through |= end_[o].through;
        is_chosen |= end_[o].chosen;
      }
    if (is_chosen && (around & through)) walked_ |= RegisterSet{1} << r;
  }
}

// Whether a comparison of the register says where the walk is (strictly: and not what an element holds).
bool WalkedRegisters::tells_way(const Steps& steps, uint8_t reg, bool is_strict) const {
  if (insns_.is_constant(reg)) return true;
  const Step& s = steps[reg];
  return s.is_known() && (s.bases() & ~determined_) == 0 && (s.kind == Step::Kind::kKnown || has(reg) || !is_strict);
}

// Whether nothing else turns out of the branches.
bool WalkedRegisters::judge(bool is_strict) {
  bool same = true;
  for (Branch& b : branches_) {
    const Branch before = b;
    const State& s = in_[b.node];
    const auto [left, right] = s.compared;
    const bool compares = insns_.insn(addrs_[b.node]).equal_target != 0 && left < kFirstVector && right < kFirstVector;
    b.decided = b.decided && compares && tells_way(s.steps, left, is_strict) && tells_way(s.steps, right, is_strict);
    b.by = b.decided ? b.by | s.steps[left].bases() | s.steps[right].bases() : 0;
    same = same && b == before;
  }
  return same;
}

// By a comparison of what the iteration leaves, or would leave, in a register of the walk with what does not change.
void WalkedRegisters::find_ends() {
  for (Node n = 0; n < addrs_.size() && walked_; ++n) {
    const auto [left, right] = in_[n].compared;
    if (!std::binary_search(loop_.exits_at.begin(), loop_.exits_at.end(), addrs_[n])) continue;
    if (insns_.insn(addrs_[n]).equal_target == 0 || left >= kFirstVector || right >= kFirstVector) continue;
    const uint8_t reg = insns_.is_constant(left) ? right : left;
    if (!insns_.is_constant(left) && !insns_.is_constant(right)) continue;
    if (tells_way(in_[n].steps, reg, false) && is_left_with(reg) && stays_until_end(n, reg)) ends_at_.insert(addrs_[n]);
  }
}

bool WalkedRegisters::is_left_with(uint8_t reg) const {
  for (uint8_t r = 0; r < kFirstVector; ++r)
    if (has(r) && (r == reg || end_[r] == end_[reg])) return true;
  return false;
}

bool WalkedRegisters::stays_until_end(Node from, uint8_t reg) const {
  std::vector<bool> seen(addrs_.size() + 1);
  for (std::vector<Node> open = next_[from]; !open.empty();) {
    const Node at = open.back();
    open.pop_back();
    if (at == addrs_.size() || seen[at]) continue;
    seen[at] = true;
    const MachineInsn& m = insns_.insn(addrs_[at]);
    if (m.calls || (m.writes >> reg & 1)) return false;
    open.insert(open.end(), next_[at].begin(), next_[at].end());
  }
  return true;
}

}  // namespace cdr::advise
