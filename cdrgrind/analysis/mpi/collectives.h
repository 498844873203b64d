// SPDX-License-Identifier: GPL-2.0-or-later
// The collective calls of all ranks, put together: the k-th call of a rank on a communicator is a part of its k-th
// collective (MPI 3.1, section 5.1). Of ranks of other processes it knows only how many such calls they make.
#ifndef CDRGRIND_ANALYSIS_MPI_COLLECTIVES_H
#define CDRGRIND_ANALYSIS_MPI_COLLECTIVES_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/mpi/program.h"

namespace cdr::mpi {

// A collective that its ranks do not call alike: they call different functions, or with different roots.
struct Mismatch {
  CallSpot at, peer;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.at, s.peer);
  }
};

class Collectives {
 public:
  explicit Collectives(const Program& program);

  // Ranks that the collective of the call waits for there, itself left out; empty for those that do not wait. `rank` is
  // of this process.
  std::vector<uint32_t> awaited(uint32_t rank, const Call& c) const;
  // Whether the rank's part ever came.
  bool has_part(uint32_t comm, uint32_t instance, uint32_t rank) const;
  // How many ranks' parts came.
  uint32_t parts(uint32_t comm, uint32_t instance) const;
  // Whether the collectives of the communicator are not all alike.
  bool mixed(uint32_t comm) const { return mixed_[comm]; }

  // The first of each communicator, in the first process.
  const std::vector<Mismatch>& mismatches() const { return mismatches_; }

 private:
  struct Part;
  using Parts = std::vector<Part>;
  void count_parts(const std::vector<std::vector<Parts>>& own);
  void compare(const std::vector<std::vector<Parts>>& own);
  // In MPI_COMM_WORLD, if there is such a rank.
  void add(int64_t rank, std::vector<uint32_t>& to) const;

  const Program& program_;
  std::vector<std::vector<uint32_t>> counts_;  // by communicator and CommGroup::callers: calls
  std::vector<std::vector<uint32_t>> sorted_;  // the same, ascending
  std::vector<bool> mixed_;
  std::vector<Mismatch> mismatches_;
};

}  // namespace cdr::mpi

#endif
