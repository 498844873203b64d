// SPDX-License-Identifier: GPL-2.0-or-later
// What a report says of all ranks together, but for nests, waits and deadlocks: totals, the matrix, messages that are
// not matched. In the first process; elsewhere it is empty.
#ifndef CDRGRIND_ANALYSIS_MPI_SUMMARY_H
#define CDRGRIND_ANALYSIS_MPI_SUMMARY_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/mpi/waits.h"

namespace cdr::mpi {

struct UnmatchedPost {
  CallSpot at;
  bool send = false;
  bool from_anybody = false;
  int64_t peer = -1;  // in MPI_COMM_WORLD; -1: not known
  int32_t tag = 0;
  uint64_t bytes = 0;
  uint32_t comm = kNone, local_comm = kNone;  // its numbers, for all and for the rank
  int64_t comm_size = 0;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.at, s.send, s.from_anybody, s.peer, s.tag, s.bytes, s.comm, s.local_comm, s.comm_size);
  }
};

struct Summary {
  int library = 0;  // of rank 0
  uint64_t calls = 0, in_vain = 0;
  uint64_t matched = 0, guessed = 0;
  uint64_t length = 0, waited = 0, forced = 0;  // of the replay
  std::vector<MatrixCell> matrix;               // by sender and receiver
  std::vector<UnmatchedPost> unmatched;         // by rank and order
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.library, s.calls, s.in_vain, s.matched, s.guessed, s.length, s.waited, s.forced, s.matrix,
                    s.unmatched);
  }
};

Summary summary_of(const Program& program, const Times& times);

}  // namespace cdr::mpi

#endif
