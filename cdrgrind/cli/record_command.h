// SPDX-License-Identifier: GPL-2.0-or-later
// The arguments of `cdrgrind record`, and the command that they become.
#ifndef CDRGRIND_CLI_RECORD_COMMAND_H
#define CDRGRIND_CLI_RECORD_COMMAND_H

#include <string>
#include <vector>

namespace cdr::cli {

struct RecordArguments {
  bool help = false;
  bool version = false;
  bool print_command = false;
  std::vector<std::string> options;  // Valgrind's and the tool's, as given
  bool dashes = false;               // "--" stood before the program
  std::vector<std::string> program;  // and its arguments
};

// Throws with status 2 when no program is named.
RecordArguments parse_record(const std::vector<std::string>& arguments);

// argv of Valgrind.
std::vector<std::string> valgrind_command(const std::string& valgrind, const RecordArguments& arguments);

// A word as a shell reads it back.
std::string quoted_for_shell(const std::string& word);

// A line that a shell reads back as these words, with the variable in front.
std::string as_shell_line(const std::string& variable, const std::string& value, const std::vector<std::string>& words);

}  // namespace cdr::cli

#endif
