// SPDX-License-Identifier: GPL-2.0-or-later
// What main knows of the subcommands. A command of the common kind adds its options to the parser and
// returns what is to be run once they are parsed; `record` has the arguments of another program behind its
// own and parses them itself.
#ifndef CDRGRIND_CLI_COMMAND_H
#define CDRGRIND_CLI_COMMAND_H

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cdr::cli {

// Returns the exit status.
using Action = std::function<int()>;

Action add_annotate(CLI::App& app);
Action add_dump(CLI::App& app);
Action add_loops(CLI::App& app);
Action add_paths(CLI::App& app);
Action add_patterns(CLI::App& app);
Action add_races(CLI::App& app);
Action add_repack(CLI::App& app);
Action add_sharing(CLI::App& app);
Action add_stats(CLI::App& app);
Action add_sync(CLI::App& app);
Action add_verify(CLI::App& app);

// Does not return when the program is started.
int run_record(const std::vector<std::string>& arguments);

}  // namespace cdr::cli

#endif
