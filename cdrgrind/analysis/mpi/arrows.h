// SPDX-License-Identifier: GPL-2.0-or-later
// Where messages that ranks of this process send end, for drawing.
#ifndef CDRGRIND_ANALYSIS_MPI_ARROWS_H
#define CDRGRIND_ANALYSIS_MPI_ARROWS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/mpi/waits.h"

namespace cdr::mpi {

// From the call that sends to the one that completes the receive.
struct Arrow {
  uint32_t from = 0, to = 0;  // ranks
  uint32_t from_thread = 0, to_thread = 0;
  uint64_t begin = 0, end = 0;  // times
};

// By rank and order of the sends.
std::vector<std::vector<Arrow>> arrows_of(const Program& program, const Times& times);

}  // namespace cdr::mpi

#endif
