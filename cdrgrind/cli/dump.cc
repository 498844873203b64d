// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind dump`: the events of a trace, for people (text), programs (json) and for comparison with
// Valgrind's lackey.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "cdrgrind/analysis/dependence/access_steps.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/dependence_source.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/trace_position.h"
#include "cdrgrind/report/dump/dataflow_lines.h"
#include "cdrgrind/report/dump/dependence_lines.h"
#include "cdrgrind/report/dump/event_writer.h"
#include "cdrgrind/trace/index/thread_cursor.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/dataflow_reader.h"
#include "cdrgrind/trace/read/thread_state_reader.h"

namespace cdr::cli {

namespace {

struct DumpOptions {
  SharedOptions shared;
  report::DumpFormat format = report::DumpFormat::kText;
  report::ListOptions list;
  uint32_t thread = 0;
  PlaceRequest place;
  std::optional<uint64_t> count;
  bool dataflow = false;
  std::string dependences;  // "any", "online", "trace" or nothing
  unsigned jobs = 0;
};

void select_events(const std::string& list, DumpOptions& options) {
  options.list.events = {};
  for (const std::string& name : split_list(list))
    if (!report::add_events(options.list.events, name))
      throw WrongValue(fmt::format("no events '{}'; there are {}, and the names of single events", name,
                                   fmt::join(report::event_group_names(), ", ")));
}

// FILE:LINE or FILE:LINE:K.
void read_line(const std::string& text, PlaceRequest& place) {
  const auto positive = [&](size_t from, size_t count) {
    return number_of(std::string_view(text).substr(from, count)).value_or(0);
  };
  const size_t colon = text.rfind(':');
  const size_t before = colon == std::string::npos || colon == 0 ? std::string::npos : text.rfind(':', colon - 1);
  const uint64_t last = colon == std::string::npos || colon == 0 ? 0 : positive(colon + 1, std::string::npos);
  if (last == 0) throw WrongValue(fmt::format("'{}' is not FILE:LINE or FILE:LINE:K", text));
  const uint64_t line = before == std::string::npos || before == 0 ? 0 : positive(before + 1, colon - before - 1);
  place.file = text.substr(0, line ? before : colon);
  place.line = static_cast<uint32_t>(line ? line : last);
  if (line) place.execution = last;
}

void add_place_options(CommandLine& line, DumpOptions& options) {
  line.add_number("--at-sync", options.place.sync, "begin at the thread's M-th synchronisation event, counted from 1")
      .value("M")
      .from_one();
  line.add_number("--at-block", options.place.block, "the thread's I-th block, counted from 1, with its stack")
      .value("I")
      .from_one();
  line.add(
          "--at-line", [&options](const std::string& text) { read_line(text, options.place); },
          "the thread's K-th execution of a line [1], with its stack")
      .value("FILE:LINE[:K]");
  line.add_flag("--segment", options.place.segment, "from there to the thread's next synchronisation event");
}

void add_options(CommandLine& line, DumpOptions& options) {
  add_shared_options(line, kTraceArgument | kSymbolOptions, options.shared);
  line.add_choice("--format", options.format,
                  {{"text", report::DumpFormat::kText},
                   {"json", report::DumpFormat::kJson},
                   {"lackey", report::DumpFormat::kLackey}},
                  "text, json or lackey [text]")
      .value("FORMAT");
  line.add_number("--thread", options.thread, "one thread's events; main is 1").value("N").from_one();
  line.add_number("--from", options.list.from, "begin at event I, counted from 0").value("I").from_zero();
  line.add_number("--count", options.count, "look at K events").value("K").from_zero();
  add_place_options(line, options);
  line.add(
          "--events", [&options](const std::string& list) { select_events(list, options); },
          fmt::format("only these, separated by commas: {}", fmt::join(report::event_group_names(), ", ")))
      .value("LIST")
      .list_of(report::event_group_names());
  line.add_flag("--dataflow", options.dataflow, "in place of events, which registers and loads go into what, by block");
  line.add_flag("--dependences{any}", options.dependences, "rows of the result table")
      .one_of({"any", "online", "trace"})
      .hidden();
  add_jobs(line, options.jobs).hidden();
}

void check_place(const trace::TraceFile& file, DumpOptions& options) {
  const PlaceRequest& place = options.place;
  if ((place.sync != 0) + (place.block != 0) + (place.line != 0) > 1)
    throw Failure(kWrongUse, "dump: one of --at-sync, --at-block and --at-line is enough");
  if (options.place.segment && !place.asked())
    throw Failure(kWrongUse, "dump: --segment is for --at-sync, --at-block and --at-line");
  options.list.thread = ThreadId(options.thread);
  if (!place.asked() || options.thread != 0) return;
  const auto threads = file.end() ? file.end()->counter("threads") : std::nullopt;
  const char* name = place.sync != 0 ? "--at-sync" : place.block != 0 ? "--at-block" : "--at-line";
  if (threads != 1) throw Failure(kWrongUse, fmt::format("dump: {} needs --thread, for there is more than one", name));
  options.list.thread = ThreadId(1);
}

// What was asked and was not there. `first`: events before it were not read.
void check_found(const trace::TraceFile& file, const report::EventLister& lister, const DumpOptions& options,
                 uint64_t first) {
  const ThreadId thread = options.list.thread;
  if (lister.done() || !thread || lister.replay().thread(thread).started) return;
  if (first > 0 && trace::Seeker(file).total(thread).events > 0) return;
  throw Failure(kBadInput, fmt::format("{}: there is no thread {}", file.name(), options.thread));
}

void tell_sps(const trace::TraceFile& file, const trace::Epoch& epoch, report::EventLister& lister) {
  std::vector<trace::ThreadAtStart> states;
  if (!trace::read_thread_states(file, epoch, states)) return;  // the cursor says what is damaged
  for (const trace::ThreadAtStart& s : states) lister.tell_sp(s.thread, s.state.sp);
}

void list_all(const trace::TraceFile& file, uint64_t first, report::EventLister& lister, report::Output& out) {
  trace::Cursor cursor(file);
  try {
    cursor.seek(first);
    for (Event e; !lister.done() && cursor.next(e);) lister.list(e);
  } catch (const trace::TraceError&) {
    out.flush();  // what could be read
    throw;
  }
}

// The thread's events from the place on, without reading those before it.
void list_thread(trace::Seeker& seeker, const report::ListOptions& list, report::EventLister& lister) {
  trace::TracePosition at;
  seeker.at_index(list.from, at);
  lister.tell_sp(list.thread, seeker.sp(at));
  trace::ThreadCursor cursor(seeker, at);
  uint64_t last = list.from;
  for (Event e; cursor.next(e);) {
    if (!seeker.find(list.thread, trace::Weight::kEvents, cursor.event(), at)) return;
    const uint64_t index = seeker.index_of(at);
    trace::TracePosition turn;
    if (index > last + 1 && seeker.at_index(index - 1, turn) && index - 1 - list.from < list.count) {
      Event t;
      t.kind = EventKind::kTurn;
      t.thread = list.thread;
      lister.list_at(index - 1, t);
    }
    if (index - list.from >= list.count) return;
    lister.list_at(index, e);
    last = index;
  }
}

int dump_at(const trace::TraceFile& file, DumpOptions& options) {
  std::optional<trace::Seeker> seeker;
  if (!file.epochs().empty()) seeker.emplace(file);
  symbols::Symbols symbols = symbols_of(file, options.shared.symbols);
  report::ListOptions& list = options.list;
  const bool shows_stack =
      options.format == report::DumpFormat::kText && (options.place.segment || options.place.sync == 0);
  if (shows_stack || options.place.line != 0) warn_of_binaries(symbols.binaries(), "dump");
  const TracePlace place = find_place(file, seeker ? &*seeker : nullptr, options.place, list.thread, symbols);
  list.from = place.index;
  if (options.place.segment)
    list.count = std::min(list.count, place.end - place.index);
  else if (options.place.sync == 0 && !options.count)
    list.count = 1;
  report::Output out(STDOUT_FILENO);
  const std::string program = program_of(file);
  const auto writer =
      report::make_event_writer(options.format, file.modules(), list.events, {program, command_of(file)}, out);
  if (shows_stack) write_place(place, file, list.thread, symbols, out);
  report::EventLister lister(file.blocks(), list, *writer, seeker ? place.index : 0);
  if (seeker)
    list_thread(*seeker, list, lister);
  else
    list_all(file, 0, lister, out);
  out.flush();
  return kFine;
}

int dump_events(const trace::TraceFile& file, DumpOptions& options) {
  check_place(file, options);
  if (options.place.asked()) return dump_at(file, options);
  report::Output out(STDOUT_FILENO);
  const std::string program = program_of(file);
  const auto writer =
      report::make_event_writer(options.format, file.modules(), options.list.events, {program, command_of(file)}, out);
  // A compact trace is read from the epoch on.
  const bool compact = !file.epochs().empty();
  const trace::Epoch epoch = compact ? file.epochs()[file.epoch_with(options.list.from)] : trace::Epoch();
  const uint64_t first = compact ? file.first_event(epoch) : 0;
  report::EventLister lister(file.blocks(), options.list, *writer, first);
  if (compact) tell_sps(file, epoch, lister);
  list_all(file, first, lister, out);
  out.flush();
  check_found(file, lister, options, first);
  return kFine;
}

// The events of first occurrences, row by row.
std::vector<std::optional<uint64_t>> first_events(const trace::TraceFile& file, const depend::ResultTable& table) {
  std::vector<uint64_t> steps;
  for (const depend::Row& row : table.rows()) steps.push_back(row.witness.step);
  std::vector<std::optional<uint64_t>> first(steps.size());
  analysis::AccessSteps places(steps);
  trace::Cursor cursor(file);
  for (Event e; !places.done() && cursor.next(e);) places.event(e, [&](uint32_t row) { first[row] = cursor.index(); });
  return first;
}

int dump_dependences(const trace::TraceFile& file, const std::string& from, unsigned jobs) {
  report::Output out(STDOUT_FILENO);
  const depend::ResultTable table = from == "online"  ? recorded_dependences(file)
                                    : from == "trace" ? computed_dependences(file, jobs)
                                                      : any_dependences(file, jobs);
  report::write_dependence_lines(table.rows(), first_events(file, table), out);
  out.flush();
  return kFine;
}

int dump_dataflow(const trace::TraceFile& file) {
  const DataflowTable flows = trace::read_dataflow(file);
  if (flows.size() == 0)
    throw Failure(kBadInput, file.name() + ": there are no data-flow summaries (record without --cdr-dataflow=no, " +
                                 "and with --cdr-data=all)");
  report::Output out(STDOUT_FILENO);
  report::write_dataflow_lines(file.blocks(), flows, out);
  out.flush();
  return kFine;
}

}  // namespace

Action add_dump(CommandLine& line) {
  auto options = std::make_shared<DumpOptions>();
  add_options(line, *options);
  return [options] {
    if (options->count) options->list.count = *options->count;
    const trace::TraceFile file = open_trace(options->shared.trace);
    if (options->dataflow) return dump_dataflow(file);
    return options->dependences.empty() ? dump_events(file, *options)
                                        : dump_dependences(file, options->dependences, options->jobs);
  };
}

}  // namespace cdr::cli
