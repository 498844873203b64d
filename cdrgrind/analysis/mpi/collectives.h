// SPDX-License-Identifier: GPL-2.0-or-later
// The collective calls of all ranks, put together: the k-th call of a rank on a communicator is a part of its k-th
// collective (MPI 3.1, section 5.1).
#ifndef CDRGRIND_ANALYSIS_MPI_COLLECTIVES_H
#define CDRGRIND_ANALYSIS_MPI_COLLECTIVES_H

#include <cstdint>
#include <optional>
#include <vector>

#include "cdrgrind/analysis/mpi/program.h"

namespace cdr::mpi {

// A collective that its ranks do not call alike: they call different functions, or with different roots.
struct Mismatch {
  uint32_t rank = 0, call = 0;
  uint32_t peer = 0, peer_call = 0;
};

class Collectives {
 public:
  explicit Collectives(const Program& program);

  // Ranks that the collective of the call waits for there, itself left out; empty for those that do not wait.
  std::vector<uint32_t> awaited(uint32_t rank, const Call& c) const;
  // The rank's part; none if it never came.
  std::optional<uint32_t> call_of(uint32_t comm, uint32_t instance, uint32_t rank) const;

  // The first of each communicator.
  const std::vector<Mismatch>& mismatches() const { return mismatches_; }

 private:
  void compare(uint32_t comm);
  // In MPI_COMM_WORLD, if there is such a rank.
  void add(int64_t rank, std::vector<uint32_t>& to) const;

  const Program& program_;
  // By communicator, then rank in CommGroup::callers: calls in order.
  std::vector<std::vector<std::vector<uint32_t>>> calls_;
  std::vector<Mismatch> mismatches_;
};

}  // namespace cdr::mpi

#endif
