// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind export`: what is in a trace, and what follows from it, as tables for other engines.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "cdrgrind/cli/advice_source.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/compressed_file.h"
#include "cdrgrind/cli/dependence_source.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/cli/race_source.h"
#include "cdrgrind/report/export/event_tables.h"
#include "cdrgrind/report/export/result_tables.h"
#include "cdrgrind/report/export/timeline.h"
#include "cdrgrind/report/races/race_selection.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::cli {

namespace {

struct ExportCommand {
  SharedOptions shared;
  std::string table;
  std::string folder;
  uint64_t from = 0;
  std::optional<uint64_t> count;
  uint64_t threads = 8;
  unsigned jobs = 0;

  const std::vector<std::string>& program() const { return shared.scope.program; }
  uint64_t end(const trace::TraceFile& file) const {
    const uint64_t all = file.event_count();
    return count && from < all && *count < all - from ? from + *count : all;
  }
};

struct Source {
  const trace::TraceFile& file;
  const ExportCommand& command;
  symbols::Symbols symbols;
  report::SymbolNames names{file.modules(), symbols};
};

template <class Table>
void export_events(Source& source, report::TableWriter& to) {
  Table table(source.file.blocks(), source.names, to);
  ProgressLine line;
  const analysis::Progress progress = line.progress();
  const uint64_t end = source.command.end(source.file);
  // Before the cursor takes what an epoch needs; of a small part few modules are asked for.
  constexpr uint64_t kMany = 1 << 16;
  if (end > source.command.from && end - source.command.from > kMany) table.load_names();
  trace::Cursor cursor(source.file);
  if (source.command.from > 0) cursor.seek(source.command.from);
  for (Event e; cursor.next(e) && cursor.index() < end;) {
    table.see(e, cursor.index());
    if (progress && cursor.index() % (1 << 16) == 0) progress("events", cursor.index(), end);
  }
}

void export_accesses(Source& source, report::TableWriter& to) {
  require_data(source.file, "addresses, so no accesses");
  export_events<report::AccessTableExport>(source, to);
}

// All objects of synchronisation, by name.
struct SyncObjects {
  explicit SyncObjects(Source& source)
      : program(source.file.modules(), source.command.program()), names(source.file, program, source.symbols) {
    names.find_objects(sync::count_sync(source.file));
  }
  const report::ProgramScope program;
  report::SyncNames names;
};

// So many at a time: names of their places are looked up together.
void export_sync_steps(Source& source, report::TableWriter& to) {
  constexpr size_t kTogether = 1 << 15;
  const SyncObjects objects(source);
  std::vector<sync::SyncStep> steps;
  const auto pass_on = [&] {
    std::vector<uint64_t> events;
    for (const sync::SyncStep& s : steps)
      if (s.kind == EventKind::kSyncEnter || s.kind == EventKind::kSyncLeave) events.push_back(s.index);
    report::export_sync(steps, sync::call_sites_at(source.file, events), objects.names, to);
    steps.clear();
  };
  const uint64_t end = source.command.end(source.file);
  sync::for_each_sync_step(source.file, [&](const sync::SyncStep& s) {
    if (s.index < source.command.from || s.index >= end) return;
    steps.push_back(s);
    if (steps.size() == kTogether) pass_on();
  });
  pass_on();
}

void export_dependence_rows(Source& source, report::TableWriter& to) {
  const depend::ResultTable table = any_dependences(source.file, source.command.jobs);
  report::export_dependences(analysis::rows_by_line(table.rows(), source.names, {}).rows, to);
}

void export_race_findings(Source& source, report::TableWriter& to) {
  require_data(source.file, "addresses, so no races");
  report::RaceReport report = judged_races(source.file, {{}, source.command.program()}, source.symbols);
  report::Suppressions none;
  report::RaceBaseline empty;
  report::select_races({}, none, empty, report);
  report::export_races(report, to);
}

void export_loop_advice(Source& source, report::TableWriter& to) {
  require_data(source.file, "addresses, so nothing is known of what loops carry");
  report::export_loops(
      advice_of(source.file, {source.command.program(), source.command.threads, source.command.jobs}, source.symbols),
      source.file.modules(), to);
}

struct Table {
  const char* name;
  std::span<const report::Column> (*columns)();
  void (*write)(Source&, report::TableWriter&);
  bool has_range;
};

constexpr Table kTables[] = {
    {"blocks", report::block_columns, export_events<report::BlockTableExport>, true},
    {"accesses", report::access_columns, export_accesses, true},
    {"sync", report::sync_columns, export_sync_steps, true},
    {"dependences", report::dependence_columns, export_dependence_rows, false},
    {"races", report::race_columns, export_race_findings, false},
    {"loops", report::loop_columns, export_loop_advice, false},
};
constexpr const char* kTimeline = "timeline";

std::string path_in(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).string();
}

void write_info(const Table& table, Source& source, uint64_t rows) {
  const std::string csv = fmt::format("{}.csv.zst", table.name), program = program_of(source.file);
  report::Output text;
  report::write_table_info({table.name, program, source.file.name(), csv, rows}, table.columns(), text);
  const std::string json = text.text();
  OutputFile info(path_in(source.command.folder, fmt::format("{}.json", table.name)), {.keep = source.file.name()});
  info.write({reinterpret_cast<const uint8_t*>(json.data()), json.size()});
  info.put_in_place();
}

uint64_t write_rows(const Table& table, Source& source) {
  CompressedFile file(path_in(source.command.folder, fmt::format("{}.csv.zst", table.name)), source.file.name());
  report::TableWriter to(table.columns(), file);
  table.write(source, to);
  to.flush();
  file.finish();
  return to.rows();
}

void export_timeline(Source& source) {
  constexpr uint64_t kMost = 1'000'000;
  const SyncObjects objects(source);
  sync::ChartRange range;
  range.first = 0;
  range.most_rows = kMost;
  const sync::SyncChart chart = sync::chart_of(source.file, range);
  OutputFile to(path_in(source.command.folder, "timeline.json"), {.keep = source.file.name()});
  const uint64_t end = source.command.end(source.file);
  const uint64_t left_out =
      report::write_timeline(source.file, chart, objects.names, {source.command.from, end, kMost}, to) + chart.left_out;
  to.put_in_place();
  if (left_out > 0)
    warn(
        fmt::format("{} turns and operations were left out of the timeline; --from and --count show a part", left_out));
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder, error))
    throw Failure(kWrongUse, fmt::format("{}: cannot be made a folder", folder));
}

const Table* table_called(const std::string& name) {
  for (const Table& t : kTables)
    if (name == t.name) return &t;
  return nullptr;
}

int run_export(const CommandLine& line, const ExportCommand& command) {
  const Table* table = table_called(command.table);
  const bool has_range = !table || table->has_range;
  for (const char* option : {"--from", "--count"})
    if (!has_range && line.given(option))
      throw Failure(kWrongUse, fmt::format("{} is for tables of events, not for {}", option, command.table));
  const trace::TraceFile file = open_trace(command.shared.trace);
  make_folder(command.folder);
  Source source{file, command, symbols_of(file, command.shared.symbols)};
  warn_of_binaries(source.symbols.binaries(), "csv");
  if (table)
    write_info(*table, source, write_rows(*table, source));
  else
    export_timeline(source);
  return kFine;
}

}  // namespace

Action add_export(CommandLine& line) {
  auto command = std::make_shared<ExportCommand>();
  add_shared_options(line, kTraceArgument, command->shared);
  std::vector<std::string> names;
  for (const Table& t : kTables) names.emplace_back(t.name);
  names.emplace_back(kTimeline);
  line.add("--table", command->table, "blocks, accesses, sync, dependences, races, loops or timeline")
      .value("WORD")
      .one_of(names)
      .required();
  line.add("-o", command->folder, "write WORD.csv.zst and WORD.json there; it is made if it is not there")
      .value("DIR")
      .required();
  line.add_number("--from", command->from, "of tables of events: begin at event I, counted from 0")
      .value("I")
      .from_zero();
  line.add_number("--count", command->count, "of tables of events: look at K events").value("K").from_zero();
  line.add_number("--threads", command->threads, "loops: how many threads a loop would have [8]")
      .value("N")
      .between(1, 100'000);
  add_shared_options(line, kProgramOption | kSymbolOptions, command->shared);
  add_jobs(line, command->jobs);
  return [command, &line] { return run_export(line, *command); };
}

}  // namespace cdr::cli
