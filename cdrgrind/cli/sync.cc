// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind sync`: how threads synchronised, as a message sequence chart and by object.
#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "cdrgrind/analysis/sync/survey.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/record_command.h"
#include "cdrgrind/cli/report_head.h"
#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::cli {

namespace {

// Rows for people, unless --to-sync says how far. Rows that repeat are one.
constexpr uint64_t kRowsShown = 200, kRowsRead = 4000;

struct SyncCommand {
  SharedOptions shared;
  std::string format = "text";
  uint64_t from = 1;
  std::optional<uint64_t> to;
  sync::EventRange events;
  std::vector<std::string> objects;
  std::string interrupt;
};

void add_options(CommandLine& line, SyncCommand& command) {
  add_shared_options(line, kTraceArgument | kColorOption | kSymbolOptions | kScopeOptions, command.shared);
  line.add_number("--from-sync", command.from, "begin the chart at the M-th synchronisation event, counted from 1 [1]")
      .value("M")
      .from_one();
  line.add_number("--to-sync", command.to, "end it with the N-th [after 200 rows; json: the last]")
      .value("N")
      .from_one();
  line.add_number("--from", command.events.first, "only what happened from event I on, counted from 0")
      .value("I")
      .from_zero();
  line.add_number("--to", command.events.last, "only what happened up to event J").value("J").from_zero();
  line.add_repeatable("--object", command.objects,
                      "only this object: a variable or a part of one, or an address (0x…); repeatable")
      .value("NAME");
  line.add("--format", command.format, "text, mermaid or json [text]")
      .value("FORMAT")
      .one_of({"text", "mermaid", "json"});
  add_interrupt(line, command.interrupt);
}

void check_range(const trace::TraceFile& file, const SyncCommand& command, uint64_t events) {
  if (command.to && *command.to < command.from)
    throw Failure(kWrongUse, fmt::format("sync: --to-sync={} is before --from-sync={}", *command.to, command.from));
  if (command.events.last < command.events.first)
    throw Failure(kWrongUse,
                  fmt::format("sync: --to={} is before --from={}", command.events.last, command.events.first));
  if (command.events.first > 0 && command.events.first >= file.event_count())
    throw Failure(kBadInput, fmt::format("{}: there are {} events, and --from={} was asked", file.name(),
                                         file.event_count(), command.events.first));
  if (command.from > 1 && command.from > events)
    throw Failure(kBadInput, fmt::format("{}: there are {} synchronisation events, and --from-sync={} was asked",
                                         file.name(), events, command.from));
}

sync::ChartRange range_of(const trace::TraceFile& file, const SyncCommand& command, const report::SyncNames& names) {
  sync::ChartRange range;
  range.strands = true;
  range.details = command.format == "json";
  range.events = command.events;
  // Starts of threads before the first operation belong to it.
  range.first = command.from == 1 ? 0 : command.from;
  if (command.to)
    range.last = *command.to;
  else if (command.format != "json")
    range.most_rows = command.format == "text" ? kRowsRead : kRowsShown;
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

void limit_to(const sync::ChartRange& range, report::SyncReport& report) {
  auto& objects = report.totals.objects;
  std::erase_if(objects, [](const auto& o) { return o.events == 0; });
  if (!range.all_objects) std::erase_if(objects, [&](const auto& o) { return range.objects.count(o.key) == 0; });
  report.scope.left_out = std::erase_if(objects, [&](const auto& o) { return range.hidden.count(o.key) != 0; });
}

// Rows of the files and functions asked for, and the objects of these.
void keep_places(const report::ScopeOptions& scope, const report::SyncNames& names, report::SyncReport& report) {
  std::set<sync::SyncKey> met;
  std::erase_if(report.chart.rows, [&](const sync::ChartRow& r) {
    if (r.what == sync::ChartWhat::kStart || r.what == sync::ChartWhat::kEnd) return false;
    const report::SourcePlace place = names.place(r.place());
    if (!scope.has(place.file, place.function)) return true;
    met.insert({sync::kind_of(r.sync.op), r.sync.object});
    return false;
  });
  report.scope.left_out += std::erase_if(report.totals.objects, [&](const auto& o) { return !met.contains(o.key); });
}

bool is_wanted(const sync::ChartRange& range, const sync::SyncKey& key) {
  return range.hidden.count(key) == 0 && (range.all_objects || range.objects.count(key) != 0);
}

// Threads that libraries start and join, and what these hand over through the kernel, where nothing of the program is
// on the stack.
void leave_out_libraries(const report::SyncNames& names, sync::SyncChart& chart) {
  std::erase_if(chart.rows, [&](const sync::ChartRow& r) {
    if (r.what == sync::ChartWhat::kStart || r.what == sync::ChartWhat::kEnd || is_team_op(r.sync.op)) return false;
    const sync::SyncKind kind = sync::kind_of(r.sync.op);
    return (kind == sync::SyncKind::kThread || kind == sync::SyncKind::kChannel) && !names.in_program(r.index);
  });
}

void add_sections(const SyncCommand& command, const trace::TraceFile& file, sync::History& history,
                  const sync::ChartRange& range, report::SyncNames& names, symbols::Symbols& symbols,
                  report::SyncReport& report) {
  const report::ScopeOptions& scope = command.shared.scope;
  const auto in_place = [&](uint64_t event) {
    const report::SourcePlace place = names.place(event);
    return !scope.narrows() || scope.has(place.file, place.function);
  };
  const bool together = command.format != "json";
  report::BarrierCode code(file, names, symbols, file.meta().find("data") != "none");
  std::vector<sync::BarrierUse> uses = sync::find_barriers(history, code);
  std::set<sync::SyncKey> conditions;
  for (const sync::BarrierUse& use : uses)
    if (use.made()) conditions.insert(use.barrier);
  names.set_barriers(std::move(conditions));
  const sync::Rerun rerun = sync::carry_out(history);
  report.sections = report::sections_by_line(
      history, rerun, names,
      [&](const sync::Section& s) {
        return is_wanted(range, s.lock) && range.events.has(s.begin) && in_place(s.enter);
      },
      together);
  std::erase_if(uses, [&](const sync::BarrierUse& use) { return !is_wanted(range, use.barrier); });
  report.barriers = report::count_barriers(
      uses, history, rerun, names,
      [&](const sync::BarrierRound& r) { return range.events.has(r.end) && in_place(r.entered); }, together);
}

report::SyncReport make_report(const SyncCommand& command, const trace::TraceFile& file, report::SyncNames& names,
                               symbols::Symbols& symbols) {
  CommandWatch watched(command.interrupt);
  report::SyncReport report;
  sync::SyncSurvey survey = sync::survey_sync(file, command.events, watched.watch());
  report.totals = std::move(survey.totals);
  if (!survey.end) check_range(file, command, report.totals.events);
  const report::ScopeOptions& scope = command.shared.scope;
  report.scope = note_of(scope, scope.all_modules(command.format != "text" || !command.objects.empty()));
  if (survey.end) report.scope.missing.push_back(only_first(*survey.end, file.event_count()));
  names.find_objects(report.totals);
  sync::ChartRange range = range_of(file, command, names);
  if (survey.end) range.end = *survey.end;
  if (!report.scope.all) range.hidden = names.of_others();
  report.chart = sync::chart_of(file, range);
  if (command.format == "text" && !command.to) report.most_rows = kRowsShown;
  limit_to(range, report);
  report.teams = sync::count_teams(file, range.end);
  std::vector<uint64_t> events = report::events_of(report.totals, report.chart, report.teams);
  const std::vector<uint64_t> more = report::events_of(survey.history);
  events.insert(events.end(), more.begin(), more.end());
  if (!names.find_places(std::move(events), report.scope.all, watched.watch()))
    report.scope.missing.emplace_back("lines of the source of later operations");
  if (!report.scope.all) leave_out_libraries(names, report.chart);
  add_sections(command, file, survey.history, range, names, symbols, report);
  if (scope.narrows()) keep_places(scope, names, report);
  watched.clear();
  return report;
}

int run_sync(const SyncCommand& command) {
  const trace::TraceFile file = open_trace(command.shared.trace);
  symbols::Symbols symbols = symbols_of(file, command.shared.symbols);
  const report::ProgramScope program(file.modules(), command.shared.scope.program);
  report::SyncNames names(file, program, symbols);
  report::SyncReport report = make_report(command, file, names, symbols);
  static_cast<report::ReportHead&>(report) = head_of(file, symbols, command.shared.color, command.format);
  report.next = [&](uint64_t event) {
    return fmt::format("cdrgrind sync --from-sync={} {}", event, quoted_for_shell(file.name()));
  };
  report::Output out(STDOUT_FILENO);
  if (command.format == "json")
    report::write_sync_json(report, names, out);
  else if (command.format == "mermaid")
    report::write_sync_mermaid(report, names, out);
  else
    report::write_sync(report, names, out);
  out.flush();
  return interrupted_status(report.scope.missing);
}

}  // namespace

Action add_sync(CommandLine& line) {
  auto command = std::make_shared<SyncCommand>();
  add_options(line, *command);
  return [command] { return run_sync(*command); };
}

}  // namespace cdr::cli
