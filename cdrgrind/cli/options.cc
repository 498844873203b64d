// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/options.h"

#include <sstream>

namespace cdr::cli {

namespace {

void add_trace(CommandLine& line, SharedOptions& options) {
  line.add("FILE", options.trace, "the trace, as cdrgrind.out.71 [the newest here]; - is standard input");
}

void add_named_trace(CommandLine& line, SharedOptions& options) {
  line.add("FILE", options.trace, "the trace, as cdrgrind.out.71; - is standard input").required();
}

void add_color(CommandLine& line, SharedOptions& options) {
  line.add_choice("--color", options.color,
                  {{"auto", ColorMode::kAuto}, {"always", ColorMode::kAlways}, {"never", ColorMode::kNever}},
                  "colours: auto, always or never [auto]")
      .value("WHEN");
}

void add_symbol_options(CommandLine& line, SharedOptions& options) {
  add_path_map(line, "--path-map", options.symbols.path_maps,
               "the folder OLD of recorded paths (sources, programs, libraries) is NEW here; repeatable");
  add_search_folders(line, options.symbols);
}

void add_format(CommandLine& line, SharedOptions& options) {
  line.add_choice("--format", options.json, {{"text", false}, {"json", true}}, "text or json [text]").value("FORMAT");
}

void add_program(CommandLine& line, SharedOptions& options) {
  line.add_repeatable("--program", options.scope.program,
                      "modules that match GLOB are the program's, too, wherever they lie; repeatable")
      .value("GLOB");
}

void add_scope(CommandLine& line, SharedOptions& options) {
  line.add(
          "--scope", [&options](const std::string& word) { options.scope.all = word == "all"; },
          "program: leave out, and count, what is not done by the program or for it; all [text: program, other "
          "formats: all]")
      .value("WORD")
      .one_of({"all", "program"});
  line.add_repeatable("--function", options.scope.functions,
                      "only functions whose name matches the shell pattern; repeatable")
      .value("PATTERN");
  line.add_repeatable("--file", options.scope.files,
                      "only source files whose path, or its end, matches the shell pattern; repeatable")
      .value("PATTERN");
}

struct Row {
  SharedOption option;
  void (*add)(CommandLine&, SharedOptions&);
};
constexpr Row kTable[] = {
    {kTraceArgument, add_trace}, {kNamedTrace, add_named_trace},       {kFormatOption, add_format},
    {kColorOption, add_color},   {kSymbolOptions, add_symbol_options}, {kProgramOption, add_program},
    {kScopeOption, add_scope}};

}  // namespace

void add_shared_options(CommandLine& line, unsigned which, SharedOptions& options) {
  for (const Row& row : kTable)
    if (which & row.option) row.add(line, options);
}

void add_search_folders(CommandLine& line, symbols::SymbolOptions& options) {
  line.add_repeatable("-I", options.source_dirs, "look for sources and debug files in DIR; repeatable").value("DIR");
  line.add_repeatable("--debug-dir", options.debug_dirs,
                      "look for debug files and old binaries in DIR first; repeatable")
      .value("DIR");
}

void add_path_map(CommandLine& line, const std::string& name, std::vector<symbols::PathMap>& to,
                  const std::string& help) {
  const auto add = [&to](const std::string& map) {
    const size_t equals = map.find('=');
    if (equals == std::string::npos || equals == 0) throw WrongValue("OLD=NEW wanted");
    to.push_back({map.substr(0, equals), map.substr(equals + 1)});
  };
  line.add_repeatable(name, add, help).value("OLD=NEW");
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
