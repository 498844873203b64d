// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <sstream>

#include "cdrgrind/config.h"

namespace cdr::cli {

CLI::Validator one_of(const std::vector<std::string>& words) {
  return CLI::Validator(
      [words](std::string& word) {
        if (std::find(words.begin(), words.end(), word) != words.end()) return std::string();
        return fmt::format("'{}' is none of {}", word, fmt::join(words, ", "));
      },
      "");
}

CLI::Validator from_one() {
  return CLI::Validator(
      [](std::string& word) {
        uint64_t number = 0;
        const bool digits = !word.empty() && word[0] >= '0' && word[0] <= '9';  // no sign
        if (digits && CLI::detail::lexical_cast(word, number) && number > 0) return std::string();
        return fmt::format("'{}' is none of the numbers from 1 on", word);
      },
      "");
}

namespace {

void add_trace(CLI::App& app, SharedOptions& options) {
  app.add_option("FILE", options.trace, "the trace, as cdrgrind.out.71; - is standard input")->required();
}

void add_color(CLI::App& app, SharedOptions& options) {
  static const std::map<std::string, ColorMode> modes = {
      {"auto", ColorMode::kAuto}, {"always", ColorMode::kAlways}, {"never", ColorMode::kNever}};
  app.add_option_function<std::string>(
         "--color", [&options](const std::string& word) { options.color = modes.at(word); },
         "colours: auto, always or never [auto]")
      ->type_name("WHEN")
      ->check(one_of({"auto", "always", "never"}));
}

void add_path_map(CLI::App& app, SharedOptions& options) {
  app.add_option_function<std::vector<std::string>>(
         "--path-map",
         [&options](const std::vector<std::string>& maps) {
           for (const std::string& map : maps) {
             const size_t equals = map.find('=');
             if (equals == std::string::npos || equals == 0) throw CLI::ValidationError("--path-map", "OLD=NEW wanted");
             options.symbols.path_maps.push_back({map.substr(0, equals), map.substr(equals + 1)});
           }
         },
         "the folder OLD of recorded paths (sources, programs, libraries) is NEW here; repeatable")
      ->type_name("OLD=NEW")
      ->type_size(1)
      ->allow_extra_args(false);
}

void add_symbols(CLI::App& app, SharedOptions& options) {
  add_path_map(app, options);
  app.add_option("-I", options.symbols.source_dirs, "look for sources and debug files in DIR; repeatable")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("--debug-dir", options.symbols.debug_dirs,
                 "look for debug files and old binaries in DIR first; repeatable")
      ->type_name("DIR")
      ->allow_extra_args(false);
}

void add_format(CLI::App& app, SharedOptions& options) {
  app.add_option_function<std::string>(
         "--format", [&options](const std::string& word) { options.json = word == "json"; }, "text or json [text]")
      ->type_name("FORMAT")
      ->check(one_of({"text", "json"}));
}

struct Row {
  SharedOption option;
  void (*add)(CLI::App&, SharedOptions&);
};
constexpr Row kTable[] = {
    {kTraceArgument, add_trace}, {kFormatOption, add_format}, {kColorOption, add_color}, {kSymbolOptions, add_symbols}};

}  // namespace

void add_shared_options(CLI::App& app, unsigned which, SharedOptions& options) {
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("--version", "cdrgrind " PACKAGE_VERSION, "print the version and exit");
  for (const Row& row : kTable)
    if (which & row.option) row.add(app, options);
}

report::Style style_of_stdout(ColorMode mode) {
  const Terminal terminal = terminal_of_stdout(mode);
  return {terminal.width, terminal.color, terminal.utf8};
}

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');)
    if (!word.empty()) words.push_back(word);
  return words;
}

}  // namespace cdr::cli
