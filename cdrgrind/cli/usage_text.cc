// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/usage_text.h"

#include <sstream>

namespace cdr::cli {

namespace {

constexpr size_t kIndent = 4;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

void set_value(OptionUsage& usage, const std::string& value) {
  if (value.starts_with('<') && value.ends_with('>')) {
    usage.value = value.substr(1, value.size() - 2);
    return;
  }
  usage.value = "word";
  usage.choices = split(value, '|');
}

void add_words(std::string& help, std::istream& words) {
  for (std::string word; words >> word;) help += (help.empty() ? "" : " ") + word;
}

OptionUsage option_in(const std::string& line) {
  OptionUsage usage;
  std::istringstream words(line);
  for (std::string word; (words >> std::ws).peek() == '-' && words >> word;) {
    const size_t equals = word.find('=');
    usage.names.push_back(word.substr(0, equals));
    if (equals != std::string::npos) set_value(usage, word.substr(equals + 1));
  }
  add_words(usage.help, words);
  return usage;
}

}  // namespace

std::vector<OptionUsage> options_in(const std::string& help) {
  std::vector<OptionUsage> options;
  bool open = false;  // the last line was an option's
  for (const std::string& line : split(help, '\n')) {
    const size_t indent = line.find_first_not_of(' ');
    if (indent == kIndent && line[indent] == '-') {
      options.push_back(option_in(line));
      open = true;
    } else if (open && indent != std::string::npos && indent > kIndent) {
      std::istringstream words(line);
      add_words(options.back().help, words);
    } else {
      open = false;
    }
  }
  for (OptionUsage& option : options) option.repeatable = option.help.find("repeatable") != std::string::npos;
  return options;
}

}  // namespace cdr::cli
