// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind dump`: the events of a trace, for people (text), programs (json) and for comparison with
// Valgrind's lackey.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <map>
#include <optional>

#include "cdrgrind/cli/command.h"
#include "cdrgrind/cli/dependence_source.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/report/dataflow_lines.h"
#include "cdrgrind/report/dependence_lines.h"
#include "cdrgrind/report/event_writer.h"
#include "cdrgrind/trace/cursor.h"
#include "cdrgrind/trace/dataflow_reader.h"

namespace cdr::cli {

namespace {

struct DumpOptions {
  SharedOptions shared;
  report::DumpFormat format = report::DumpFormat::kText;
  report::ListOptions list;
  uint32_t thread = 0;
  bool dataflow = false;
  std::string dependences;  // "any", "online", "trace" or nothing
};

void select_events(const std::string& list, DumpOptions& options) {
  options.list.events = {};
  for (const std::string& name : split_list(list))
    if (!report::add_events(options.list.events, name))
      throw CLI::ValidationError("--events", fmt::format("no events '{}'; there are {}, and the names of single events",
                                                         name, report::event_group_names()));
}

CLI::Validator positive() { return CLI::Validator(CLI::PositiveNumber).description(""); }

void add_options(CLI::App& app, DumpOptions& options) {
  add_shared_options(app, kTraceArgument, options.shared);
  static const std::map<std::string, report::DumpFormat> formats = {{"text", report::DumpFormat::kText},
                                                                    {"json", report::DumpFormat::kJson},
                                                                    {"lackey", report::DumpFormat::kLackey}};
  app.add_option_function<std::string>(
         "--format", [&options](const std::string& word) { options.format = formats.at(word); },
         "text, json or lackey [text]")
      ->type_name("FORMAT")
      ->check(one_of({"text", "json", "lackey"}));
  app.add_option("--thread", options.thread, "one thread's events; main is 1")->type_name("N")->check(positive());
  app.add_option("--from", options.list.from, "begin at event I, counted from 0")
      ->type_name("I")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--count", options.list.count, "look at K events")
      ->type_name("K")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--at-sync", options.list.at_sync, "begin at the thread's M-th synchronisation event, counted from 1")
      ->type_name("M")
      ->check(positive());
  app.add_option_function<std::string>(
         "--events", [&options](const std::string& list) { select_events(list, options); },
         "only these, separated by commas: " + report::event_group_names())
      ->type_name("LIST");
  app.add_flag("--dataflow", options.dataflow, "in place of events, which registers and loads go into what, by block");
  app.add_flag("--dependences{any}", options.dependences, "rows of the result table")
      ->check(one_of({"any", "online", "trace"}))
      ->group("");  // for tests
}

void require_thread(const trace::TraceFile& file, DumpOptions& options) {
  options.list.thread = ThreadId(options.thread);
  if (options.list.at_sync == 0 || options.thread != 0) return;
  const auto threads = file.end() ? file.end()->counter("threads") : std::nullopt;
  if (threads != 1) throw Failure(kWrongUse, "dump: --at-sync needs --thread, for there is more than one");
}

// What was asked and was not there.
void check_found(const trace::TraceFile& file, const report::EventLister& lister, const DumpOptions& options) {
  if (lister.done()) return;
  if (options.thread && !lister.replay().thread(options.list.thread).started)
    throw Failure(kBadInput, fmt::format("{}: there is no thread {}", file.name(), options.thread));
  if (options.list.at_sync > lister.syncs())
    throw Failure(kBadInput, fmt::format("{}: there are {} synchronisation events, and --at-sync={} was asked",
                                         file.name(), lister.syncs(), options.list.at_sync));
}

int dump_events(const trace::TraceFile& file, DumpOptions& options) {
  require_thread(file, options);
  report::Output out(STDOUT_FILENO);
  const std::string program = program_of(file);
  const auto writer =
      report::make_event_writer(options.format, file.modules(), options.list.events, {program, command_of(file)}, out);
  report::EventLister lister(file.blocks(), options.list, *writer);
  trace::Cursor cursor(file);
  try {
    for (Event e; !lister.done() && cursor.next(e);) lister.list(e);
  } catch (const trace::TraceError&) {
    out.flush();  // what could be read
    throw;
  }
  out.flush();
  check_found(file, lister, options);
  return kFine;
}

int dump_dependences(const trace::TraceFile& file, const std::string& from) {
  report::Output out(STDOUT_FILENO);
  const depend::ResultTable table = from == "online"  ? recorded_dependences(file)
                                    : from == "trace" ? computed_dependences(file)
                                                      : any_dependences(file);
  report::write_dependence_lines(table.rows(), out);
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

Action add_dump(CLI::App& app) {
  auto options = std::make_shared<DumpOptions>();
  add_options(app, *options);
  return [options] {
    const trace::TraceFile file = open_trace(options->shared.trace);
    if (options->dataflow) return dump_dataflow(file);
    return options->dependences.empty() ? dump_events(file, *options) : dump_dependences(file, options->dependences);
  };
}

}  // namespace cdr::cli
