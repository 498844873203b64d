// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind advise`: which loops are parallel, what the others carry, and what parallel execution would bring.
#include <unistd.h>

#include <memory>
#include <optional>

#include "cdrgrind/cli/advice_source.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/dependence_source.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/loop_replay.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/cli/report_head.h"
#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/advise/advise_runs.h"
#include "cdrgrind/report/advise/loop_parts.h"
#include "cdrgrind/report/advise/loop_source.h"
#include "cdrgrind/report/advise/other_copies.h"
#include "cdrgrind/report/advise/shared_place.h"
#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::cli {

namespace {

struct AdviseCommand {
  SharedOptions shared;
  std::vector<std::string> traces;
  std::string format = "text";
  std::optional<uint64_t> most;
  uint64_t threads = 8;
  unsigned jobs = 0;
  bool as_compiled = false;
  std::string interrupt;
};

// Loops that go from chunk to chunk are none of the source, nor those that add up a reduction's copies.
void name_teams(const trace::TraceFile& file, const LoopReplay& replayed, symbols::Symbols& symbols,
                const analysis::Watch& watch, report::AdviseReport& report) {
  if (replayed.in_teams.empty() && replayed.shared.empty()) return;
  const auto place_of = [&](const report::AdviceLoop& l) {
    const auto found = replayed.shared.find(l.header.addr);
    return found == replayed.shared.end() ? nullptr : &found->second;
  };
  std::erase_if(report.loops, [&](const report::AdviceLoop& l) { return place_of(l) && place_of(l)->deals; });
  std::vector<uint64_t> events;
  for (const auto& [loop, totals] : replayed.in_teams) {
    events.push_back(totals.region);
    for (const auto& [lock, e] : totals.exclusions) events.push_back(e.first_event);
  }
  report::SyncNames names(file, replayed.scope, symbols);
  if (!names.find_places(events, true, watch)) throw ReplayInterrupted("places of parallel regions are missing");
  report::LoopSources sources(symbols);
  for (report::AdviceLoop& l : report.loops) {
    const auto* const shared = place_of(l);
    const auto totals = replayed.in_teams.find(l.number);
    const bool in_team = totals != replayed.in_teams.end();
    if (!shared && (!in_team || totals->second.alone)) continue;
    if (shared) report::place_shared(l, replayed.loops[regions::LoopId(l.number)], symbols, sources);
    l.team = report::advice_team(shared, in_team ? &totals->second : nullptr,
                                 [&](uint64_t event) { return names.place(event); });
    l.pragma = report::openmp_line(l);
  }
  std::erase_if(report.loops, [&](const report::AdviceLoop& l) {
    const symbols::SourceFile* const source = symbols.source(l.place.file);
    return !l.is_shared() && l.last_line == l.place.line && source && report::is_directive(*source, l.place.line);
  });
}

}  // namespace

report::AdviseReport advice_of(const trace::TraceFile& file, const LoopQuestion& question, symbols::Symbols& symbols,
                               const analysis::Watch& watch) {
  LoopReplay replayed(file, question, symbols, watch);
  regions::Regions& regions = replayed.regions;
  advise::ValueTable values(file.blocks(), replayed.insns);
  const advise::Advisor advisor{file.blocks(), replayed.flows, replayed.loops, regions,
                                values,        replayed.facts, replayed.facts, question.threads};
  report::AdviseReport report;
  report.loops = report::name_loops(advise::advise(advisor), advisor, replayed.facts, file.modules(), symbols);
  name_teams(file, replayed, symbols, watch, report);
  report::heed_other_copies(report.loops);
  report.callers = report::name_calls(regions, question.threads, file.modules(), symbols);
  report.instructions = regions.instructions;
  report.threads = question.threads;
  return report;
}

report::AdviseReport advice_of(const trace::TraceFile& file, const LoopQuestion& question, symbols::Symbols& symbols) {
  ProgressLine line;
  report::AdviseReport report = advice_of(file, question, symbols, analysis::Watch{line.progress(), {}});
  report::join_parts(report);
  return report;
}

namespace {

// A trace, and what is named of it: names are views of what the symbols hold.
struct AdvisedRun {
  AdvisedRun(const std::string& path, const AdviseCommand& command, std::string_view format)
      : file(open_trace(path)), symbols(symbols_of(file, command.shared.symbols)) {
    require_data(file, "addresses, so nothing is known of what loops carry");
    const report::ScopeOptions& asked = command.shared.scope;
    const bool all = asked.all_modules(false);
    CommandWatch watch(command.interrupt);
    report = advice_of(file, {all ? std::vector<std::string>{"*"} : asked.program, command.threads, command.jobs},
                       symbols, watch.watch());
    watch.clear();
    report.scope = note_of(asked, all);
    const auto elsewhere = [&](const auto& a) { return !asked.has(a.place.file, a.place.function); };
    report.scope.left_out = std::erase_if(report.loops, elsewhere);
    std::erase_if(report.callers, elsewhere);
    static_cast<report::ReportHead&>(report) = head_of(file, symbols, command.shared.color, format);
  }

  trace::TraceFile file;
  symbols::Symbols symbols;
  report::AdviseReport report;
};

int run_advise(const AdviseCommand& command) {
  std::vector<std::unique_ptr<AdvisedRun>> runs;
  runs.push_back(
      std::make_unique<AdvisedRun>(command.traces.empty() ? "" : command.traces[0], command, command.format));
  report::AdviseReport& report = runs[0]->report;
  for (size_t i = 1; i < command.traces.size(); ++i) {
    runs.push_back(std::make_unique<AdvisedRun>(command.traces[i], command, "text and more"));
    report::add_run(report, runs[i]->report);
    report.header.emplace_back("and", command.traces[i]);
  }
  if (!command.as_compiled) report::join_parts(report);
  report.most = most_shown(command.most, command.format != "text");
  report::Output out(STDOUT_FILENO);
  if (command.format == "json")
    report::write_advice_json(report, out);
  else if (command.format == "sarif")
    report::write_advice_sarif(report, out);
  else
    report::write_advice(report, runs[0]->symbols, out);
  out.flush();
  return kFine;
}

}  // namespace

Action add_advise(CommandLine& line) {
  auto command = std::make_shared<AdviseCommand>();
  line.add_arguments("FILE", command->traces,
                     "traces of the program, taken as one answer [the newest here]; - is standard input");
  line.add("--format", command->format, "text, json or sarif [text]").value("WORD").one_of({"text", "json", "sarif"});
  add_shared_options(line, kColorOption | kSymbolOptions | kScopeOptions, command->shared);
  line.add_number("-n", command->most, "show N loops; 0: all [10; json, sarif: all]").value("N").from_zero();
  line.add_number("--threads", command->threads, "how many threads a loop would have [8]")
      .value("N")
      .between(1, 100'000);
  line.add_flag("--as-compiled", command->as_compiled,
                "each loop that a compiler has made of one of the source's by itself");
  add_jobs(line, command->jobs);
  add_interrupt(line, command->interrupt);
  return [command] { return run_advise(*command); };
}

}  // namespace cdr::cli
