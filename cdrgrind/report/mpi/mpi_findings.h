// SPDX-License-Identifier: GPL-2.0-or-later
// What reports of MPI calls have in common: names, and what follows from what is found.
#ifndef CDRGRIND_REPORT_MPI_MPI_FINDINGS_H
#define CDRGRIND_REPORT_MPI_MPI_FINDINGS_H

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/report/mpi/mpi_report.h"

namespace cdr::report {

// "Isend", and its place.
std::string_view function_of(const mpi::CallSpot& spot);
const CallPlace& place_of(const MpiReport& report, const mpi::CallSpot& spot);

// "sender", "receiver" or "collective": who was late.
std::string_view name_of(mpi::LateKind kind);

// "send to rank 3, tag 7": what is not matched.
std::string post_text(const mpi::UnmatchedPost& post);
// Why it may not be: the other rank waits with another tag. Empty if nothing is known.
class Hints {
 public:
  explicit Hints(const MpiReport& report);
  std::string of(const mpi::UnmatchedPost& post) const;

 private:
  const MpiReport& report_;
  std::map<uint32_t, std::vector<const mpi::UnmatchedPost*>> by_rank_;
};
// "MPI_COMM_WORLD", "communicator c2 of 4 ranks".
std::string comm_text(const mpi::UnmatchedPost& post);

// Whether it found anything that is wrong.
bool has_findings(const MpiReport& report);

}  // namespace cdr::report

#endif
