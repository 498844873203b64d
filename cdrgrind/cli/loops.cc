// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind loops`: the loop nest of a sequence of symbols.
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/mpi_log.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/cli/symbol_input.h"
#include "cdrgrind/cli/trace_loops.h"
#include "cdrgrind/report/loops/loop_nest.h"

namespace cdr::cli {

namespace {

const std::string& path_of(const LoopsOptions& options) {
  return options.mpi_log.empty() ? options.symbols : options.mpi_log;
}

void check_combination(const CommandLine& line, const LoopsOptions& options) {
  const int inputs = !options.symbols.empty() + !options.mpi_log.empty() + !options.shared.trace.empty();
  const bool of_symbols = !options.symbols.empty() || !options.mpi_log.empty();
  if (inputs > 1)
    throw Failure(kWrongUse,
                  "one of a trace, --symbols=FILE and --mpi-log=FILE is wanted; try 'cdrgrind loops --help'");
  const auto for_traces = [&](const char* option) {
    if (of_symbols && line.given(option)) throw Failure(kWrongUse, fmt::format("{} is for traces", option));
  };
  for (const char* option : {"--of", "--thread"}) for_traces(option);
  for (const char* option : kScopeOptionNames) for_traces(option);
  if (!options.mpi_fields.empty() && options.mpi_log.empty()) throw Failure(kWrongUse, "--mpi-key is for --mpi-log");
  if (options.most && options.format != "json" && (of_symbols || options.format != "text"))
    throw Failure(kWrongUse, of_symbols ? "-n is for --format=json" : "-n is for --format=text and json");
  if (options.strict && options.algorithm == "greedy") throw Failure(kWrongUse, "--strict is for --algorithm=optimal");
}

analysis::SymbolSequence read_sequence(const LoopsOptions& options, const analysis::Progress& progress) {
  InputFile file(path_of(options));
  if (options.mpi_log.empty()) return read_symbols(file, progress);
  return read_mpi_log(file, {options.mpi_fields, warn}, progress);
}

void write_report(const LoopsOptions& options, const report::LoopReport& report) {
  report::Output out(STDOUT_FILENO);
  if (options.format == "nest")
    write_loop_line(report, out);
  else if (options.format == "json")
    write_loop_json(report, out);
  else if (options.format == "dot")
    write_loop_dot(report, out);
  else
    write_loop_text(report, style_of_stdout(options.shared.color), out);
  out.flush();
}

int run_symbol_loops(const LoopsOptions& options) {
  ProgressLine line;
  const StopWatch clock;
  const analysis::SymbolSequence sequence = read_sequence(options, line.progress());
  const double reading = clock.seconds();
  line.clear();
  CommandWatch watch(options.interrupt);
  const loops::LoopNest nest = find_loops(options, sequence.symbols, watch.watch());
  const double finding = clock.seconds() - reading;
  watch.clear();
  report::ScopeNote note;
  if (!nest.complete) note.missing.emplace_back("some loops");
  write_report(options, {path_of(options),
                         options.algorithm,
                         options.order,
                         options.strict,
                         reading,
                         finding,
                         sequence,
                         nest,
                         {},
                         {},
                         note,
                         options.most});
  return interrupted_status(note.missing);
}

int run_loops(const CommandLine& line, const LoopsOptions& options) {
  check_combination(line, options);
  return path_of(options).empty() ? run_trace_loops(options) : run_symbol_loops(options);
}

void add_word(CommandLine& line, const char* name, std::string& word, const char* help,
              const std::vector<std::string>& words) {
  line.add(name, word, help).value("WORD").one_of(words);
}

void add_mpi_key(CommandLine& line, LoopsOptions& options) {
  std::vector<std::string> words;
  for (const std::string& field : optional_mpi_fields()) words.push_back(fmt::format("+{}", field));
  line.add(
          "--mpi-key",
          [&options](const std::string& list) {
            const std::vector<std::string> known = optional_mpi_fields();
            for (std::string field : split_list(list)) {
              if (field.starts_with('+')) field.erase(0, 1);
              if (std::find(known.begin(), known.end(), field) == known.end())
                throw WrongValue(fmt::format("'{}' is none of +{}", field, fmt::join(known, ", +")));
              options.mpi_fields.push_back(field);
            }
          },
          "fields that count besides, as +tag,+request")
      .value("LIST")
      .list_of(words);
}

}  // namespace

Action add_loops(CommandLine& line) {
  auto options = std::make_shared<LoopsOptions>();
  line.add("FILE", options->shared.trace, "a trace, as cdrgrind.out.71 [the newest here]; - is standard input");
  add_word(line, "--of", options->of, "blocks, lines, calls, paths or sync [lines]",
           {"blocks", "lines", "calls", "paths", "sync"});
  line.add_number("--thread", options->thread, "one thread of the trace; main is 1 [all]").value("N").from_one();
  line.add("--symbols", options->symbols, "words between white space; - is standard input").value("FILE");
  line.add("--mpi-log", options->mpi_log, "a log of MPI calls; - is standard input").value("FILE");
  add_mpi_key(line, *options);
  add_word(line, "--algorithm", options->algorithm, "optimal or greedy [optimal]", {"optimal", "greedy"});
  add_word(line, "--order", options->order, "what goes first: the longest body, or span [body]", {"body", "span"});
  line.add_flag("--strict", options->strict, "loops as they stand in the sequence, or not at all");
  add_word(line, "--format", options->format, "text, nest, json or dot [text]", {"text", "nest", "json", "dot"});
  line.add_number("-n", options->most,
                  "write N items of each loop's body, and how many there are besides [10; json: all]")
      .value("N")
      .from_zero();
  add_shared_options(line, kColorOption | kSymbolOptions | kScopeOptions, options->shared);
  add_interrupt(line, options->interrupt);
  return [options, &line] { return run_loops(line, *options); };
}

}  // namespace cdr::cli
