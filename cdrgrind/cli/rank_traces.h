// SPDX-License-Identifier: GPL-2.0-or-later
// Whether traces are those of ranks of an MPI program.
#ifndef CDRGRIND_CLI_RANK_TRACES_H
#define CDRGRIND_CLI_RANK_TRACES_H

#include <optional>
#include <string>
#include <vector>

#include "cdrgrind/analysis/mpi/rank_log.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::cli {

// None: the trace has no calls of MPI. Its rank, if MPI_Init does not say it, is what the launcher said, or -1.
std::optional<mpi::RankLog> rank_log_in(const trace::TraceFile& file);

// Open MPI, MPICH or its kin.
bool has_mpi_library(const trace::TraceFile& file);

// Whether it has calls of MPI.
bool is_rank(const trace::TraceFile& file);

// If the files are of several ranks of one run: which of them has the lowest one.
std::optional<size_t> first_of_ranks(const std::vector<std::string>& names);

}  // namespace cdr::cli

#endif
