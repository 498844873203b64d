// SPDX-License-Identifier: GPL-2.0-or-later
// Options read out of a help text in Valgrind's form: lines as "    --name=<value>   what it means", whose text may go
// on in lines that are indented further.
#ifndef CDRGRIND_CLI_USAGE_TEXT_H
#define CDRGRIND_CLI_USAGE_TEXT_H

#include <string>
#include <vector>

#include "cdrgrind/cli/command_usage.h"

namespace cdr::cli {

// "<file>" is a value, "yes|no" are choices.
std::vector<OptionUsage> options_in(const std::string& help);

}  // namespace cdr::cli

#endif
