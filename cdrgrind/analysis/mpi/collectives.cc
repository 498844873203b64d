// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/collectives.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace cdr::mpi {

// A rank's part in a collective.
struct Collectives::Part {
  CallSpot spot;
  int64_t root = 0;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.spot, s.root);
  }
};

Collectives::Collectives(const Program& program)
    : program_(program), counts_(program.communicators()), mixed_(program.communicators()) {
  std::vector<std::vector<Parts>> own;  // by rank from the first here on, and its own number of the communicator
  for (uint32_t r = program.begin(); r < program.end(); ++r) {
    const RankLog& log = program.log(r);
    std::vector<Parts>& parts = own.emplace_back(log.communicators.size());
    for (const Call& c : log.calls)
      if (c.instance != kNone) parts[c.comm].push_back({program.spot(r, c), c.root});
  }
  count_parts(own);
  compare(own);
}

// Callers of a communicator come by rank, and so do the ranks that are told of.
void Collectives::count_parts(const std::vector<std::vector<Parts>>& own) {
  std::vector<std::pair<uint32_t, uint32_t>> counts;  // communicator and calls, rank by rank
  for (uint32_t r = program_.begin(); r < program_.end(); ++r)
    for (uint32_t local = 0; local < own[r - program_.begin()].size(); ++local)
      counts.emplace_back(program_.comm_of(r, local), own[r - program_.begin()][local].size());
  ByteWriter mine;
  put(mine, counts);
  for (const Bytes& bytes : told_by_all(program_.processes(), mine)) {
    ByteReader from(bytes);
    get(from, counts);
    for (const auto& [comm, calls] : counts) counts_[comm].push_back(calls);
  }
  sorted_ = counts_;
  for (std::vector<uint32_t>& s : sorted_) std::sort(s.begin(), s.end());
}

// With the first caller's, of which the processes of the others are told. Between two groups roots are told otherwise
// by each.
void Collectives::compare(const std::vector<std::vector<Parts>>& own) {
  std::map<uint32_t, Parts> first;
  std::vector<ByteWriter> to(program_.processes().count());
  const auto each = [&](auto&& f) {
    for (uint32_t r = program_.begin(); r < program_.end(); ++r)
      for (uint32_t local = 0; local < own[r - program_.begin()].size(); ++local)
        f(r, program_.comm_of(r, local), own[r - program_.begin()][local]);
  };
  each([&](uint32_t r, uint32_t comm, const Parts& parts) {
    const std::vector<uint32_t>& callers = program_.group(comm).callers;
    if (callers.front() != r || callers.size() == 1) return;
    first[comm] = parts;
    std::set<uint32_t> others;
    for (const uint32_t caller : callers)
      if (!program_.here(caller)) others.insert(program_.owner(caller));
    for (const uint32_t other : others) put(to[other], std::pair(comm, parts));
  });
  for (const Bytes& bytes : program_.processes().exchange(std::move(to)))
    for (ByteReader from(bytes); !from.at_end();) {
      std::pair<uint32_t, Parts> told;
      get(from, told);
      first.insert(std::move(told));
    }
  std::map<uint32_t, Mismatch> found;
  each([&](uint32_t r, uint32_t comm, const Parts& parts) {
    const CommGroup& group = program_.group(comm);
    if (group.callers.front() == r || found.contains(comm)) return;
    const Parts& wanted = first.at(comm);
    for (size_t i = 0; i < std::min(wanted.size(), parts.size()); ++i) {
      if (parts[i].spot.function == wanted[i].spot.function && (group.inter || parts[i].root == wanted[i].root))
        continue;
      found[comm] = {wanted[i].spot, parts[i].spot};
      return;
    }
  });
  merge_at_first(program_.processes(), found,
                 [](auto& a, auto b) { a.insert(b.begin(), b.end()); });  // those of lower ranks stay
  share_from_first(program_.processes(), found);
  for (const auto& [comm, mismatch] : found) {
    mixed_[comm] = true;
    mismatches_.push_back(mismatch);
  }
}

std::vector<uint32_t> Collectives::awaited(uint32_t rank, const Call& c) const {
  const int kind = kind_of(c.function);
  if (c.instance == kNone || kind == CDR_MPI_NEIGHBOURS) return {};
  const Communicator& comm = program_.log(rank).communicators[c.comm];
  const auto& callers = program_.group(program_.comm_of(rank, c.comm)).callers;
  std::vector<uint32_t> ranks;
  if (kind == CDR_MPI_FROM_ROOT || (kind == CDR_MPI_TO_ROOT && c.root != comm.rank)) {
    if (kind == CDR_MPI_TO_ROOT || comm.inter || c.root == comm.rank) return {};
    add(comm.world_rank(c.root), ranks);
    return ranks;
  }
  if (kind == CDR_MPI_PREFIX) {
    for (int64_t below = 0; below < comm.rank; ++below) add(comm.world_rank(below), ranks);
    return ranks;
  }
  std::copy_if(callers.begin(), callers.end(), std::back_inserter(ranks), [&](uint32_t r) { return r != rank; });
  return ranks;
}

void Collectives::add(int64_t rank, std::vector<uint32_t>& to) const {
  if (rank >= 0 && rank < program_.ranks()) to.push_back(static_cast<uint32_t>(rank));
}

bool Collectives::has_part(uint32_t comm, uint32_t instance, uint32_t rank) const {
  const auto& callers = program_.group(comm).callers;
  const auto at = std::lower_bound(callers.begin(), callers.end(), rank);
  return at != callers.end() && *at == rank && instance < counts_[comm][static_cast<size_t>(at - callers.begin())];
}

uint32_t Collectives::parts(uint32_t comm, uint32_t instance) const {
  const std::vector<uint32_t>& sorted = sorted_[comm];
  return static_cast<uint32_t>(sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), instance));
}

}  // namespace cdr::mpi
