// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind races`: the data races of a trace.
#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/race_runs.h"
#include "cdrgrind/cli/race_source.h"
#include "cdrgrind/cli/record_command.h"
#include "cdrgrind/report/races/race_facts.h"
#include "cdrgrind/report/races/race_report.h"
#include "cdrgrind/report/races/race_selection.h"
#include "cdrgrind/report/races/race_verdicts.h"
#include "cdrgrind/trace/read/dataflow_reader.h"

namespace cdr::cli {

namespace {

struct RacesCommand {
  SharedOptions shared;
  races::RaceOptions options;
  std::string format = "text";
  std::vector<std::string> suppressions;
  std::vector<std::string> baselines;
  std::string source_root;
  bool generate = false;
  bool show_artifacts = false, only_roots = false;
  bool verbose = false;
  bool full_stacks = false;
  bool no_artifacts = false;
  bool from_events = false;
  bool forget_at_once = false;
  std::string interrupt;
  int error_status = kFindings;
};

void add_options(CommandLine& line, RacesCommand& command) {
  add_shared_options(line, kTraceArgument | kColorOption | kSymbolOptions | kScopeOptions, command.shared);
  line.add("--format", command.format, "text, json, gcc, sarif or xml (as helgrind's) [text]")
      .value("WORD")
      .one_of({"gcc", "json", "sarif", "text", "xml"});
  line.add_choice("--atomics", command.options.atomics,
                  {{"c++", races::AtomicsMode::kCxx},
                   {"race", races::AtomicsMode::kRace},
                   {"strict", races::AtomicsMode::kStrict},
                   {"sync", races::AtomicsMode::kSync}},
                  "atomic accesses: sync, they order; c++, as their memory order says; strict, they do not race; race, "
                  "they do [sync]")
      .value("WORD");
  line.add_choice("--adhoc", command.options.spin_loops_order, {{"race", false}, {"sync", true}},
                  "loops that wait for a variable: sync, they order; race, they do not [sync]")
      .value("WORD");
  line.add_repeatable("--suppressions", command.suppressions,
                      "leave out what FILE names, in Valgrind's format; repeatable")
      .value("FILE");
  line.add_repeatable("--baseline", command.baselines,
                      "report only races that FILE, an earlier report in JSON, does not have; repeatable")
      .value("FILE");
  line.add("--source-root", command.source_root,
           "sarif: sources below DIR have relative addresses [here, or what the sources have in common]")
      .value("DIR");
  line.add_choice("--gen-suppressions", command.generate, {{"all", true}, {"no", false}, {"yes", true}},
                  "all: print a suppression of each race instead [no]")
      .value("WORD");
  line.add_flag("--show-artifacts", command.show_artifacts, "also show races that only follow from others");
  line.add_flag("--only-roots", command.only_roots, "leave these out altogether");
  line.add_flag("--no-artifacts", command.no_artifacts,
                "do not ask which races only follow from others: each is shown as a root")
      .excludes("--show-artifacts")
      .excludes("--only-roots");
  line.add_flag("--full-stacks", command.full_stacks,
                "text: show every frame of libraries and system headers, and do not fold them");
  line.add_flag("-v,--verbose", command.verbose, "text: also say whether the compact form of the trace was enough");
  // For tests. No answer depends on the first three; the fourth is CommandWatch's.
  line.add_flag("--from-events", command.from_events, "").hidden();
  line.add_flag("--by-memory", command.options.pairs_by_memory, "").hidden();
  line.add_flag("--forget-at-once", command.forget_at_once, "").hidden();
  add_interrupt(line, command.interrupt);
  line.add_number("--error-exitcode", command.error_status, "the exit status if there are races [1]")
      .value("N")
      .between(0, 255);
}

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf() || text.str().empty()))
    throw Failure(kWrongUse, fmt::format("{}: cannot be read", file));
  return text.str();
}

report::Suppressions read_suppressions(const std::vector<std::string>& files) {
  report::Suppressions all;
  for (const std::string& file : files)
    if (const std::string wrong = all.read(text_of(file), file); !wrong.empty()) throw Failure(kWrongUse, wrong);
  return all;
}

report::RaceBaseline read_baselines(const std::vector<std::string>& files) {
  report::RaceBaseline all;
  for (const std::string& file : files)
    if (const std::string wrong = all.read(text_of(file), file); !wrong.empty()) throw Failure(kBadInput, wrong);
  return all;
}

struct Code final : slice::CodeBytes {
  explicit Code(symbols::Symbols& s) : symbols(s) {}
  std::span<const uint8_t> code_at(ModuleId module, uint64_t addr, uint32_t size) override {
    return symbols.code_at(module.value, addr, size);
  }
  symbols::Symbols& symbols;
};

// Which races only follow from others.
void judge(const trace::TraceFile& file, const races::Races& races, symbols::Symbols& symbols,
           const analysis::Watch& watch, races::RaceSearch& search, report::RaceReport& report) {
  const bool has_flow = file.find(FrameType::kDataflow) != nullptr;
  const report::RacesToJudge to = report::races_to_judge(report.findings, has_flow, report.artifacts_wanted);
  report.unjudged = to.unjudged;
  if (to.classes.empty() || !report.unjudged.empty()) return report::number_findings(report);
  const DataflowTable flows = trace::read_dataflow(file);
  Code code(symbols);
  races::InstanceEnds ends(*races.collected, to.streams, races.summary.strands ? &races.turns : nullptr);
  std::vector<slice::RacePair> candidates;
  for (const auto& of_class : to.classes)
    for (const slice::RacePair& p : races::judged_instances(of_class)) candidates.push_back(p);
  // One race follows from no other.
  if (to.classes.size() == 1 && flows.size() == file.blocks().superblock_count())
    return report::apply_verdicts(
        races::verdicts_of(to.classes, [](const auto&, uint32_t) { return slice::Judgement(); }), symbols, report);
  slice::EventControlOptions options;
  options.watch = &watch;
  options.seeker = search.seeker();
  options.library = search.c_library();
  slice::EventControl control(file, flows, code, ends, candidates, options);
  auto verdicts =
      races::verdicts_of(to.classes, [&](const slice::RacePair& p, uint32_t c) { return control.judge(p, c); });
  std::vector<slice::ArtifactOf> causes;
  for (const races::Verdict& v : verdicts)
    if (v.status == races::Verdict::Status::kArtifact) causes.push_back(v.cause);
  report.control_ended = control.ended();
  if (report.control_ended) report.missing.emplace_back("whether the later races only follow from others");
  auto reasons = control.reasons(causes);
  if (control.ended() && !report.control_ended) report.missing.emplace_back("some reasons, step by step");
  size_t next = 0;
  for (races::Verdict& v : verdicts)
    if (v.status == races::Verdict::Status::kArtifact) v.reason = std::move(reasons[next++]);
  report::apply_verdicts(verdicts, symbols, report);
}

// Which of those a lock at the root alone would leave.
void tell_staying(races::RaceSearch& search, report::RaceReport& report) {
  const report::RootsAndArtifacts artifacts = report::roots_and_artifacts(report.findings);
  if (artifacts.locks.empty()) return;
  const auto stays = search.staying(artifacts.locks);
  if (!stays) return report.missing.emplace_back("which artifacts stay"), void();
  for (size_t lock = 0; lock < stays->size(); ++lock)
    for (size_t n = 0; n < (*stays)[lock].size(); ++n)
      report.findings[artifacts.findings[lock][n]].stays = (*stays)[lock][n];
}

// What the report lacks, in words.
void tell_search_end(const races::SearchEnd& end, uint64_t events, report::RaceReport& report) {
  if (end.event) report.missing.push_back(only_first(*end.event, events));
  if (end.pairs) report.missing.emplace_back("not all threads were compared with each other");
  if (end.examples) report.missing.emplace_back("call stacks and locks of some races, and which are schedulable");
}

// On standard error, as Valgrind's -v does: what was used how often.
void tell_suppressions(const report::Suppressions& suppressions) {
  size_t used = 0;
  for (const report::Suppression& s : suppressions.all()) used += s.used != 0;
  if (suppressions.all().empty()) return;
  fmt::print(stderr, "cdrgrind: suppressions: {} used, {} unused\n", used, suppressions.all().size() - used);
  for (const report::Suppression& s : suppressions.all())
    fmt::print(stderr, "cdrgrind: {}: {} {} ({})\n", s.used ? "used" : "unused", s.used, report::visible(s.name),
               report::visible(s.where));
}

}  // namespace

report::RaceReport judged_races(const trace::TraceFile& file, const RaceQuestion& question, symbols::Symbols& symbols) {
  report::RaceFacts facts(file.modules(), symbols);
  CommandWatch watched(question.interrupt);
  races::RaceSearch search(file, facts, question.options, watched.watch());
  const races::Races races = search.find();
  report::RaceReport report;
  tell_search_end(races.end, file.event_count(), report);
  report.program = program_of(file);
  report.artifacts_wanted = question.artifacts_wanted;
  report.binaries = symbols.binaries();
  report.summary = races.summary;
  const report::ProgramScope scope(file.modules(), question.program);
  report.findings = report::findings_of(races.races, file.modules(), scope, symbols);
  judge(file, races, symbols, watched.watch(), search, report);
  tell_staying(search, report);
  watched.clear();
  return report;
}

namespace {

report::RaceTextOptions text_options(const trace::TraceFile& file, symbols::Symbols& symbols,
                                     const RacesCommand& command, const report::RaceReport& report) {
  report::RaceTextOptions options;
  options.style = style_of_stdout(command.shared.color);
  options.header = header_of(file, symbols);
  if (command.no_artifacts) options.header.emplace_back("Artifacts", "not told from roots: --no-artifacts");
  options.show_artifacts = command.show_artifacts;
  options.tell_way = command.verbose;
  options.is_bare = command.options.atomics != races::AtomicsMode::kRace && is_program_bare(file, symbols);
  options.full_stacks = command.full_stacks;
  if (!report.findings.empty())
    options.next = fmt::format("cdrgrind races --gen-suppressions=all {}", quoted_for_shell(file.name()));
  return options;
}

int run_races(const RacesCommand& command) {
  report::Suppressions suppressions = read_suppressions(command.suppressions);
  report::RaceBaseline baseline = read_baselines(command.baselines);
  const trace::TraceFile file = open_trace(command.shared.trace);
  require_data(file, "addresses, so no races");
  if (file.meta().find("data") == "nonstack") warn("recorded with --cdr-data=nonstack: races on stacks cannot be seen");
  symbols::SymbolOptions lookup = command.shared.symbols;
  if (!command.source_root.empty()) lookup.source_dirs.push_back(command.source_root);
  symbols::Symbols symbols = symbols_of(file, lookup);
  const report::ScopeOptions& asked = command.shared.scope;
  const RaceQuestion question{command.options, asked.program, !command.no_artifacts, command.interrupt};
  report::RaceReport report = judged_races(file, question, symbols);
  report.scope = asked;
  report.all_modules = asked.all_modules(command.format != "text");
  report::select_races({command.only_roots, !command.baselines.empty()}, suppressions, baseline, report);
  warn_of_binaries(report.binaries, command.generate ? "suppressions" : command.format);
  report::Output out(STDOUT_FILENO);
  if (command.generate)
    report::write_suppressions(report.findings, out);
  else if (command.format == "json")
    report::write_races_json(report, out);
  else if (command.format == "gcc")
    report::write_races_gcc(report, out);
  else if (command.format == "sarif")
    report::write_races_sarif(report, sarif_run_of(file, report, command.source_root, command.show_artifacts), out);
  else if (command.format == "xml")
    report::write_races_xml(report, xml_run_of(file, report, symbols, command.show_artifacts), out);
  else
    report::write_races(report, text_options(file, symbols, command, report), out);
  out.flush();
  tell_suppressions(suppressions);
  if (const Status status = interrupted_status(report.missing); status != kFine) return status;
  return report.roots + report.tangles == 0 ? int{kFine} : command.error_status;
}

}  // namespace

Action add_races(CommandLine& line) {
  auto command = std::make_shared<RacesCommand>();
  add_options(line, *command);
  return [command] {
    command->options.compact = !command->from_events;
    if (command->forget_at_once) command->options.forget_at = 1;
    return run_races(*command);
  };
}

}  // namespace cdr::cli
