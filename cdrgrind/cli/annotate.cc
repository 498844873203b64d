// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind annotate`: the dependences of a trace by source lines.
#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/dependence_source.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/record_command.h"
#include "cdrgrind/report/annotate/annotate.h"

namespace cdr::cli {

namespace {

using analysis::DependenceRow;

struct AnnotateCommand {
  SharedOptions shared;
  analysis::RowFilter filter;
  std::vector<std::string> sources;
  std::vector<std::string> functions;
  bool from_trace = false;
  unsigned jobs = 0;
  unsigned context = 8;
};

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

void select_kinds(const std::string& list, analysis::RowFilter& filter) {
  static const std::map<std::string, depend::Kind> kinds = {
      {"raw", depend::Kind::kRaw}, {"war", depend::Kind::kWar}, {"waw", depend::Kind::kWaw}};
  filter.kinds.clear();
  for (const std::string& word : split_list(lower_case(list))) {
    if (!kinds.contains(word)) throw WrongValue(fmt::format("'{}' is not raw, war or waw", word));
    filter.kinds.insert(kinds.at(word));
  }
}

void select_classes(const std::string& list, analysis::RowFilter& filter) {
  const std::string all = "flors";
  filter.classes.clear();
  for (const std::string& word : split_list(list)) {
    filter.hidden |= word == "all";
    if (word == "all")
      filter.classes.insert(all.begin(), all.end());
    else if (word.size() == 1 && all.find(word) != std::string::npos)
      filter.classes.insert(word[0]);
    else
      throw WrongValue(fmt::format("'{}' is not s, r, o, f, l or all", word));
  }
}

void add_options(CommandLine& line, AnnotateCommand& command) {
  add_shared_options(line, kTraceArgument, command.shared);
  line.add_arguments("SOURCE", command.sources, "only these source files: paths, or their last parts");
  add_shared_options(line, kFormatOption | kColorOption | kSymbolOptions, command.shared);
  line.add(
          "--kind", [&command](const std::string& list) { select_kinds(list, command.filter); },
          "kinds shown, of raw, war, waw [all]")
      .value("LIST")
      .list_of({"raw", "war", "waw"});
  line.add(
          "--class", [&command](const std::string& list) { select_classes(list, command.filter); },
          "location classes shown: s stack, r recycled, o other, f false, l linkage; all also shows hidden functions "
          "[s,r,o]")
      .value("LIST")
      .list_of({"s", "r", "o", "f", "l", "all"});
  line.add_repeatable("--function", command.functions,
                      "only functions whose name matches the shell pattern; repeatable")
      .value("PATTERN");
  line.add_number("--threshold", command.filter.threshold, "only rows with a count of N or more")
      .value("N")
      .from_zero();
  line.add_number("--context", command.context, "lines shown around annotated ones [8]").value("N").from_zero();
  line.add_flag("--from-trace", command.from_trace, "compute the dependences from the events");
  add_jobs(line, command.jobs);
}

// `wanted` is the path, or its last components.
bool is_file(std::string_view path, const std::string& wanted) {
  if (path == wanted) return true;
  std::string_view tail = wanted;
  while (tail.starts_with("./")) tail.remove_prefix(2);
  return path.size() > tail.size() && path.ends_with(tail) && path[path.size() - tail.size() - 1] == '/';
}

// A pattern for "f(int)" may leave the parameters out.
bool is_function(std::string_view name, const std::string& pattern) {
  const std::string full(name), bare(name.substr(0, name.find('(')));
  return full == pattern || fnmatch(pattern.c_str(), full.c_str(), 0) == 0 ||
         fnmatch(pattern.c_str(), bare.c_str(), 0) == 0;
}

// Whether the row is in one of the files and functions asked for; notes which files had any.
class Selection {
 public:
  explicit Selection(const AnnotateCommand& command) : command_(command), met_(command.sources.size()) {}

  bool operator()(const DependenceRow& row) { return in_sources(row) && in_functions(row); }

  void warn_of_unmet() const {
    for (size_t i = 0; i < met_.size(); ++i)
      if (!met_[i]) warn(fmt::format("{}: no dependence has an end there", command_.sources[i]));
  }

 private:
  bool in_sources(const DependenceRow& row) {
    bool any = met_.empty();
    for (size_t i = 0; i < met_.size(); ++i) {
      const std::string& wanted = command_.sources[i];
      if (!is_file(row.source.at.file, wanted) && !is_file(row.target.at.file, wanted)) continue;
      any = met_[i] = true;
    }
    return any;
  }
  bool in_functions(const DependenceRow& row) const {
    const auto& functions = command_.functions;
    return functions.empty() || std::any_of(functions.begin(), functions.end(),
                                            [&](const std::string& f) { return is_function(row.ancestor, f); });
  }

  const AnnotateCommand& command_;
  std::vector<bool> met_;
};

void warn_of_limits(const depend::ResultTable& table) {
  if (table.stats().imprecise == 0) return;
  warn(fmt::format("the dependences are incomplete: {} accesses did not fit into --cdr-deps-memory",
                   report::with_separators(table.stats().imprecise)));
}

report::AnnotateOptions text_options(const trace::TraceFile& file, symbols::Symbols& symbols,
                                     const AnnotateCommand& command) {
  report::AnnotateOptions options;
  options.style = style_of_stdout(command.shared.color);
  options.context = command.context;
  options.chosen = !command.sources.empty() || !command.functions.empty();
  options.threshold = command.filter.threshold;
  options.program_path = program_path_of(file);
  options.trace = quoted_for_shell(file.name());
  options.header = header_of(file, symbols);
  if (const uint64_t gaps = file.end() ? file.end()->counter("gaps").value_or(0) : 0)
    options.header.emplace_back("Gaps",
                                fmt::format("{}, in which nothing was recorded", report::with_separators(gaps)));
  return options;
}

int run_annotate(AnnotateCommand& command) {
  const trace::TraceFile file = open_trace(command.shared.trace);
  const depend::ResultTable table =
      command.from_trace ? computed_dependences(file, command.jobs) : any_dependences(file, command.jobs);
  warn_of_limits(table);
  symbols::Symbols symbols = symbols_of(file, command.shared.symbols);
  report::SymbolNames names(file.modules(), symbols);
  Selection selection(command);
  command.filter.accept = std::ref(selection);
  const analysis::DependenceRows rows = analysis::rows_by_line(table.rows(), names, command.filter);
  selection.warn_of_unmet();
  report::Output out(STDOUT_FILENO);
  const report::BinaryNotes binaries = symbols.binaries();
  warn_of_binaries(binaries, command.shared.json ? "json" : "text");
  if (command.shared.json)
    report::write_dependences_json(rows.rows, program_of(file), out, binaries);
  else
    report::write_annotation(rows, names, text_options(file, symbols, command), out);
  out.flush();
  return kFine;
}

}  // namespace

Action add_annotate(CommandLine& line) {
  auto command = std::make_shared<AnnotateCommand>();
  add_options(line, *command);
  return [command] { return run_annotate(*command); };
}

}  // namespace cdr::cli
