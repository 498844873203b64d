// SPDX-License-Identifier: GPL-2.0-or-later
// The code of functions, found on random graphs of blocks, is what a search by sets finds.
#include <map>
#include <random>
#include <set>
#include <vector>

#include "cdrgrind/analysis/slice/function_graphs.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;

namespace {

struct NoTargets final : slice::JumpTargets {
  std::span<const uint64_t> jump_targets(SuperblockId) const override { return {}; }
};

// Superblocks of two instructions of 4 bytes, some of them functions' entries, that jump to each other, and to code
// that is not known.
struct RandomCode {
  explicit RandomCode(uint32_t seed) : random(seed) {
    const uint32_t count = 3 + random() % 12;
    for (uint32_t i = 0; i < count; ++i) {
      const bool known = random() % 12 != 0;
      const uint64_t to = known ? place(random() % count) : place(count + random() % 2);
      test::SuperblockParts s = test::straight(place(i), 2, ExitKind::kBranch, to);
      if (random() % 2) {
        Exit back = s.exits[0];
        back.target = place(random() % count);
        back.guard = ExitGuard::kCondition;
        s.exits.insert(s.exits.begin(), back);
        next[back_of(i)].insert(back.target);
      }
      if (i == 0 || random() % 4 == 0) {
        s.sb.flags |= kBlockFunctionEntry;
        entries.insert(place(i));
      }
      next[place(i)].insert(place(i) + 4);
      next[back_of(i)].insert(to);
      blocks.add_superblock(s.view());
    }
  }
  static uint64_t place(uint32_t i) { return test::kText + uint64_t{32} * i; }
  static uint64_t back_of(uint32_t i) { return place(i) + 4; }

  std::mt19937 random;
  BlockTable blocks;
  std::map<uint64_t, std::set<uint64_t>> next;
  std::set<uint64_t> entries;
};

}  // namespace

TEST_CASE("a function's code is what a search by sets finds") {
  uint32_t weak = 0, without_calls = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    RandomCode c(seed);
    NoTargets targets;
    slice::NoCode code;
    slice::FunctionGraphs graphs(c.blocks, targets, code);
    for (const auto calls : {slice::TailCalls::kGoOn, slice::TailCalls::kLeave, slice::TailCalls::kGoOn}) {
      for (const uint64_t entry : c.entries) {
        std::set<uint64_t> seen;
        bool is_weak = false;
        const auto goes_on = [&](uint64_t to) {
          return calls == slice::TailCalls::kGoOn || to == entry || !c.entries.contains(to);
        };
        for (std::vector<uint64_t> open = {entry}; !open.empty();) {
          const uint64_t at = open.back();
          open.pop_back();
          is_weak |= !c.next.contains(at);
          if (!c.next.contains(at) || !seen.insert(at).second) continue;
          for (const uint64_t to : c.next.at(at))
            if (goes_on(to)) open.push_back(to);
        }
        const auto found = graphs.code_of(entry, calls);
        REQUIRE(found.addrs == std::vector<uint64_t>(seen.begin(), seen.end()));
        REQUIRE(found.weak == is_weak);
        REQUIRE(!found.computed);
        const slice::InsnGraph graph = graphs.graph_of(entry, calls);
        REQUIRE(std::vector<uint64_t>(graph.addrs.begin() + 1, graph.addrs.end()) == found.addrs);
        REQUIRE(graph.weak == is_weak);
        for (uint32_t n = 1; n < graph.addrs.size(); ++n) {
          std::set<uint32_t> to;
          for (const uint64_t next : c.next.at(graph.addrs[n])) to.insert(goes_on(next) ? graph.node_of(next) : 0);
          const auto successors = graph.graph.successors(n);
          REQUIRE(std::set<uint32_t>(successors.begin(), successors.end()) == to);
        }
        weak += is_weak;
        without_calls += calls == slice::TailCalls::kLeave;
      }
    }
  }
  CHECK(weak > 200);
  CHECK(without_calls > 400);
}
