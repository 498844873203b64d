// SPDX-License-Identifier: GPL-2.0-or-later
// Graphs drawn by hand. Node 0 is the exit.
#include "cdrgrind/analysis/slice/control_dependence.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "tests/unit/properties.h"

using namespace cdr::slice;

namespace {

using Edges = std::vector<std::pair<uint32_t, uint32_t>>;
using List = std::vector<uint32_t>;

FlowGraph graph_of(uint32_t nodes, const Edges& edges) {
  FlowGraph g(nodes);
  for (const auto& [from, to] : edges) g.add_edge(from, to);
  return g;
}

std::vector<List> dependence(uint32_t nodes, const Edges& edges) { return graph_of(nodes, edges).control_dependence(); }

// Whether there is a way from `from` to the exit that does not pass `without`.
bool reaches_exit(const FlowGraph& g, uint32_t from, uint32_t without) {
  std::set<uint32_t> seen;
  std::vector<uint32_t> open = {from};
  while (!open.empty()) {
    const uint32_t n = open.back();
    open.pop_back();
    if (n == without || !seen.insert(n).second) continue;
    if (n == 0) return true;
    for (const uint32_t s : g.successors(n)) open.push_back(s);
  }
  return false;
}

bool postdominates(const FlowGraph& g, uint32_t n, uint32_t of) { return n == of || !reaches_exit(g, of, n); }

}  // namespace

TEST_CASE("both arms of an if depend on it, what follows does not") {
  //  1 ─┬─ 2 ─┬─ 4
  //     └─ 3 ─┘
  const auto on = dependence(4, {{1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 0}});
  CHECK(on[1].empty());
  CHECK(on[2] == List{1});
  CHECK(on[3] == List{1});
  CHECK(on[4].empty());
}

TEST_CASE("a loop's body and its test depend on the test, what follows does not") {
  //  1 ─ 2 ─┬─ 3 (back to 2)
  //         └─ 4
  const auto on = dependence(4, {{1, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 0}});
  CHECK(on[1].empty());
  CHECK(on[2] == List{2});
  CHECK(on[3] == List{2});
  CHECK(on[4].empty());
}

TEST_CASE("after an early return everything depends on its condition") {
  //  1 ─┬─ 2 ─ 3 ─ exit
  //     └─ exit
  const auto on = dependence(3, {{1, 2}, {1, 0}, {2, 3}, {3, 0}});
  CHECK(on[2] == List{1});
  CHECK(on[3] == List{1});
}

TEST_CASE("nested conditions: only the inner one is told, the outer one is its own") {
  //  1 ─┬─ 2 ─┬─ 3 ─┐
  //     └─────┴──── 4
  const auto on = dependence(4, {{1, 2}, {1, 4}, {2, 3}, {2, 4}, {3, 4}, {4, 0}});
  CHECK(on[3] == List{2});
  CHECK(on[2] == List{1});
  CHECK(on[4].empty());
}

TEST_CASE("a && b: the guarded part depends on both tests by way of the second") {
  //  1 a ─┬─ 2 b ─┬─ 3 then ─┐
  //       └───────┴───────── 4
  const auto on = dependence(4, {{1, 2}, {1, 4}, {2, 3}, {2, 4}, {3, 4}, {4, 0}});
  CHECK(on[3] == List{2});
  // a || b: the guarded part depends on each of them.
  const auto either = dependence(4, {{1, 3}, {1, 2}, {2, 3}, {2, 4}, {3, 4}, {4, 0}});
  CHECK(either[3] == List{1, 2});
}

TEST_CASE("a loop that never ends is taken to end at its highest node") {
  const FlowGraph g = graph_of(3, {{1, 2}, {2, 3}, {3, 2}});
  const auto idom = g.immediate_postdominators();
  CHECK(idom[1] == 2);
  CHECK(idom[2] == 3);
  CHECK(idom[3] == 0);
}

TEST_CASE("control dependence is what its definition says") {
  rc::prop("against reachability", [] {
    const uint32_t n = *rc::gen::inRange(1u, 9u);
    Edges edges;
    // A way to the exit from everywhere; any others.
    for (uint32_t i = 1; i <= n; ++i) edges.push_back({i, i == n ? 0 : i + 1});
    for (uint32_t more = *rc::gen::inRange(0u, 8u); more > 0; --more)
      edges.push_back({*rc::gen::inRange(1u, n + 1), *rc::gen::inRange(0u, n + 1)});
    const FlowGraph g = graph_of(n, edges);
    const auto on = g.control_dependence();
    for (uint32_t y = 1; y <= n; ++y) {
      for (uint32_t u = 1; u <= n; ++u) {
        bool some = false;
        for (const uint32_t v : g.successors(u)) some |= postdominates(g, y, v);
        const bool want = some && (y == u || !postdominates(g, y, u)) && g.successors(u).size() > 1;
        const bool got = std::find(on[y].begin(), on[y].end(), u) != on[y].end();
        RC_ASSERT(got == want);
      }
    }
  });
}

TEST_CASE("the nearest node that all ways from some pass is one of those, and behind none of the others") {
  rc::prop("against reachability", [] {
    const uint32_t n = *rc::gen::inRange(1u, 9u);
    std::vector<List> next(n);
    for (uint32_t p = 0; p < n; ++p) next[p].push_back(p + 1);
    for (uint32_t more = *rc::gen::inRange(0u, 8u); more > 0; --more)
      next[*rc::gen::inRange(0u, n)].push_back(*rc::gen::inRange(0u, n + 1));
    const FlowGraph g = FlowGraph::of_places(next);
    List nodes;
    for (uint32_t some = *rc::gen::inRange(1u, 4u); some > 0; --some) nodes.push_back(*rc::gen::inRange(1u, n + 1));
    const auto all_pass = [&](uint32_t at) {
      return std::all_of(nodes.begin(), nodes.end(), [&](uint32_t from) { return postdominates(g, at, from); });
    };
    const uint32_t nearest = common_postdominator(g.immediate_postdominators(), nodes);
    RC_ASSERT(all_pass(nearest));
    for (uint32_t other = 0; other <= n; ++other)
      if (other != nearest && all_pass(other)) RC_ASSERT(postdominates(g, other, nearest));
  });
}
