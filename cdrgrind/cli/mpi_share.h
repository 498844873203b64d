// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind mpi` among several processes: which a launcher says that there are, and the program that knows how they
// talk.
#ifndef CDRGRIND_CLI_MPI_SHARE_H
#define CDRGRIND_CLI_MPI_SHARE_H

#include <cstdint>
#include <string>
#include <vector>

#include "cdrgrind/analysis/mpi/processes.h"
#include "cdrgrind/cli/command.h"

namespace cdr::cli {

// What the environment says of the launcher that started this process.
struct Launch {
  const char* launcher = nullptr;  // "Open MPI's mpirun"; null: none, or one whose single process is as without it
  uint64_t processes = 1, rank = 0;
};
Launch launch_of_environment();

// The folder's program cdrgrind-mpi, for a program at `executable`: in the build tree, or where both are installed;
// empty if it was not built.
std::string find_mpi_program(const std::string& executable);

// Becomes that program if a launcher has started several processes, or Open MPI's has started one. Returns if not, or
// if that one has no such program; for several without it a Failure with kWrongUse, of the first process alone: the
// others end with that status.
void hand_over_to_mpi_program(const std::vector<std::string>& words);

// `cdrgrind mpi` with these processes.
Action add_shared_mpi(CommandLine& line, mpi::Processes& all);

}  // namespace cdr::cli

#endif
