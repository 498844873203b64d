// SPDX-License-Identifier: GPL-2.0-or-later
// The options that commands share, in one table: a command names those that it has, and reads one struct.
#ifndef CDRGRIND_CLI_OPTIONS_H
#define CDRGRIND_CLI_OPTIONS_H

#include <string>
#include <vector>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/terminal.h"
#include "cdrgrind/report/common/report_scope.h"
#include "cdrgrind/report/common/style.h"
#include "cdrgrind/symbols/common/options.h"

namespace cdr::cli {

enum SharedOption : unsigned {
  kTraceArgument = 1,   // FILE, or the newest trace here
  kColorOption = 2,     // --color
  kSymbolOptions = 4,   // --path-map, -I, --debug-dir
  kFormatOption = 8,    // --format=text|json
  kProgramOption = 16,  // --program
  kScopeOption = 32,    // --scope, --function, --file
  kNamedTrace = 64,     // FILE, which must be there: it is written to
};

constexpr unsigned kScopeOptions = kProgramOption | kScopeOption;
constexpr const char* kScopeOptionNames[] = {"--scope", "--program", "--function", "--file"};

struct SharedOptions {
  std::string trace;
  ColorMode color = ColorMode::kAuto;
  bool json = false;
  symbols::SymbolOptions symbols;
  report::ScopeOptions scope;
};

// Adds those in `which`. `options` must live until the command line is parsed.
void add_shared_options(CommandLine& line, unsigned which, SharedOptions& options);

// -I and --debug-dir, which kSymbolOptions has, too.
void add_search_folders(CommandLine& line, symbols::SymbolOptions& options);

// An option that takes OLD=NEW, any number of times. `to` must live until the command line is parsed.
void add_path_map(CommandLine& line, const std::string& name, std::vector<symbols::PathMap>& to,
                  const std::string& help);

report::Style style_of_stdout(ColorMode mode);

// The values of a comma-separated list: "raw,war" as {"raw", "war"}.
std::vector<std::string> split_list(const std::string& list);

}  // namespace cdr::cli

#endif
