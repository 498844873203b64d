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
  CHECK(loops[0].headers == List{2});
  CHECK(loops[0].nodes == List{2, 3});
  CHECK_FALSE(loops[0].irregular);
  CHECK(loops[0].parent == GraphLoop::kNone);
}

TEST_CASE("nested loops, the inner one behind the outer one's header") {
  const auto loops = find_loops(graph_of(5, {{1, 2}, {2, 3}, {3, 4}, {4, 3}, {4, 2}, {2, 5}, {5, 0}}), 1);
  REQUIRE(loops.size() == 2);
  CHECK(loops[0].headers == List{2});
  CHECK(loops[0].nodes == List{2, 3, 4});
  CHECK(loops[1].headers == List{3});
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
  CHECK(loops[0].headers == List{2});
}

TEST_CASE("the header of an irregular cycle is the lowest entry that ran") {
  const auto graph = graph_of(3, {{1, 2}, {1, 3}, {2, 3}, {3, 2}, {3, 0}});
  const auto headers = [&](std::vector<bool> ran) {
    const auto loops = find_loops(graph, 1, {{}, std::move(ran)});
    CHECK(loops[0].irregular);
    return loops[0].headers;
  };
  CHECK(headers({false, true, false, true}) == List{3});
  CHECK(headers({false, true, false, false}) == List{2});
  CHECK(headers({}) == List{2});
}

TEST_CASE("code that did not run makes no loops of the ways, either") {
  // 2 is code that did not run, and enters the loop of 3, 4 and 5 at 4; 4 leads to it, too.
  const auto graph = graph_of(5, {{1, 3}, {1, 2}, {2, 4}, {3, 4}, {4, 5}, {4, 2}, {5, 3}, {5, 0}});
  const auto headers = [&](std::vector<bool> ran) {
    const auto loops = find_loops(graph, 1, {{}, std::move(ran)});
    CHECK(loops[0].irregular);
    return loops[0].headers;
  };
  CHECK(headers({false, true, false, true, true, true}) == List{4});
  CHECK(headers({false, true, false, false, false, false}) == List{2});
}

TEST_CASE("a test led past within a loop makes no loops of the ways: all turn at the last straight way") {
  // 2 tests whether 3 (a loop) is passed by, 5 and 6 end the iteration, 6 goes to 7 in the first one, which tests, too.
  const Edges edges = {{1, 2}, {2, 3}, {2, 4}, {3, 8}, {8, 3}, {8, 4}, {4, 5},
                       {5, 9}, {5, 6}, {6, 2}, {6, 7}, {7, 3}, {7, 4}, {9, 0}};
  const auto loops = find_loops(graph_of(9, edges), 1);
  REQUIRE(loops.size() == 2);
  CHECK(loops[0].headers == List{6});
  CHECK(loops[0].nodes == List{2, 3, 4, 5, 6, 7, 8});
  CHECK(loops[0].irregular);
  CHECK(loops[1].headers == List{3});
  CHECK(loops[1].nodes == List{3, 8});
  CHECK_FALSE(loops[1].irregular);
  CHECK(loops[1].parent == 0);
  // It does so in the run, or nothing turns there.
  const std::vector<bool> ran = {true, true, true, true, true, true, false, true, true, true};
  CHECK(find_loops(graph_of(9, edges), 1, {{}, ran})[0].headers == List{2});
}

TEST_CASE("a loop whose cycles share no straight way to its entry keeps its header") {
  // 3 and 4 lead to each other and both back to 2.
  const auto loops = find_loops(graph_of(4, {{1, 2}, {2, 3}, {2, 4}, {3, 4}, {4, 3}, {3, 2}, {4, 2}, {2, 0}}), 1);
  REQUIRE(loops.size() == 2);
  CHECK(loops[0].headers == List{2});
  CHECK_FALSE(loops[0].irregular);
  CHECK(loops[1].nodes == List{3, 4});
  CHECK(loops[1].irregular);
}

// Nodes 2, 4, 6, … are code of instructions, of which each ends in a computed jump: 3, 5, 7, … to any of them.
slice::FlowGraph threaded(uint32_t instructions, List& computed) {
  Edges edges;
  for (uint32_t i = 0; i < instructions; ++i) {
    edges.push_back({2 * i + 2, 2 * i + 3});
    computed.push_back(2 * i + 3);
    for (uint32_t t = 0; t < instructions; ++t) edges.push_back({2 * i + 3, 2 * t + 2});
  }
  edges.push_back({1, 2});
  edges.push_back({1, 4});
  edges.push_back({2 * instructions, 0});
  return graph_of(2 * instructions + 1, edges);
}

TEST_CASE("a cycle of many computed jumps is one loop with all their targets as headers") {
  List computed;
  const auto graph = threaded(8, computed);
  const auto loops = find_loops(graph, 1, {computed, {}});
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].irregular);
  CHECK(loops[0].headers == List{2, 4, 6, 8, 10, 12, 14, 16});
  CHECK(loops[0].nodes.size() == 16);
  // By the definition of other cycles it is a nest, as deep as there are instructions.
  CHECK(find_loops(graph, 1).size() == 8);
}

TEST_CASE("a loop within the code of an instruction is one of its own") {
  List computed;
  auto graph = threaded(4, computed);
  slice::FlowGraph longer(graph.size() + 1);
  for (uint32_t n = 1; n < graph.size(); ++n)
    for (const uint32_t s : graph.successors(n)) longer.add_edge(n, s);
  const uint32_t a = graph.size(), b = a + 1;  // 4 leads to a and b, which lead to each other, and they to 5
  longer.add_edge(4, a);
  longer.add_edge(a, b);
  longer.add_edge(b, a);
  longer.add_edge(b, 5);
  const auto loops = find_loops(longer, 1, {computed, {}});
  REQUIRE(loops.size() == 2);
  CHECK(loops[0].headers == List{2, 4, 6, 8});
  CHECK(loops[1].headers == List{a});
  CHECK(loops[1].parent == 0);
}

TEST_CASE("two switches in a loop that go on at the same few places make it no other loop") {
  // 2 is the loop's header, 3 and 6 are computed jumps, to 4, 5 and 2, and to 7, 8 and 2.
  const Edges edges = {{1, 2}, {2, 3}, {2, 0}, {3, 4}, {3, 5}, {3, 2}, {4, 6},
                       {5, 6}, {6, 7}, {6, 8}, {6, 2}, {7, 2}, {8, 2}};
  const List computed = {3, 6};
  const auto loops = find_loops(graph_of(8, edges), 1, {computed, {}});
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].headers == List{2});
  CHECK_FALSE(loops[0].irregular);
}

TEST_CASE("an instruction that repeats itself is no loop") {
  CHECK(find_loops(graph_of(2, {{1, 1}, {1, 2}, {2, 0}}), 1).empty());
}

TEST_CASE("the entry of a function can be a header") {
  const auto loops = find_loops(graph_of(2, {{1, 2}, {2, 1}, {2, 0}}), 1);
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].headers == List{1});
}

TEST_CASE("loops are maximal sets of nodes that lead to each other without the headers around") {
  const auto holds = [] {
    const auto nodes = *rc::gen::inRange<uint32_t>(2, 10);
    const auto edges = *rc::gen::container<Edges>(
        rc::gen::pair(rc::gen::inRange<uint32_t>(1, nodes + 1), rc::gen::inRange<uint32_t>(0, nodes + 1)));
    const auto g = graph_of(nodes, edges);
    const auto computed = *rc::gen::container<List>(rc::gen::inRange<uint32_t>(1, nodes + 1));
    const auto ran = *rc::gen::container<std::vector<bool>>(nodes + 1, rc::gen::arbitrary<bool>());
    const auto loops = find_loops(g, 1, {computed, ran});
    for (size_t i = 0; i < loops.size(); ++i) {
      const std::set<uint32_t> mine(loops[i].nodes.begin(), loops[i].nodes.end());
      RC_ASSERT(!loops[i].headers.empty());
      for (const uint32_t h : loops[i].headers) RC_ASSERT(mine.count(h) == 1);
      for (const uint32_t n : mine) RC_ASSERT(reached(g, n, mine) == mine);
      std::set<uint32_t> around;
      for (uint32_t n = 1; n <= nodes; ++n) around.insert(n);
      if (loops[i].parent != GraphLoop::kNone) {
        const GraphLoop& p = loops[loops[i].parent];
        RC_ASSERT(loops[i].parent < i);
        around = std::set<uint32_t>(p.nodes.begin(), p.nodes.end());
        for (const uint32_t h : p.headers) around.erase(h);
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
