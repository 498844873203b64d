// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/zsh_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cdr::cli {

namespace {

constexpr const char* kZshHead = R"(#compdef cdrgrind
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of cdrgrind in zsh, as 'cdrgrind completion zsh' prints it.
)";

constexpr const char* kFunction = R"ZSH(
_cdrgrind() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C '(- *)'{-h,--help}'[print the help and exit]' '(- *)--version[print the version and exit]' \
    '1:command:_cdrgrind_commands' '*::argument:->arguments'
  if [[ $state == arguments ]]; then
    curcontext="${curcontext%:*}-$words[1]:"
    _cdrgrind_arguments $words[1]
  fi
}

_cdrgrind "$@"
)ZSH";

// For a text between single quotes, with a backslash before the characters in `special`.
std::string escaped(const std::string& text, const char* special) {
  std::string all;
  for (const char c : text) {
    if (c == '\'') {
      all += "'\\''";
      continue;
    }
    if (std::string_view(special).find(c) != std::string_view::npos) all += '\\';
    all += c;
  }
  return all;
}

std::string action_of(const OptionUsage& option) {
  if (!option.choices.empty())
    return fmt::format("{}{}{}", option.list ? "_sequence compadd - " : "(", fmt::join(option.choices, " "),
                       option.list ? "" : ")");
  if (option.value == "OLD=NEW") return "{compset -P \"*=\"; _files -/}";
  return option.is_file() ? "_files" : option.is_folder() ? "_files -/" : " ";
}

// The value of a recorder's option stands in the same word.
std::string as_offered(const OptionUsage& option, const std::string& name, bool same_word) {
  if (option.value.empty()) return name;
  if (!name.starts_with("--")) return name + "+";
  return name + (same_word ? "=-" : "=");
}

std::string spec_of(const OptionUsage& option, bool same_word) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(as_offered(option, name, same_word));
  const std::string before = option.repeatable ? "*" : fmt::format("({})", fmt::join(option.names, " "));
  const std::string value =
      option.value.empty() ? "" : fmt::format(":{}:{}", escaped(option.value, "\\:"), action_of(option));
  const std::string after = fmt::format("[{}]{}'", escaped(option.help, "\\[]:"), value);
  if (names.size() == 1) return fmt::format("'{}{}{}", before, names[0], after);
  return fmt::format("'{}'{{{}}}'{}", before, fmt::join(names, ","), after);
}

std::string arguments_of(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::kProgram:
      return "'(-)1:program: _command_names -e' '*::argument: _normal'";
    case ArgumentKind::kCommand:
      return "'1:command:_cdrgrind_commands'";
    case ArgumentKind::kFiles:
      break;
  }
  return "'*:file:_files'";
}

std::string case_of(const CommandUsage& command) {
  const bool program = command.arguments == ArgumentKind::kProgram;
  std::string text = fmt::format("    {})\n      _arguments {}", command.name, program ? "-S -A '-*'" : "-s -S");
  for (const OptionUsage& option : command.options) text += " \\\n        " + spec_of(option, program);
  return text + " \\\n        " + arguments_of(command.arguments) + "\n      ;;\n";
}

}  // namespace

std::string zsh_completion(const std::vector<CommandUsage>& commands) {
  std::string summaries, cases;
  for (const CommandUsage& command : commands) {
    summaries += fmt::format("    '{}:{}'\n", command.name, escaped(command.summary, "\\"));
    cases += case_of(command);
  }
  return fmt::format(
      "{}\n_cdrgrind_commands() {{\n  local -a commands=(\n{}  )\n  _describe command commands\n}}\n\n"
      "_cdrgrind_arguments() {{\n  case $1 in\n{}  esac\n}}\n{}",
      kZshHead, summaries, cases, kFunction);
}

}  // namespace cdr::cli
