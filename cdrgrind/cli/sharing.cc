// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind sharing`: what threads share, and what only their caches do.
#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <limits>
#include <optional>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/report_head.h"
#include "cdrgrind/report/sharing/sharing_report.h"

namespace cdr::cli {

namespace {

struct SharingCommand {
  SharedOptions shared;
  sharing::SharingOptions options;
  std::optional<uint64_t> most;
  std::string interrupt;
};

void add_options(CommandLine& line, SharingCommand& command) {
  add_shared_options(line, kTraceArgument | kFormatOption | kColorOption | kSymbolOptions | kScopeOptions,
                     command.shared);
  line.add_number("--line-size", command.options.line_size, "bytes of a line, 8 to 256 [64]")
      .value("BYTES")
      .checked([](const std::string& word) {
        for (uint32_t size = 8; size <= sharing::kLargestLine; size *= 2)
          if (word == std::to_string(size)) return std::string();
        return "'" + word + "' is no power of 2 from 8 to 256";
      });
  line.add_number("-n", command.most, "show N variables, lines and pairs; 0: all [10; json: all]")
      .value("N")
      .from_zero();
  line.add_flag("--all", command.options.runtime, "count what the C and C++ libraries do with their own data, too");
  add_interrupt(line, command.interrupt);
}

// Of a document the rows asked for; texts choose among all.
void limit_lines(report::SharingReport& report) {
  sharing::SharedMemory& m = report.memory;
  if (m.lines.size() <= report.most) return;
  m.lines_left_out += m.lines.size() - report.most;
  m.lines.resize(report.most);
}

int run_sharing(const SharingCommand& command) {
  const trace::TraceFile file = open_trace(command.shared.trace);
  require_data(file, "addresses, so nothing of sharing");
  if (file.meta().find("data") == "nonstack") warn("recorded with --cdr-data=nonstack: stacks are not seen");
  symbols::Symbols symbols = symbols_of(file, command.shared.symbols);
  report::SharingFacts facts(file.modules(), symbols);
  report::SharingReport report;
  report.most = most_shown(command.most, command.shared.json);
  report.line_size = command.options.line_size;
  const report::ScopeOptions& scope = command.shared.scope;
  report.scope = note_of(scope, scope.all_modules(command.shared.json || command.options.runtime));
  const uint64_t lines = report.scope.all ? report.most : std::numeric_limits<uint64_t>::max();
  CommandWatch watched(command.interrupt);
  report.memory = sharing::find_shared_memory(file, facts, command.options, lines, watched.watch());
  watched.clear();
  if (report.memory.end) report.scope.missing.push_back(only_first(*report.memory.end, file.event_count()));
  if (report.memory.pairs)
    report.scope.missing.emplace_back("what threads may share, whatever the schedule, of some memory");
  keep_program(report, file.modules(), scope, symbols);
  if (command.shared.json) limit_lines(report);
  report::name_shared_memory(report, file.modules(), symbols, facts);
  static_cast<report::ReportHead&>(report) =
      head_of(file, symbols, command.shared.color, command.shared.json ? "json" : "text");
  report::Output out(STDOUT_FILENO);
  if (command.shared.json)
    report::write_sharing_json(report, out);
  else
    report::write_sharing(report, out);
  out.flush();
  return interrupted_status(report.scope.missing);
}

}  // namespace

Action add_sharing(CommandLine& line) {
  auto command = std::make_shared<SharingCommand>();
  add_options(line, *command);
  return [command] { return run_sharing(*command); };
}

}  // namespace cdr::cli
