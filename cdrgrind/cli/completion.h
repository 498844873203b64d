// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts by which shells complete the words of a command line: commands, options, what an option's value can be,
// files.
#ifndef CDRGRIND_CLI_COMPLETION_H
#define CDRGRIND_CLI_COMPLETION_H

#include <string>
#include <vector>

#include "cdrgrind/cli/command_line.h"

namespace cdr::cli {

// `cdrgrind completion bash|zsh`: the script for that shell, on standard output.
int print_completion(const CommandParser& parser, const std::vector<std::string>& arguments);

}  // namespace cdr::cli

#endif
