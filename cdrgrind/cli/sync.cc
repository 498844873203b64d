// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind sync`: how threads synchronised, as a message sequence chart and by object.
#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/record_command.h"
#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::cli {

namespace {

// Rows for people, unless --to-sync says how far.
constexpr uint64_t kRowsShown = 200;

struct SyncCommand {
  SharedOptions shared;
  std::string format = "text";
  uint64_t from = 1;
  std::optional<uint64_t> to;
  std::vector<std::string> objects;
};

void add_options(CommandLine& line, SyncCommand& command) {
  add_shared_options(line, kTraceArgument | kColorOption | kSymbolOptions, command.shared);
  line.add_number("--from-sync", command.from, "begin the chart at the M-th synchronisation event, counted from 1 [1]")
      .value("M")
      .from_one();
  line.add_number("--to-sync", command.to, "end it with the N-th [after 200 rows; json: the last]")
      .value("N")
      .from_one();
  line.add_repeatable("--object", command.objects,
                      "only this object: a variable or a part of one, or an address (0x…); repeatable")
      .value("NAME");
  line.add("--format", command.format, "text, mermaid or json [text]")
      .value("FORMAT")
      .one_of({"text", "mermaid", "json"});
}

void check_range(const trace::TraceFile& file, const SyncCommand& command, uint64_t events) {
  if (command.to && *command.to < command.from)
    throw Failure(kWrongUse, fmt::format("sync: --to-sync={} is before --from-sync={}", *command.to, command.from));
  if (command.from > 1 && command.from > events)
    throw Failure(kBadInput, fmt::format("{}: there are {} synchronisation events, and --from-sync={} was asked",
                                         file.name(), events, command.from));
}

sync::ChartRange range_of(const trace::TraceFile& file, const SyncCommand& command, const report::SyncNames& names) {
  sync::ChartRange range;
  // Starts of threads before the first operation belong to it.
  range.first = command.from == 1 ? 0 : command.from;
  if (command.to)
    range.last = *command.to;
  else if (command.format != "json")
    range.most_rows = kRowsShown;
  range.all_objects = command.objects.empty();
  for (const std::string& word : command.objects) {
    const auto found = names.objects_called(word);
    if (found.empty())
      throw Failure(kBadInput, fmt::format("{}: no object of synchronisation is called '{}'; without --object the "
                                           "report lists them",
                                           file.name(), word));
    range.objects.insert(found.begin(), found.end());
  }
  return range;
}

void limit_to(const sync::ChartRange& range, sync::SyncTotals& totals) {
  if (range.all_objects) return;
  std::erase_if(totals.objects, [&](const sync::SyncObject& o) { return range.objects.count(o.key) == 0; });
}

int run_sync(const SyncCommand& command) {
  const trace::TraceFile file = open_trace(command.shared.trace);
  symbols::Symbols symbols = symbols_of(file, command.shared.symbols);
  report::SyncNames names(file, symbols);
  report::SyncReport report;
  report.totals = sync::count_sync(file);
  check_range(file, command, report.totals.events);
  names.find_objects(report.totals);
  const sync::ChartRange range = range_of(file, command, names);
  report.chart = sync::chart_of(file, range);
  limit_to(range, report.totals);
  names.find_places(report.totals, report.chart);
  report.program = program_of(file);
  report.binaries = symbols.binaries();
  warn_of_binaries(report.binaries, command.format);
  report.style = style_of_stdout(command.shared.color);
  report.header = header_of(file, symbols);
  report.next = fmt::format("cdrgrind sync --from-sync={} {}", report.chart.next, quoted_for_shell(file.name()));
  report::Output out(STDOUT_FILENO);
  if (command.format == "json")
    report::write_sync_json(report, names, out);
  else if (command.format == "mermaid")
    report::write_sync_mermaid(report, names, out);
  else
    report::write_sync(report, names, out);
  out.flush();
  return kFine;
}

}  // namespace

Action add_sync(CommandLine& line) {
  auto command = std::make_shared<SyncCommand>();
  add_options(line, *command);
  return [command] { return run_sync(*command); };
}

}  // namespace cdr::cli
