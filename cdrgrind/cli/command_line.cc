// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include "cdrgrind/cli/did_you_mean.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/config.h"

namespace cdr::cli {
namespace {

CLI::Validator validator(std::function<std::string(const std::string&)> wrong) {
  return CLI::Validator([wrong = std::move(wrong)](std::string& word) { return wrong(word); }, "");
}

std::string no_number_from(int least, const std::string& word) {
  const auto number = number_of(word);
  if (number && *number >= static_cast<uint64_t>(least)) return "";
  return fmt::format("'{}' is none of the numbers from {} on", word, least);
}

// A value that is refused is told with the option.
template <class Take, class Value>
void give(const std::string& name, const Take& take, const Value& value) {
  try {
    take(value);
  } catch (const WrongValue& e) {
    throw CLI::ValidationError(name, e.what());
  }
}

void add_common_flags(CLI::App& app) {
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("--version", "cdrgrind " PACKAGE_VERSION, "print the version and exit");
}

}  // namespace

std::optional<uint64_t> number_of(std::string_view word) {
  uint64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  if (stop != end || error != std::errc()) return std::nullopt;
  return number;
}

// --- one option ---

Option& Option::value(const std::string& name) { return option_->type_name(name), *this; }

Option& Option::one_of(const std::vector<std::string>& words) {
  choices_ = {words, false};
  return checked([words](const std::string& word) {
    if (std::find(words.begin(), words.end(), word) != words.end()) return std::string();
    return fmt::format("'{}' is none of {}", word, fmt::join(words, ", "));
  });
}

Option& Option::list_of(const std::vector<std::string>& words) { return choices_ = {words, true}, *this; }

Option& Option::from_zero() {
  return checked([](const std::string& word) { return no_number_from(0, word); });
}

Option& Option::from_one() {
  return checked([](const std::string& word) { return no_number_from(1, word); });
}

Option& Option::between(int least, int greatest) {
  option_->check(CLI::Range(least, greatest).description(""));
  return *this;
}

Option& Option::checked(std::function<std::string(const std::string&)> wrong) {
  return option_->check(validator(std::move(wrong))), *this;
}

Option& Option::required() { return option_->required(), *this; }

Option& Option::excludes(const std::string& other) { return option_->excludes(other), *this; }

Option& Option::hidden() { return option_->group(""), *this; }

// --- those of a command ---

CommandLine::CommandLine(CLI::App& app) : app_(app) { add_common_flags(app); }

Option CommandLine::add(const std::string& name, Taker take, const std::string& help) {
  return option_of(app_.add_option_function<std::string>(
      name, [name, take = std::move(take)](const std::string& word) { give(name, take, word); }, help));
}

Option CommandLine::add(const std::string& name, std::string& to, const std::string& help) {
  return add(
      name, [&to](const std::string& word) { to = word; }, help);
}

Option CommandLine::add_repeatable(const std::string& name, Taker take, const std::string& help) {
  return option_of(app_.add_option_function<std::vector<std::string>>(
                           name,
                           [name, take = std::move(take)](const std::vector<std::string>& words) {
                             for (const std::string& word : words) give(name, take, word);
                           },
                           help)
                       ->type_size(1)
                       ->allow_extra_args(false));
}

Option CommandLine::add_repeatable(const std::string& name, std::vector<std::string>& to, const std::string& help) {
  return add_repeatable(
      name, [&to](const std::string& word) { to.push_back(word); }, help);
}

Option CommandLine::add_integer(const std::string& name, uint64_t most, std::function<void(uint64_t)> take,
                                const std::string& help) {
  return add(
      name,
      [most, take = std::move(take)](const std::string& word) {
        const auto number = number_of(word);
        if (!number || *number > most) throw WrongValue(fmt::format("'{}' is no number up to {}", word, most));
        take(*number);
      },
      help);
}

Option CommandLine::add_flag(const std::string& name, bool& to, const std::string& help) {
  return option_of(app_.add_flag(name, to, help));
}

Option CommandLine::add_flag(const std::string& name, std::string& to, const std::string& help) {
  return option_of(app_.add_flag(name, to, help));
}

Option CommandLine::add_arguments(const std::string& name, std::vector<std::string>& to, const std::string& help) {
  return option_of(app_.add_option(name, to, help));
}

bool CommandLine::given(const std::string& name) const { return app_.count(name) > 0; }

std::string CommandLine::first_argument() const {
  for (const CLI::Option* o : std::as_const(app_).get_options())
    if (o->get_positional() && o->count() > 0) return o->results().front();
  return "";
}

std::vector<OptionUsage> CommandLine::options() const {
  std::vector<OptionUsage> usages;
  for (const CLI::Option* o : std::as_const(app_).get_options()) {
    if (o->get_positional() || o->get_group().empty()) continue;
    OptionUsage& usage = usages.emplace_back();
    for (const std::string& name : o->get_snames()) usage.names.push_back("-" + name);
    for (const std::string& name : o->get_lnames()) usage.names.push_back("--" + name);
    usage.help = o->get_description();
    usage.repeatable = o->get_expected_max() == CLI::detail::expected_max_vector_size;
    if (o->get_type_size() != 0) usage.value = o->get_type_name();
    if (const auto known = choices_.find(o); known != choices_.end()) {
      usage.choices = known->second.words;
      usage.list = known->second.list;
    }
  }
  return usages;
}

// --- all commands ---

CommandParser::CommandParser(std::span<const Command> commands)
    : commands_(commands),
      app_(
          std::make_unique<CLI::App>("Record a program's complete execution once, then ask it anything.", "cdrgrind")) {
  add_common_flags(*app_);
  app_->footer(
      "'cdrgrind COMMAND --help' lists a command's options, 'cdrgrind help COMMAND' shows its manual page.\n"
      "On a terminal reports go through $CDRGRIND_PAGER, $PAGER or less; --no-pager does without.");
  app_->require_subcommand(1);
  lines_.reserve(commands.size());
  for (const Command& command : commands) {
    CLI::App* const sub = app_->add_subcommand(command.name, command.summary);
    if (!command.add) continue;
    CommandLine& line = lines_.emplace_back(*sub);
    sub->final_callback([this, &line, action = command.add(line)] {
      request_.action = action;
      request_.first_file = line.first_argument();
    });
  }
}

CommandParser::~CommandParser() = default;

// Of the first option that the command does not have.
std::string CommandParser::meant_by(const std::vector<std::string>& words) const {
  for (const CommandUsage& usage : usages()) {
    if (words.empty() || usage.name != words[0]) continue;
    std::vector<std::string> known = {"--help"};
    for (const OptionUsage& o : usage.options) known.insert(known.end(), o.names.begin(), o.names.end());
    for (const std::string& word : words) {
      const std::string name = word.substr(0, word.find('='));
      if (name == "--") break;
      if (name.starts_with("--") && std::find(known.begin(), known.end(), name) == known.end())
        return did_you_mean(name, known);
    }
  }
  return {};
}

Request CommandParser::parse(const std::vector<std::string>& words) {
  request_ = {};
  try {
    app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) {
      const std::string command = !words.empty() && is_command(words[0]) ? words[0] + " " : "";
      throw Failure(kWrongUse, e.what() + meant_by(words) + "; try 'cdrgrind " + command + "--help'");
    }
    std::ostringstream out, err;
    app_->exit(e, out, err);
    return {nullptr, out.str(), ""};
  }
  return request_;
}

bool CommandParser::is_command(const std::string& word) const {
  return std::any_of(commands_.begin(), commands_.end(), [&](const Command& c) { return word == c.name; });
}

std::vector<CommandUsage> CommandParser::usages() const {
  std::vector<CommandUsage> usages;
  auto line = lines_.begin();
  for (const Command& command : commands_) {
    CommandUsage& usage = usages.emplace_back();
    usage.name = command.name;
    usage.summary = command.summary;
    if (command.add) usage.options = line++->options();
  }
  return usages;
}

}  // namespace cdr::cli
