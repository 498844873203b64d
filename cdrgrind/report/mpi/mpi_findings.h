// SPDX-License-Identifier: GPL-2.0-or-later
// What a report of MPI calls tells, put together by lines of the source.
#ifndef CDRGRIND_REPORT_MPI_MPI_FINDINGS_H
#define CDRGRIND_REPORT_MPI_MPI_FINDINGS_H

#include <string>
#include <vector>

#include "cdrgrind/report/mpi/mpi_report.h"

namespace cdr::report {

// Waits of a line for a line.
struct LateLine {
  mpi::LateKind kind = mpi::LateKind::kSender;
  std::string function, peer_function;  // of MPI
  const CallPlace* place = nullptr;
  const CallPlace* peer_place = nullptr;
  mpi::RankSet ranks, peers;
  uint64_t waits = 0, instructions = 0;
};
// Longest first. `by_rank`: a line for each rank and peer.
std::vector<LateLine> late_lines(const MpiReport& report, bool by_rank);

// "late sender" …
std::string_view name_of(mpi::LateKind kind);

// "send to rank 3, tag 7": what is not matched.
std::string post_text(const MpiReport& report, mpi::PostRef p);
// Why it may not be: the other rank waits with another tag. Empty if nothing is known.
std::string hint_of(const MpiReport& report, mpi::PostRef p);
// "MPI_COMM_WORLD", "communicator 2 of rank 1".
std::string comm_text(const mpi::Program& program, uint32_t rank, uint32_t comm);

// Whether it found anything that is wrong.
bool has_findings(const MpiReport& report);

}  // namespace cdr::report

#endif
