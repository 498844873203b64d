// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/collectives.h"

#include <algorithm>
#include <iterator>

namespace cdr::mpi {

Collectives::Collectives(const Program& program) : program_(program), calls_(program.communicators()) {
  for (uint32_t c = 0; c < program.communicators(); ++c) calls_[c].resize(program.group(c).callers.size());
  for (uint32_t r = 0; r < program.ranks(); ++r) {
    const RankLog& log = program.log(r);
    for (uint32_t i = 0; i < log.calls.size(); ++i) {
      const Call& c = log.calls[i];
      if (c.instance == kNone) continue;
      const uint32_t comm = program.comm_of(r, c.comm);
      const auto& callers = program.group(comm).callers;
      const auto at = std::lower_bound(callers.begin(), callers.end(), r) - callers.begin();
      calls_[comm][static_cast<size_t>(at)].push_back(i);
    }
  }
  for (uint32_t c = 0; c < program.communicators(); ++c) compare(c);
}

// With the first caller's. Between two groups roots are told otherwise by each.
void Collectives::compare(uint32_t comm) {
  const CommGroup& group = program_.group(comm);
  for (size_t caller = 1; caller < group.callers.size(); ++caller) {
    const auto &first = calls_[comm][0], &other = calls_[comm][caller];
    for (size_t i = 0; i < std::min(first.size(), other.size()); ++i) {
      const Call& a = program_.log(group.callers[0]).calls[first[i]];
      const Call& b = program_.log(group.callers[caller]).calls[other[i]];
      if (a.function == b.function && (group.inter || a.root == b.root)) continue;
      mismatches_.push_back({group.callers[0], first[i], group.callers[caller], other[i]});
      return;
    }
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

std::optional<uint32_t> Collectives::call_of(uint32_t comm, uint32_t instance, uint32_t rank) const {
  const auto& callers = program_.group(comm).callers;
  const auto at = std::lower_bound(callers.begin(), callers.end(), rank);
  if (at == callers.end() || *at != rank) return std::nullopt;
  const auto& calls = calls_[comm][static_cast<size_t>(at - callers.begin())];
  if (instance >= calls.size()) return std::nullopt;
  return calls[instance];
}

}  // namespace cdr::mpi
