// SPDX-License-Identifier: GPL-2.0-or-later
// The traces of an MPI program's ranks: which file is which rank, its calls, and where in the source these stand. Each
// process reads its part of the files, and hands logs over to who has the block of ranks that they belong to. Only the
// first reads debug information.
#ifndef CDRGRIND_CLI_RANK_FILES_H
#define CDRGRIND_CLI_RANK_FILES_H

#include <string>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/report/mpi/mpi_report.h"
#include "cdrgrind/symbols/common/options.h"

namespace cdr::cli {

struct RankFiles {
  uint32_t ranks = 0;
  std::vector<mpi::RankLog> logs;  // of the process's block of ranks
  report::CallPlaces places;       // of Call::place
  // In the first process.
  std::string program;
  report::BinaryNotes binaries;
};

// Another process has failed, and says why.
struct FailedElsewhere {};

// Failure with kBadInput if a rank is missing or there twice, or no file has calls of MPI. Files are read one after the
// other, and only their calls are kept.
// `watch` may be interrupted between files: Failure with kInterrupted, for some ranks alone say nothing.
RankFiles read_rank_files(mpi::Processes& all, const std::vector<std::string>& names,
                          const symbols::SymbolOptions& options, const analysis::Watch& watch);

}  // namespace cdr::cli

#endif
