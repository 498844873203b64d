// SPDX-License-Identifier: GPL-2.0-or-later
// A set of ranks: ascending numbers, spelled "0-7,16,20-60:4" (from 20 to 60 every fourth).
#ifndef CDRGRIND_ANALYSIS_MPI_RANK_SET_H
#define CDRGRIND_ANALYSIS_MPI_RANK_SET_H

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cdr::mpi {

using RankSet = std::vector<uint32_t>;

std::string spelled(std::span<const uint32_t> ranks);
RankSet united(const RankSet& a, const RankSet& b);

}  // namespace cdr::mpi

#endif
