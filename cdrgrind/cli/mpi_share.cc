// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/mpi_share.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/config.h"

namespace cdr::cli {

namespace fs = std::filesystem;

namespace {

struct LauncherVariables {
  const char *launcher, *processes, *rank;
  uint64_t least;  // processes that are worth a word
};
// One process of Open MPI's prints as several do, too: the launcher gives it a terminal.
constexpr LauncherVariables kLaunchers[] = {
    {"Open MPI's mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", 1},
    {"MPICH's mpirun", "PMI_SIZE", "PMI_RANK", 2},
    {"Slurm's srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", 2},
};

uint64_t number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  return text ? number_of(text).value_or(0) : 0;
}

// Where this program and the other one stand in the build tree, from its top on.
constexpr const char* kBuilt = "cdrgrind/cli/cdrgrind";
constexpr const char* kBuiltMpi = "cdrgrind/cli/cdrgrind-mpi";

bool is_program(const fs::path& path) { return access(path.c_str(), X_OK) == 0; }

}  // namespace

Launch launch_of_environment() {
  for (const LauncherVariables& l : kLaunchers)
    if (const uint64_t processes = number_in_environment(l.processes); processes >= l.least)
      return {l.launcher, processes, number_in_environment(l.rank)};
  return {};
}

std::string find_mpi_program(const std::string& executable) {
  const fs::path program = executable;
  const fs::path top = program.parent_path().parent_path().parent_path();
  if (top / kBuilt == program && is_program(top / kBuiltMpi)) return top / kBuiltMpi;
  for (const fs::path& folder : {program.parent_path() / CDRGRIND_LIBEXEC_REL, fs::path(CDRGRIND_LIBEXEC_DIR)})
    if (is_program(folder / "cdrgrind-mpi")) return (folder / "cdrgrind-mpi").lexically_normal();
  return {};
}

void hand_over_to_mpi_program(const std::vector<std::string>& words) {
  const Launch launch = launch_of_environment();
  if (!launch.launcher) return;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const std::string program = find_mpi_program(self.string());
  if (program.empty() && launch.processes == 1) return;
  std::string why = "this cdrgrind was built without its program cdrgrind-mpi, which needs Open MPI when it is built";
  if (!program.empty()) {
    std::string name = "cdrgrind";
    std::vector<char*> argv = {name.data()};
    std::vector<std::string> kept = words;
    for (std::string& word : kept) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    why = program + " cannot be executed";
  }
  if (launch.rank != 0) _exit(kWrongUse);
  throw Failure(kWrongUse, std::string("mpi: ") + launch.launcher + " has started " + std::to_string(launch.processes) +
                               " processes, but " + why +
                               "; one process reads all files: 'cdrgrind mpi FILE...' without a launcher");
}

}  // namespace cdr::cli
