// SPDX-License-Identifier: GPL-2.0-or-later
// The traces of an MPI program's ranks: which file is which rank, its calls, and where in the source these stand.
#ifndef CDRGRIND_CLI_RANK_FILES_H
#define CDRGRIND_CLI_RANK_FILES_H

#include <string>
#include <vector>

#include "cdrgrind/report/mpi/mpi_report.h"
#include "cdrgrind/symbols/common/options.h"

namespace cdr::cli {

struct RankFiles {
  std::vector<mpi::RankLog> logs;  // by rank
  report::CallPlaces places{0};
  std::string program;
  report::BinaryNotes binaries;
};

// Failure with kBadInput if a rank is missing or there twice, or a file has no calls of MPI. Files are read one after
// the other, and only their calls are kept.
RankFiles read_rank_files(const std::vector<std::string>& names, const symbols::SymbolOptions& options);

}  // namespace cdr::cli

#endif
