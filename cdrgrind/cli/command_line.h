// SPDX-License-Identifier: GPL-2.0-or-later
// The words of a command line, told apart by CLI11. Its templates take long to compile: they stand in command_line.cc
// alone.
#ifndef CDRGRIND_CLI_COMMAND_LINE_H
#define CDRGRIND_CLI_COMMAND_LINE_H

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cdrgrind/cli/command.h"
#include "cdrgrind/cli/command_usage.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cdr::cli {

// Thrown by what takes a value, and told with the option's name.
struct WrongValue : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Digits alone: no sign.
std::optional<uint64_t> number_of(std::string_view word);

// The words that a value can be, where that is known.
struct Choices {
  std::vector<std::string> words;
  bool list = false;  // of them, with commas between
};

class Option {
 public:
  // Both must live as long as the command line.
  Option(CLI::Option* option, Choices& choices) : option_(option), choices_(choices) {}

  // What stands for the value in the help.
  Option& value(const std::string& name);
  // Other values are refused, in words.
  Option& one_of(const std::vector<std::string>& words);
  // A list of these, with commas between. What takes it refuses others.
  Option& list_of(const std::vector<std::string>& words);
  Option& from_zero();
  Option& from_one();
  Option& between(int least, int greatest);
  // What is wrong with a value, or nothing.
  Option& checked(std::function<std::string(const std::string&)> wrong);
  Option& required();
  Option& excludes(const std::string& other);
  // Not in the help: for tests.
  Option& hidden();

 private:
  CLI::Option* option_;
  Choices& choices_;
};

// The options of one command. What they are read into must live until the command has run. Names are as "-o,--output";
// without a dash it is an argument.
class CommandLine {
 public:
  using Taker = std::function<void(const std::string&)>;  // may throw WrongValue

  explicit CommandLine(CLI::App& app);

  Option add(const std::string& name, Taker take, const std::string& help);
  Option add(const std::string& name, std::string& to, const std::string& help);
  // One of the words, each of which stands for a value.
  template <class T>
  Option add_choice(const std::string& name, T& to, std::vector<std::pair<std::string, T>> choices,
                    const std::string& help) {
    std::vector<std::string> words;
    for (const auto& [word, value] : choices) words.push_back(word);
    Option option = add(
        name,
        [choices = std::move(choices), &to](const std::string& chosen) {
          for (const auto& [word, value] : choices)
            if (word == chosen) to = value;
        },
        help);
    return option.one_of(words);
  }
  // Each time one value.
  Option add_repeatable(const std::string& name, Taker take, const std::string& help);
  Option add_repeatable(const std::string& name, std::vector<std::string>& to, const std::string& help);
  template <class T>
  Option add_number(const std::string& name, T& to, const std::string& help) {
    return add_integer(
        name, std::numeric_limits<T>::max(), [&to](uint64_t n) { to = static_cast<T>(n); }, help);
  }
  template <class T>
  Option add_number(const std::string& name, std::optional<T>& to, const std::string& help) {
    return add_integer(
        name, std::numeric_limits<T>::max(), [&to](uint64_t n) { to = static_cast<T>(n); }, help);
  }
  Option add_flag(const std::string& name, bool& to, const std::string& help);
  // "--name{word}": without a value it is `word`.
  Option add_flag(const std::string& name, std::string& to, const std::string& help);
  // All arguments that are left.
  Option add_arguments(const std::string& name, std::vector<std::string>& to, const std::string& help);

  bool given(const std::string& name) const;
  // The first argument, if any.
  std::string first_argument() const;

  // Those that the help shows.
  std::vector<OptionUsage> options() const;

 private:
  Option option_of(CLI::Option* option) { return {option, choices_[option]}; }
  Option add_integer(const std::string& name, uint64_t most, std::function<void(uint64_t)> take,
                     const std::string& help);

  CLI::App& app_;
  std::map<const CLI::Option*, Choices> choices_;
};

struct Command {
  const char* name;
  const char* summary;
  Action (*add)(CommandLine&);  // null: it parses its own arguments
};

// What a line asks for.
struct Request {
  Action action;           // none: the text is all
  std::string text;        // help, or the version
  std::string first_file;  // the first argument
};

class CommandParser {
 public:
  explicit CommandParser(std::span<const Command> commands);
  ~CommandParser();

  // `words` without the program's name. Failure with kWrongUse. The request may be run while the parser lives.
  Request parse(const std::vector<std::string>& words);
  bool is_command(const std::string& word) const;
  // All commands; without options where one parses its own.
  std::vector<CommandUsage> usages() const;

 private:
  std::string meant_by(const std::vector<std::string>& words) const;

  std::span<const Command> commands_;
  std::unique_ptr<CLI::App> app_;
  std::vector<CommandLine> lines_;
  Request request_;
};

}  // namespace cdr::cli

#endif
