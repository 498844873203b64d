// SPDX-License-Identifier: GPL-2.0-or-later
// What main knows of the subcommands. A command of the common kind adds its options to the parser and
// returns what is to be run once they are parsed; `record` has the arguments of another program behind its
// own and parses them itself, and `help` becomes another line.
#ifndef CDRGRIND_CLI_COMMAND_H
#define CDRGRIND_CLI_COMMAND_H

#include <functional>
#include <string>
#include <vector>

namespace cdr::cli {

class CommandLine;

// Returns the exit status.
using Action = std::function<int()>;

Action add_advise(CommandLine& line);
Action add_annotate(CommandLine& line);
Action add_diff(CommandLine& line);
Action add_dump(CommandLine& line);
Action add_export(CommandLine& line);
Action add_loops(CommandLine& line);
Action add_mpi(CommandLine& line);
Action add_pack(CommandLine& line);
Action add_paths(CommandLine& line);
Action add_patterns(CommandLine& line);
Action add_races(CommandLine& line);
Action add_repack(CommandLine& line);
Action add_report(CommandLine& line);
Action add_sharing(CommandLine& line);
Action add_stats(CommandLine& line);
Action add_sync(CommandLine& line);
Action add_verify(CommandLine& line);

std::string record_help();
// Does not return when the program is started.
int run_record(const std::vector<std::string>& arguments);

}  // namespace cdr::cli

#endif
