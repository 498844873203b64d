// SPDX-License-Identifier: GPL-2.0-or-later
// Graphs drawn by hand, and random ones against the definition. Node 0 is the exit.
#include "cdrgrind/analysis/regions/loop_forest.h"

#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "tests/unit/catch.h"

namespace cdr::regions {
namespace {

using Edges = std::vector<std::pair<uint32_t, uint32_t>>;
using List = std::vector<uint32_t>;

slice::FlowGraph graph_of(uint32_t nodes, const Edges& edges) {
  slice::FlowGraph g(nodes);
  for (const auto& [from, to] : edges) g.add_edge(from, to);
  return g;
}

// The nodes that can be reached from a node of `among` without leaving `among`.
std::set<uint32_t> reached(const slice::FlowGraph& g, uint32_t from, const std::set<uint32_t>& among) {
  std::set<uint32_t> seen;
  List open = {from};
  while (!open.empty()) {
    const uint32_t n = open.back();
    open.pop_back();
    for (const uint32_t s : g.successors(n))
      if (among.count(s) && seen.insert(s).second) open.push_back(s);
  }
  return seen;
}

TEST_CASE("a while loop: its test is the header") {
  const auto loops = find_loops(graph_of(4, {{1, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 0}}), 1);
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].header == 2);
  CHECK(loops[0].nodes == List{2, 3});
  CHECK_FALSE(loops[0].irregular);
  CHECK(loops[0].parent == GraphLoop::kNone);
}

TEST_CASE("nested loops, the inner one behind the outer one's header") {
  const auto loops = find_loops(graph_of(5, {{1, 2}, {2, 3}, {3, 4}, {4, 3}, {4, 2}, {2, 5}, {5, 0}}), 1);
  REQUIRE(loops.size() == 2);
  CHECK(loops[0].header == 2);
  CHECK(loops[0].nodes == List{2, 3, 4});
  CHECK(loops[1].header == 3);
  CHECK(loops[1].nodes == List{3, 4});
  CHECK(loops[1].parent == 0);
}

TEST_CASE("loops with one header are one") {
  const auto loops = find_loops(graph_of(4, {{1, 2}, {2, 3}, {3, 2}, {3, 4}, {4, 2}, {4, 0}}), 1);
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].nodes == List{2, 3, 4});
}

TEST_CASE("a cycle with two entries is irregular, headed by the lowest node") {
  const auto loops = find_loops(graph_of(3, {{1, 2}, {1, 3}, {2, 3}, {3, 2}, {3, 0}}), 1);
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].irregular);
  CHECK(loops[0].header == 2);
}

TEST_CASE("an instruction that repeats itself is no loop") {
  CHECK(find_loops(graph_of(2, {{1, 1}, {1, 2}, {2, 0}}), 1).empty());
}

TEST_CASE("the entry of a function can be a header") {
  const auto loops = find_loops(graph_of(2, {{1, 2}, {2, 1}, {2, 0}}), 1);
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].header == 1);
}

TEST_CASE("loops are maximal sets of nodes that lead to each other without the headers around") {
  const auto holds = [] {
    const auto nodes = *rc::gen::inRange<uint32_t>(2, 10);
    const auto edges = *rc::gen::container<Edges>(
        rc::gen::pair(rc::gen::inRange<uint32_t>(1, nodes + 1), rc::gen::inRange<uint32_t>(0, nodes + 1)));
    const auto g = graph_of(nodes, edges);
    const auto loops = find_loops(g, 1);
    for (size_t i = 0; i < loops.size(); ++i) {
      const std::set<uint32_t> mine(loops[i].nodes.begin(), loops[i].nodes.end());
      RC_ASSERT(mine.count(loops[i].header) == 1);
      for (const uint32_t n : mine) RC_ASSERT(reached(g, n, mine) == mine);
      std::set<uint32_t> around;
      for (uint32_t n = 1; n <= nodes; ++n) around.insert(n);
      if (loops[i].parent != GraphLoop::kNone) {
        const GraphLoop& p = loops[loops[i].parent];
        RC_ASSERT(loops[i].parent < i);
        around = std::set<uint32_t>(p.nodes.begin(), p.nodes.end());
        around.erase(p.header);
      }
      // No other node around both reaches it and is reached by it.
      for (const uint32_t n : around)
        if (!mine.count(n))
          RC_ASSERT(!reached(g, n, around).count(*mine.begin()) || !reached(g, *mine.begin(), around).count(n));
    }
  };
  CHECK(rc::check(holds));
}

}  // namespace
}  // namespace cdr::regions
