// SPDX-License-Identifier: GPL-2.0-or-later
// The program cdrgrind-mpi: `cdrgrind mpi` of several processes, which share the files out. `cdrgrind mpi` becomes it
// under a launcher. Only the first process prints.
#include <signal.h>

#include <cstdio>
#include <string>
#include <vector>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/complaint.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/mpi_processes.h"
#include "cdrgrind/cli/mpi_share.h"
#include "cdrgrind/cli/rank_files.h"
#include "cdrgrind/cli/terminal.h"

namespace {

using namespace cdr::cli;

MpiProcesses* processes;
constexpr Command kCommands[] = {
    {"mpi", "show how the ranks of an MPI program communicated",
     [](CommandLine& line) { return add_shared_mpi(line, *processes); }},
};

// Started by a launcher of which this program's library knows nothing, each process is the first of one.
void check_launcher() {
  const Launch launch = launch_of_environment();
  if (processes->count() > 1 || launch.processes == 1) return;
  if (launch.rank != 0) throw FailedElsewhere();
  throw Failure(kWrongUse,
                "mpi: " + std::string(launch.launcher) + " has started " + std::to_string(launch.processes) +
                    " processes, but cdrgrind-mpi is linked with Open MPI, which knows nothing of them; start "
                    "it by Open MPI's mpirun");
}

int run(const std::vector<std::string>& words, bool& shared) {
  check_launcher();
  CommandParser parser(kCommands);
  Request request;
  try {
    request = parser.parse(words);
  } catch (const Failure& e) {
    if (processes->first()) throw;
    return e.status();
  }
  if (!request.action) {
    if (processes->first()) std::fputs(request.text.c_str(), stdout);
    return kFine;
  }
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  shared = true;
  return request.action();
}

}  // namespace

int main(int argc, char** argv) {
  MpiProcesses all(&argc, &argv);
  processes = &all;
  // Open MPI's launcher puts a terminal there, whatever it writes to itself.
  terminal_is(-1);
  bool shared = false, told = true;
  const int status = guarded({"mpi", {}, false}, [&] {
    try {
      const int result = run({argv + 1, argv + argc}, shared);
      told = false;
      return result;
    } catch (const FailedElsewhere&) {
      told = false;
      return static_cast<int>(kFine);
    }
  });
  if (told && shared && all.count() > 1 && !all.ends_together()) all.abort(status);
  return status;
}
