// SPDX-License-Identifier: GPL-2.0-or-later
// Where the ranks of a run that did not end stood: who was waiting for whom, and who could never have gone on.
//
// A rank is *stuck* if its trace ends in a call that waits for what cannot come: one of the ranks that it waits for
// (where one of several would do: each of them) is stuck itself, or has ended. The largest such set of ranks is meant.
#ifndef CDRGRIND_ANALYSIS_MPI_DEADLOCK_H
#define CDRGRIND_ANALYSIS_MPI_DEADLOCK_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/mpi/collectives.h"

namespace cdr::mpi {

struct Waiting {
  CallSpot at;
  std::vector<uint32_t> for_ranks;  // ascending; empty: for nothing that is missing, the cut has come before
  bool any = false;                 // one of them would do
  bool stuck = false;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.at, s.for_ranks, s.any, s.stuck);
  }
};

// Ranks whose trace ends in a call, by rank; in the first process.
std::vector<Waiting> unfinished_calls(const Program& program, const Collectives& collectives);

}  // namespace cdr::mpi

#endif
