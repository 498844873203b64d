// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/record_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/cli/failure.h"
#include "cdrgrind/report/common/escape.h"

namespace cdr::cli {

namespace {

bool is_or_begins(const std::string& word, const std::string& option) {
  return word == option || word.compare(0, option.size() + 1, option + "=") == 0;
}

}  // namespace

RecordArguments parse_record(const std::vector<std::string>& arguments) {
  RecordArguments parsed;
  auto word = arguments.begin();
  for (; word != arguments.end() && !word->empty() && word->front() == '-'; ++word) {
    if (*word == "--") {
      parsed.dashes = true;
      ++word;
      break;
    }
    if (*word == "-h" || *word == "--help")
      parsed.help = true;
    else if (*word == "--version")
      parsed.version = true;
    else if (*word == "--print-command")
      parsed.print_command = true;
    else if (is_or_begins(*word, "--tool") && *word != "--tool=cdrgrind")
      throw Failure(kWrongUse, fmt::format("record: {}: the tool is cdrgrind", *word));
    else if (*word != "--tool=cdrgrind")
      parsed.options.push_back(*word);
  }
  parsed.program.assign(word, arguments.end());
  if (parsed.program.empty() && !parsed.help && !parsed.version)
    throw Failure(kWrongUse, "record: no program named; try 'cdrgrind record ./prog'");
  return parsed;
}

std::vector<std::string> valgrind_command(const std::string& valgrind, const RecordArguments& arguments) {
  std::vector<std::string> command = {valgrind, "--tool=cdrgrind"};
  const auto& options = arguments.options;
  const bool vgdb =
      std::any_of(options.begin(), options.end(), [](const auto& o) { return is_or_begins(o, "--vgdb"); });
  if (!vgdb) command.push_back("--vgdb=no");
  command.insert(command.end(), options.begin(), options.end());
  if (arguments.dashes) command.push_back("--");
  command.insert(command.end(), arguments.program.begin(), arguments.program.end());
  return command;
}

std::string quoted_for_shell(const std::string& word) { return report::shell_word(word); }

std::string as_shell_line(const std::string& variable, const std::string& value,
                          const std::vector<std::string>& words) {
  std::string line = variable + "=" + quoted_for_shell(value);
  for (const std::string& word : words) line += " " + quoted_for_shell(word);
  return line;
}

}  // namespace cdr::cli
