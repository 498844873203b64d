// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/bash_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cdr::cli {

namespace {

constexpr const char* kBashHead = R"(# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Completion of cdrgrind in bash, as 'cdrgrind completion bash' prints it.
)";

// The tables above it set `commands`, `options` and `value`.
constexpr const char* kFunctions = R"BASH(
_cdrgrind_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

_cdrgrind_files() {
  compopt -o filenames 2>/dev/null || :
  mapfile -t COMPREPLY < <(compgen "$@" -- "$current")
}

# What the option takes: `current` is what there is of it.
_cdrgrind_complete_value() {
  local before=
  case $value in
    words*) _cdrgrind_words "${value#words}" ;;
    list*)
      before=${current%"${current##*,}"}
      current=${current#"$before"}
      _cdrgrind_words "${value#list}"
      COMPREPLY=("${COMPREPLY[@]/#/$before}")
      ;;
    file) _cdrgrind_files -f ;;
    folder) _cdrgrind_files -d ;;
  esac
}

_cdrgrind_complete_option() {
  _cdrgrind_words "$options"
  [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null || :
}

# The program to be recorded, and its own arguments.
_cdrgrind_complete_program() {
  local place=2
  while ((place < COMP_CWORD)) && [[ ${COMP_WORDS[place]} == [-=]* || ${COMP_WORDS[place - 1]} == = ]]; do
    [[ ${COMP_WORDS[place++]} != -- ]] || break
  done
  if ((place == COMP_CWORD)) && [[ ${COMP_WORDS[place - 1]} == -- || $current != -* ]]; then
    _cdrgrind_files -c
    [[ $current != */* ]] || _cdrgrind_files -f
  elif ((place == COMP_CWORD)); then
    _cdrgrind_complete_option
  elif declare -F _comp_command_offset >/dev/null; then
    _comp_command_offset "$place"
  elif declare -F _command_offset >/dev/null; then
    _command_offset "$place"
  else
    _cdrgrind_files -f
  fi
}

_cdrgrind() {
  local command=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]} commands options value option='' reply=''
  COMPREPLY=()
  _cdrgrind_tables "$command"
  if ((COMP_CWORD == 1)); then
    _cdrgrind_words "$commands"
    return
  fi
  # Where a word with = in it is more than one word: `place` is the first.
  local place=$COMP_CWORD
  if [[ $current == = ]]; then
    current=''
    ((place -= 1))
  fi
  while ((place > 2)) && [[ ${COMP_WORDS[place - 1]} == = ]]; do ((place -= 2)); done
  if [[ ${COMP_WORDS[place]} == -*=* ]]; then
    option=${COMP_WORDS[place]%%=*} reply=$option=
    current=${current#"$reply"}
  elif ((place < COMP_CWORD)) && [[ ${COMP_WORDS[place]} == -* ]]; then
    option=${COMP_WORDS[place]}
  elif [[ $current != -* && $command != record ]]; then
    option=${COMP_WORDS[place - 1]}
  fi
  _cdrgrind_tables "$command" "$option"
  if [[ -n $value ]]; then
    _cdrgrind_complete_value
    COMPREPLY=("${COMPREPLY[@]/#/$reply}")
  elif [[ $command == help ]]; then
    _cdrgrind_words "$commands"
  elif [[ $command == record ]]; then
    _cdrgrind_complete_program
  elif [[ $current == -* ]]; then
    _cdrgrind_complete_option
  else
    _cdrgrind_files -f
  fi
}

complete -F _cdrgrind cdrgrind
)BASH";

std::string value_of(const OptionUsage& option) {
  if (!option.choices.empty())
    return fmt::format("{} {}", option.list ? "list" : "words", fmt::join(option.choices, " "));
  return option.is_file() ? "file" : option.is_folder() ? "folder" : "other";
}

// With = where a value may follow it.
std::string as_offered(const OptionUsage& option, const std::string& name) {
  return name + (!option.value.empty() && name.starts_with("--") ? "=" : "");
}

std::string table_of(const CommandUsage& command) {
  std::vector<std::string> names, values;
  for (const OptionUsage& option : command.options) {
    for (const std::string& name : option.names) names.push_back(as_offered(option, name));
    if (!option.value.empty())
      values.push_back(fmt::format("        {}) value='{}' ;;\n", fmt::join(option.names, " | "), value_of(option)));
  }
  std::string text = fmt::format("    {})\n      options='{}'\n", command.name, fmt::join(names, " "));
  if (!values.empty()) text += fmt::format("      case ${{2:-}} in\n{}      esac\n", fmt::join(values, ""));
  return text + "      ;;\n";
}

}  // namespace

std::string bash_completion(const std::vector<CommandUsage>& commands) {
  std::vector<std::string> names;
  std::string tables;
  for (const CommandUsage& command : commands) {
    names.push_back(command.name);
    tables += table_of(command);
  }
  return fmt::format(
      "{}\n# What command $1 takes, and what can be the value of its option $2.\n_cdrgrind_tables() {{\n"
      "  commands='{} -h --help --version' options='' value=''\n  case $1 in\n{}  esac\n}}\n{}",
      kBashHead, fmt::join(names, " "), tables, kFunctions);
}

}  // namespace cdr::cli
