// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind diff`: what two runs do otherwise.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "cdrgrind/cli/advice_source.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/dependence_source.h"
#include "cdrgrind/cli/diff_control.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/cli/race_source.h"
#include "cdrgrind/cli/report_head.h"
#include "cdrgrind/report/races/race_baseline.h"

namespace cdr::cli {

namespace {

using report::DiffPart;

constexpr DiffPart kParts[] = {DiffPart::kPaths,   DiffPart::kCounts, DiffPart::kDependences,
                               DiffPart::kCarried, DiffPart::kRaces,  DiffPart::kSizes};

using PartSet = std::set<DiffPart>;
const PartSet kAllParts(std::begin(kParts), std::end(kParts));

struct DiffCommand {
  SharedOptions shared;
  std::string before, after;
  std::vector<symbols::PathMap> old_path_maps;
  bool all_modules = false;
  std::optional<PartSet> parts;
  PartSet fail_on = kAllParts;
  std::optional<uint64_t> most;
  unsigned jobs = 0;
  int error_status = kFindings;
};

std::vector<std::string> part_names() {
  std::vector<std::string> names;
  for (const DiffPart p : kParts)
    if (p != DiffPart::kSizes) names.emplace_back(report::name_of(p));
  return names;
}

PartSet parts_of(const std::string& list) {
  PartSet parts;
  for (const std::string& word : split_list(list)) {
    const auto found = std::find_if(std::begin(kParts), std::end(kParts),
                                    [&](DiffPart p) { return p != DiffPart::kSizes && report::name_of(p) == word; });
    if (found == std::end(kParts))
      throw WrongValue(fmt::format("'{}' is none of {}", word, fmt::join(part_names(), ", ")));
    parts.insert(*found);
  }
  return parts;
}

void add_options(CommandLine& line, DiffCommand& command) {
  line.add("OLD", command.before, "the trace to compare with").required();
  line.add("NEW", command.after, "the trace that may be another").required();
  const std::vector<std::string> names = part_names();
  std::vector<std::string> fail_words = names;
  fail_words.insert(fail_words.end(), {"any", "none"});
  line.add(
          "--fail-on",
          [&command](const std::string& list) {
            command.fail_on = list == "any" ? kAllParts : list == "none" ? PartSet() : parts_of(list);
          },
          fmt::format("exit with 1 if these differ, of {}; any or none [any]", fmt::join(names, ", ")))
      .value("LIST")
      .list_of(fail_words);
  line.add(
          "--parts", [&command](const std::string& list) { command.parts = parts_of(list); },
          "compare these only, of the same words [all that can be]")
      .value("LIST")
      .list_of(names);
  line.add_number("-n", command.most, "show N rows of each table; 0: all [10; json: all]").value("N").from_zero();
  line.add_choice("--scope", command.all_modules, {{"program", false}, {"all", true}},
                  "program: the program's own code; all: libraries, too [program]")
      .value("WORD");
  add_shared_options(line, kProgramOption | kFormatOption | kColorOption | kSymbolOptions, command.shared);
  add_path_map(line, "--old-path-map", command.old_path_maps,
               "as --path-map, for the old trace alone: where its sources are now; repeatable");
  add_jobs(line, command.jobs);
  line.add_number("--error-exitcode", command.error_status, "the exit status if they differ [1]")
      .value("N")
      .between(0, 255);
}

bool is_multithreaded(const trace::TraceFile& file) {
  const auto threads = file.end() ? file.end()->counter("threads") : std::nullopt;
  return threads.value_or(2) > 1;
}

// What is missing is said with the name: there are two.
trace::TraceFile open_named(const std::string& path) {
  trace::TraceFile file = read_trace(path);
  if (const std::string text = file.status_text(); !text.empty()) warn(fmt::format("{}: {}", file.name(), text));
  return file;
}

class Comparison {
 public:
  explicit Comparison(const DiffCommand& command)
      : command_(command),
        old_file_(open_named(command.before)),
        new_file_(open_named(command.after)),
        old_(old_file_, old_options(command), program(), command.all_modules),
        new_(new_file_, command.shared.symbols, program(), command.all_modules) {}

  report::DiffReport run() {
    describe(old_, report_.before);
    describe(new_, report_.after);
    report_.all_modules = command_.all_modules;
    compare_builds(old_, new_, report_);
    compare_sizes();
    if (diff::equal_events(old_file_, new_file_)) {
      for (const DiffPart p : kParts)
        if (p != DiffPart::kSizes) compare(p, [] {});
      return std::move(report_);
    }
    for (const DiffPart p : {DiffPart::kPaths, DiffPart::kCounts})
      if (wants(p)) report_.compared.insert(p);
    const ControlOptions control = {wants(DiffPart::kPaths), wants(DiffPart::kCounts),
                                    command_.jobs == 0 ? processors() : command_.jobs};
    match_ = compare_control(old_, new_, control, report_);
    compare(DiffPart::kDependences, [this] { dependences(); });
    compare(DiffPart::kCarried, [this] { carried(); });
    compare(DiffPart::kRaces, [this] { races(); });
    return std::move(report_);
  }

 private:
  static symbols::SymbolOptions old_options(const DiffCommand& command) {
    symbols::SymbolOptions options = command.shared.symbols;
    options.path_maps.insert(options.path_maps.begin(), command.old_path_maps.begin(), command.old_path_maps.end());
    return options;
  }
  static void describe(DiffSide& side, report::DiffReport::Run& run) {
    run.trace = side.file.name();
    run.program = program_of(side.file);
    run.command = command_line_of(side.file);
    run.binaries = side.symbols.binaries();
    run.symbols = &side.symbols;
  }
  const std::vector<std::string>& program() const { return command_.shared.scope.program; }
  bool wants(DiffPart p) const { return !command_.parts || command_.parts->contains(p); }

  // Where something is missing, or nothing can be concluded from it, that is said.
  template <class F>
  void compare(DiffPart part, F f) {
    if (!wants(part)) return;
    const bool of_memory = part != DiffPart::kPaths && part != DiffPart::kCounts;
    for (const trace::TraceFile* file : {&old_file_, &new_file_})
      if (of_memory && file->meta().find("data") == "none")
        return report_.not_compared.emplace_back(part, file->name() + " was recorded with --cdr-data=none"), void();
    if (!report_.same_build && of_memory && part != DiffPart::kRaces && !command_.parts)
      return report_.not_compared.emplace_back(part, "what is kept in memory is the compiler's choice (--parts)"),
             void();
    report_.compared.insert(part);
    f();
  }

  void dependences() {
    const auto rows = [&](DiffSide& side) {
      analysis::RowFilter filter;
      filter.accept = [&](const analysis::DependenceRow& r) { return side.own.has(r.ancestor_at); };
      const depend::ResultTable table = any_dependences(side.file, command_.jobs);
      std::vector<report::DependenceDifference> all;
      for (analysis::DependenceRow& r : analysis::rows_by_line(table.rows(), side.names, filter).rows) {
        report::DependenceDifference& d = all.emplace_back();
        d.outside = std::all_of(r.keys.begin(), r.keys.end(), [&](uint32_t key) {
          const depend::Row& row = table.rows()[key];
          return is_outside(row.key.source, row.witness.source, side) &&
                 is_outside(row.key.target, row.witness.target, side);
        });
        static_cast<analysis::DependenceRow&>(d) = std::move(r);
      }
      return all;
    };
    report::compare_dependences(rows(old_), rows(new_), *match_, report_);
    mark_the_schedules();
  }
  // `seen`: {0, 0} if it is not known.
  static bool is_outside(const depend::Endpoint& end, CodeAddr seen, const DiffSide& side) {
    return end.code != depend::EndpointCode::kOwn && (seen == CodeAddr() || !side.scope.has(seen.module));
  }
  // What the code of libraries did to what is theirs, as that of threads does, depends on who came first.
  void mark_the_schedules() {
    if (!is_multithreaded(old_file_) && !is_multithreaded(new_file_)) return;
    for (auto* rows : {&report_.came, &report_.went})
      for (report::DependenceDifference& d : *rows) d.schedule = d.outside;
  }
  void carried() {
    const LoopQuestion question{.program = program(), .jobs = command_.jobs};
    const auto loops = [&](DiffSide& side) { return advice_of(side.file, question, side.symbols).loops; };
    report::compare_advice(loops(old_), loops(new_), *match_, report_);
  }
  void races() {
    report::RaceReport before = races_of(old_), after = races_of(new_);
    const report::RaceReport old_races = before;
    report_.new_races = unknown(after, old_races);
    report_.gone_races = unknown(before, after);
  }
  report::RaceReport races_of(DiffSide& side) const {
    if (!is_multithreaded(side.file)) return {};
    report::RaceReport report = judged_races(side.file, {{}, program()}, side.symbols);
    if (!command_.all_modules) std::erase_if(report.findings, [](const report::RaceFinding& f) { return f.outside; });
    return report;
  }
  // Those that the other report does not have, whatever it says of them, and that follow from no others.
  static std::vector<report::RaceFinding> unknown(report::RaceReport report, const report::RaceReport& other) {
    report::Output text;
    report::write_races_json(other, text);
    report::RaceBaseline known;
    known.read(text.text(), other.program);
    known.remove_known(report);
    std::erase_if(report.findings,
                  [](const report::RaceFinding& f) { return f.status == cdr::races::Verdict::Status::kArtifact; });
    return std::move(report.findings);
  }

  void compare_sizes() {
    const auto counter = [](const trace::TraceFile& file, const char* name) {
      return file.end() ? file.end()->counter(name).value_or(0) : 0;
    };
    report_.sizes.push_back({"file_bytes", old_file_.bytes(), new_file_.bytes()});
    for (const char* name : {"events", "blocks", "instructions", "accesses", "threads"})
      report_.sizes.push_back({name, counter(old_file_, name), counter(new_file_, name)});
  }

  const DiffCommand& command_;
  const trace::TraceFile old_file_, new_file_;
  DiffSide old_, new_;
  std::unique_ptr<report::SourceMatch> match_;
  report::DiffReport report_;
};

// Of the parts that --parts or --fail-on named. What another build leaves out has nothing to fail.
void check_named(const DiffCommand& command, const report::DiffReport& report) {
  if (!report.same_build && !command.parts) return;
  for (const auto& [part, why] : report.not_compared)
    if ((command.parts && command.parts->contains(part)) ||
        (command.fail_on != kAllParts && command.fail_on.contains(part)))
      throw Failure(kBadInput, fmt::format("diff: {} cannot be compared: {}", report::name_of(part), why));
}

int run_diff(const DiffCommand& command) {
  if (command.before == kStandardInput && command.after == kStandardInput)
    throw Failure(kWrongUse, "diff: standard input (-) can be given once");
  Comparison comparison(command);
  report::DiffReport report = comparison.run();
  report.style = style_of_stdout(command.shared.color);
  report.most = most_shown(command.most, command.shared.json);
  report::Output out(STDOUT_FILENO);
  if (command.shared.json)
    report::write_diff_json(report, out);
  else
    report::write_diff(report, out);
  out.flush();
  const bool differs =
      std::any_of(command.fail_on.begin(), command.fail_on.end(), [&](DiffPart p) { return report.differs(p); });
  if (differs) return command.error_status;
  check_named(command, report);
  return kFine;
}

}  // namespace

Action add_diff(CommandLine& line) {
  auto command = std::make_shared<DiffCommand>();
  add_options(line, *command);
  return [command] { return run_diff(*command); };
}

}  // namespace cdr::cli
