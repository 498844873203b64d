// SPDX-License-Identifier: GPL-2.0-or-later
// What a command takes, as its help says it: what completion in a shell is made of.
#ifndef CDRGRIND_CLI_COMMAND_USAGE_H
#define CDRGRIND_CLI_COMMAND_USAGE_H

#include <string>
#include <vector>

namespace cdr::cli {

struct OptionUsage {
  std::vector<std::string> names;  // with their dashes
  std::string help;
  std::string value;                 // what stands for the value; empty: it takes none
  std::vector<std::string> choices;  // all that the value can be, or nothing
  bool list = false;                 // of choices, with commas between
  bool repeatable = false;

  bool is_file() const { return value == "FILE" || value == "OUT" || value == "file"; }
  bool is_folder() const { return value == "DIR" || value == "OLD=NEW"; }
};

enum class ArgumentKind { kFiles, kProgram, kCommand };

struct CommandUsage {
  std::string name, summary;
  ArgumentKind arguments = ArgumentKind::kFiles;
  std::vector<OptionUsage> options;
};

}  // namespace cdr::cli

#endif
