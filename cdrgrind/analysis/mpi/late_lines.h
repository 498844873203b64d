// SPDX-License-Identifier: GPL-2.0-or-later
// Waits put together by the lines of the source that wait and that were late.
#ifndef CDRGRIND_ANALYSIS_MPI_LATE_LINES_H
#define CDRGRIND_ANALYSIS_MPI_LATE_LINES_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/mpi/rank_set.h"
#include "cdrgrind/analysis/mpi/waits.h"

namespace cdr::mpi {

// Waits of a line for a line.
struct LateLine {
  LateKind kind = LateKind::kSender;
  uint32_t function = 0, peer_function = 0;
  uint32_t place = 0, peer_place = 0;
  RankSet ranks, peers;
  uint64_t waits = 0, instructions = 0;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.kind, s.function, s.peer_function, s.place, s.peer_place, s.ranks, s.peers, s.waits,
                    s.instructions);
  }
};

// In the first process, longest first. `by_rank`: a line for each rank and peer.
std::vector<LateLine> late_lines(Processes& processes, const Times& times, bool by_rank);

}  // namespace cdr::mpi

#endif
