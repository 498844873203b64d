// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind paths`: the hottest cyclic paths of a run; with --strata, its strata.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "cdrgrind/analysis/paths/block_reader.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/report_head.h"
#include "cdrgrind/cli/strata.h"
#include "cdrgrind/report/paths/hot_paths.h"

namespace cdr::cli {

namespace {

struct PathsCommand {
  SharedOptions shared;
  std::string format = "text";
  std::optional<size_t> most;
  uint32_t thread = 0;
  bool by_thread = false;
  bool strata = false;
  StrataCommand strata_options;
  std::string interrupt;
};

void add_hot_options(CommandLine& line, PathsCommand& command) {
  line.add_number("-n", command.most, "show N paths; 0 is all [10, callgrind: all]").value("N").from_zero();
  line.add_number("--thread", command.thread, "one thread's paths; main is 1").value("N").from_one();
  line.add_flag("--by-thread", command.by_thread, "a path is shown for each thread, not for all together");
  line.add("--format", command.format, "text, json or callgrind [text]")
      .value("FORMAT")
      .one_of({"text", "json", "callgrind"});
}

void add_strata_options(CommandLine& line, PathsCommand& command) {
  line.add_flag("--strata", command.strata, "cycles of paths, cycles of these, and so on");
  line.add_number("--layers", command.strata_options.layers, "layers of strata above layer 0 [0]")
      .value("N")
      .between(0, 16);
  line.add_number("--memory", command.strata_options.memory_mb, "of the tables, in MB [96]").value("MB").from_one();
  line.add("--paths-svg", command.strata_options.paths_svg, "length of paths against executions, as SVG").value("FILE");
  line.add("--strata-svg", command.strata_options.strata_svg, "length of strata of layer 0 against executions")
      .value("FILE");
}

void check_combination(const CommandLine& line, const PathsCommand& command) {
  for (const char* option : {"--layers", "--memory", "--paths-svg", "--strata-svg"})
    if (!command.strata && line.given(option)) throw Failure(kWrongUse, fmt::format("{} is for --strata", option));
  const auto not_for_strata = [&](const char* option) {
    if (command.strata && line.given(option)) throw Failure(kWrongUse, fmt::format("{} is not for --strata", option));
  };
  for (const char* option : {"-n", "--by-thread"}) not_for_strata(option);
  for (const char* option : kScopeOptionNames) not_for_strata(option);
  if (command.strata && command.format == "callgrind")
    throw Failure(kWrongUse, "--format=callgrind is not for --strata");
}

size_t rows(const PathsCommand& command) {
  const size_t most = command.most.value_or(command.format == "callgrind" ? 0 : 10);
  return most == 0 ? SIZE_MAX : most;
}

void read_blocks(const PathsCommand& command, const trace::TraceFile& file, bool all, report::SymbolNames& names,
                 paths::BasicBlocks& blocks, paths::PathProfile& profile, analysis::WatchedPart& watched) {
  const ThreadId thread(command.thread);
  if (all) return paths::read_basic_blocks(file, thread, blocks, nullptr, profile, watched);
  const report::ProgramScope scope(file.modules(), command.shared.scope.program);
  const analysis::CodeOwners owners = report::code_owners(file.blocks(), scope, names);
  analysis::ProgramPart part(file.blocks(), file.modules(), owners);
  paths::read_basic_blocks(file, thread, blocks, &part, profile, watched);
}

// Those with a block that begins in one of the files and functions asked for.
std::vector<paths::HotPath> shown_paths(const PathsCommand& command, const paths::PathProfile& profile,
                                        const paths::BasicBlocks& blocks, report::SymbolNames& names) {
  const report::ScopeOptions& scope = command.shared.scope;
  if (!scope.narrows()) return profile.hottest(rows(command), command.by_thread);
  std::vector<paths::HotPath> paths = profile.hottest(SIZE_MAX, command.by_thread);
  std::erase_if(paths, [&](const paths::HotPath& p) {
    return std::none_of(p.blocks.begin(), p.blocks.end(), [&](uint32_t block) {
      const CodeAddr at = {blocks.superblock(block).module, blocks.superblock(block).addr};
      return scope.has(names.line_of(at).file, names.function_of(at));
    });
  });
  if (paths.size() > rows(command)) paths.resize(rows(command));
  return paths;
}

int run_hot(PathsCommand& command, const trace::TraceFile& file) {
  paths::BasicBlocks blocks(file.blocks());
  paths::PathProfile profile(blocks);
  symbols::Symbols symbols = symbols_of(file, command.shared.symbols);
  report::SymbolNames names(file.modules(), symbols);
  const report::ScopeOptions& scope = command.shared.scope;
  report::ScopeNote note = note_of(scope, scope.all_modules(command.format != "text"));
  CommandWatch watch(command.interrupt);
  analysis::WatchedPart watched(watch.watch(), "paths", file.event_count(), kEventsBetween);
  read_blocks(command, file, note.all, names, blocks, profile, watched);
  watch.clear();
  if (watched.ended()) note.missing.push_back(only_first(*watched.end(), file.event_count()));
  note.left_out = profile.left_out();
  const std::vector<paths::HotPath> paths = shown_paths(command, profile, blocks, names);
  const report::HotPathReport report{head_of(file, symbols, command.shared.color, command.format),
                                     profile,
                                     blocks,
                                     file.modules(),
                                     paths,
                                     command_line_of(file),
                                     note};
  report::Output out(STDOUT_FILENO);
  if (command.format == "json") {
    write_hot_paths_json(report, names, out);
  } else if (command.format == "callgrind") {
    write_hot_paths_callgrind(report, names, out);
  } else {
    write_hot_paths(report, names, out);
  }
  out.flush();
  return interrupted_status(note.missing);
}

int run_paths(const CommandLine& line, PathsCommand& command) {
  check_combination(line, command);
  const trace::TraceFile file = open_trace(command.shared.trace);
  require_thread(file, command.thread);
  if (!command.strata) return run_hot(command, file);
  command.strata_options.thread = command.thread;
  command.strata_options.json = command.format == "json";
  command.strata_options.interrupt = command.interrupt;
  return run_strata(command.strata_options, file, style_of_stdout(command.shared.color));
}

}  // namespace

Action add_paths(CommandLine& line) {
  auto command = std::make_shared<PathsCommand>();
  add_shared_options(line, kTraceArgument, command->shared);
  add_hot_options(line, *command);
  add_strata_options(line, *command);
  add_shared_options(line, kColorOption | kSymbolOptions | kScopeOptions, command->shared);
  add_interrupt(line, command->interrupt);
  return [command, &line] { return run_paths(line, *command); };
}

}  // namespace cdr::cli
