// SPDX-License-Identifier: GPL-2.0-or-later
// Where branches meet again, in one graph of all code that grows: what is added leads to what was there, never the
// other way. So what is known of a node stays, and is what it would be in any function that contains it.
#ifndef CDRGRIND_ANALYSIS_SLICE_CODE_JOINS_H
#define CDRGRIND_ANALYSIS_SLICE_CODE_JOINS_H

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace cdr::slice {

class CodeJoins {
 public:
  static constexpr uint32_t kExit = 0;

  struct NewNode {
    uint64_t addr = 0;
    std::vector<uint32_t> next;  // numbers; size() + n: the n-th that is new
    bool weak = false;           // it leads to code that is not known
  };

  // What there is, the exit among it: numbers are less than that.
  uint32_t size() const { return static_cast<uint32_t>(join_.size()); }
  // `all` ascend by address; `numbers` become theirs.
  void add(std::span<const NewNode> all, std::vector<uint32_t>& numbers);

  // The first node that every way from it to the exit passes, as FlowGraph::immediate_postdominators has it.
  uint32_t join(uint32_t n) const { return join_[n]; }
  bool is_branch(uint32_t n) const { return first_[n + 1] - first_[n] > 1; }
  // A way leads from it to code that is not known.
  bool weak(uint32_t n) const { return weak_[n]; }
  // Whether a way leads there, of no edge, too.
  bool leads_to(uint32_t from, uint32_t to);
  // By node: a way that begins with an edge leads there from `from`, and not through `without`.
  std::vector<bool> led_to(uint32_t from, uint32_t without) const;

 private:
  // Nodes that all lead to each other, if they are many: who leads to one of them leads to all that they lead to.
  struct Hub {
    uint32_t node = 0;
    std::vector<bool> led_to;
    bool leads_to(uint32_t n) const { return n < led_to.size() && led_to[n]; }
  };
  struct Reach {
    const Hub* hub = nullptr;
    std::vector<uint32_t> others;  // ascending
    bool hub_leads_to(uint32_t n) const { return hub && hub->leads_to(n); }
  };
  // Nodes that are being added.
  struct Addition;

  std::span<const uint32_t> next(uint32_t n) const { return {next_.data() + first_[n], next_.data() + first_[n + 1]}; }
  void find_tops(Addition& a) const;
  void number(Addition& a) const;
  void keep(const Addition& a);
  void find_joins(const Addition& a);
  void find_hubs(uint32_t begin);
  const Hub* hub_of(uint32_t n);
  const Reach& reach_of(uint32_t from);

  // By number.
  std::vector<uint32_t> join_ = {kExit};
  std::vector<uint64_t> addr_ = {0};
  std::vector<uint64_t> top_ = {0};  // of those that do not lead to the exit: the highest address that they lead to
  std::vector<bool> weak_ = {false};
  std::vector<uint32_t> first_ = {0, 0}, next_;  // edges
  std::vector<uint32_t> many_ = {0};             // the first of the many that lead to each other, or 0

  std::unordered_map<uint32_t, std::unique_ptr<Hub>> hubs_;
  std::unordered_map<uint32_t, Reach> reaches_;
  size_t reached_ = 0;  // nodes in these
};

}  // namespace cdr::slice

#endif
