// SPDX-License-Identifier: GPL-2.0-or-later
// Completion in bash.
#ifndef CDRGRIND_CLI_BASH_COMPLETION_H
#define CDRGRIND_CLI_BASH_COMPLETION_H

#include <string>
#include <vector>

#include "cdrgrind/cli/command_usage.h"

namespace cdr::cli {

std::string bash_completion(const std::vector<CommandUsage>& commands);

}  // namespace cdr::cli

#endif
