// SPDX-License-Identifier: GPL-2.0-or-later
// What is known of code that was added piece by piece, against the graph of all that a node leads to.
#include "cdrgrind/analysis/slice/code_joins.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/slice/control_dependence.h"
#include "tests/unit/properties.h"

using namespace cdr::slice;

namespace {

using Next = std::vector<std::vector<uint32_t>>;  // by address, which is a node's name here; 0: the exit

std::set<uint32_t> all_from(const Next& next, uint32_t from) {
  std::set<uint32_t> all;
  std::vector<uint32_t> open = {from};
  while (!open.empty()) {
    const uint32_t n = open.back();
    open.pop_back();
    if (n == 0 || !all.insert(n).second) continue;
    open.insert(open.end(), next[n].begin(), next[n].end());
  }
  return all;
}

struct Pieces {
  explicit Pieces(const Next& to) : next(to), numbers(to.size()) {}
  // With all that it leads to.
  void add(uint32_t entry) {
    std::vector<uint32_t> added;
    for (const uint32_t n : all_from(next, entry))
      if (numbers[n] == 0) numbers[n] = joins.size() + static_cast<uint32_t>(added.size()), added.push_back(n);
    std::vector<CodeJoins::NewNode> nodes;
    for (const uint32_t n : added) {
      nodes.push_back({n, {}, false});
      for (const uint32_t to : next[n]) nodes.back().next.push_back(to == 0 ? 0 : numbers[to]);
    }
    std::vector<uint32_t> got;
    joins.add(nodes, got);
    for (size_t i = 0; i < added.size(); ++i) numbers[added[i]] = got[i];
  }
  uint32_t join(uint32_t n) const {
    const uint32_t j = joins.join(numbers[n]);
    return j == 0 ? 0 : static_cast<uint32_t>(std::find(numbers.begin(), numbers.end(), j) - numbers.begin());
  }

  const Next& next;
  std::vector<uint32_t> numbers;
  CodeJoins joins;
};

}  // namespace

TEST_CASE("joins of pieces are those of the whole, endless loops among them") {
  rc::prop("against immediate post-dominators", [] {
    const uint32_t n = *rc::gen::inRange(1u, 14u);
    Next next(n + 1);
    for (uint32_t i = 1; i <= n; ++i)
      for (uint32_t more = *rc::gen::inRange(0u, 4u); more > 0; --more) {
        const uint32_t to = *rc::gen::inRange(0u, n + 1);
        if (std::find(next[i].begin(), next[i].end(), to) == next[i].end()) next[i].push_back(to);
      }
    Pieces pieces(next);
    for (uint32_t entry = 1; entry <= n; ++entry) {
      pieces.add(entry);
      const std::set<uint32_t> all = all_from(next, entry);
      const std::vector<uint32_t> addrs(all.begin(), all.end());
      const auto place = [&](uint32_t a) {
        return a == 0 ? 0 : static_cast<uint32_t>(std::find(addrs.begin(), addrs.end(), a) - addrs.begin()) + 1;
      };
      FlowGraph g(static_cast<uint32_t>(addrs.size()));
      for (const uint32_t a : addrs)
        for (const uint32_t to : next[a]) g.add_edge(place(a), place(to));
      const auto joins = g.immediate_postdominators();
      for (const uint32_t a : addrs) {
        const uint32_t want = joins[place(a)];
        RC_ASSERT(pieces.join(a) == (want == 0 ? 0 : addrs[want - 1]));
        RC_ASSERT(pieces.joins.is_branch(pieces.numbers[a]) == (next[a].size() > 1));
      }
      for (uint32_t a = 1; a <= n; ++a)
        if (pieces.numbers[a] != 0)
          RC_ASSERT(pieces.joins.leads_to(pieces.numbers[entry], pieces.numbers[a]) == all.contains(a));
    }
  });
}

TEST_CASE("what many lead to is known once: rings larger than the least that counts as many") {
  // 1 … n in a ring; what stands before leads into it, what stands behind is led to.
  constexpr uint32_t n = 5000;
  Next next(n + 5);
  for (uint32_t i = 1; i <= n; ++i) next[i] = {i % n + 1};
  next[7] = {8, n + 1};
  next[n + 1] = {0};
  next[n + 2] = {9};
  next[n + 3] = {n + 1, n + 2};
  next[n + 4] = {0};
  Pieces pieces(next);
  for (const uint32_t entry : {n + 2, n + 3, n + 4}) pieces.add(entry);
  const auto leads = [&](uint32_t from, uint32_t to) {
    return pieces.joins.leads_to(pieces.numbers[from], pieces.numbers[to]);
  };
  for (const uint32_t from : {uint32_t{1}, n, n + 2, n + 3}) {
    CHECK(leads(from, 1));
    CHECK(leads(from, n));
    CHECK(leads(from, n + 1));
    CHECK_FALSE(leads(from, n + 4));
  }
  CHECK(leads(n + 3, n + 2));
  CHECK_FALSE(leads(n + 2, n + 3));
  CHECK_FALSE(leads(n + 1, 1));
  CHECK(pieces.join(7) == n + 1);
  CHECK(pieces.join(n + 3) == n + 1);
}
