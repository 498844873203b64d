// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/late_lines.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace cdr::mpi {
namespace {

// Kind, functions, places, and rank and peer if they are told apart.
using Key = std::tuple<LateKind, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;

Key key_of(const LateLine& l, bool by_rank) {
  return {l.kind,
          l.function,
          l.peer_function,
          l.place,
          l.peer_place,
          by_rank ? l.ranks.front() : 0,
          by_rank ? l.peers.front() : 0};
}

// Both are ordered by key.
std::vector<LateLine> merged(std::vector<LateLine> a, std::vector<LateLine> b, bool by_rank) {
  std::vector<LateLine> both;
  auto i = a.begin(), j = b.begin();
  while (i != a.end() || j != b.end()) {
    const bool first = j == b.end() || (i != a.end() && key_of(*i, by_rank) < key_of(*j, by_rank));
    const bool second = i == a.end() || (j != b.end() && key_of(*j, by_rank) < key_of(*i, by_rank));
    both.push_back(std::move(second ? *j : *i));
    if (!first && !second) {
      LateLine& l = both.back();
      l.ranks = united(l.ranks, j->ranks);
      l.peers = united(l.peers, j->peers);
      l.waits += j->waits;
      l.instructions += j->instructions;
    }
    if (!second) ++i;
    if (!first) ++j;
  }
  return both;
}

std::vector<LateLine> lines_here(const Times& times, bool by_rank) {
  struct Group {
    LateLine line;
    std::set<uint32_t> ranks, peers;
  };
  std::map<Key, Group> groups;
  for (const Late& l : times.late) {
    const LateLine line{l.kind, l.at.function, l.peer.function, l.at.place, l.peer.place, {l.at.rank}, {l.peer.rank}, 0,
                        0};
    Group& g = groups.try_emplace(key_of(line, by_rank), Group{line, {}, {}}).first->second;
    g.ranks.insert(l.at.rank), g.peers.insert(l.peer.rank);
    ++g.line.waits;
    g.line.instructions += l.instructions;
  }
  std::vector<LateLine> lines;
  for (auto& [key, g] : groups) {
    g.line.ranks.assign(g.ranks.begin(), g.ranks.end());
    g.line.peers.assign(g.peers.begin(), g.peers.end());
    lines.push_back(std::move(g.line));
  }
  return lines;
}

}  // namespace

std::vector<LateLine> late_lines(Processes& processes, const Times& times, bool by_rank) {
  std::vector<LateLine> lines = lines_here(times, by_rank);
  merge_at_first(processes, lines, [&](std::vector<LateLine>& a, std::vector<LateLine> b) {
    a = merged(std::move(a), std::move(b), by_rank);
  });
  std::stable_sort(lines.begin(), lines.end(),
                   [](const LateLine& a, const LateLine& b) { return a.instructions > b.instructions; });
  return lines;
}

}  // namespace cdr::mpi
