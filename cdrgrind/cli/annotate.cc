// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind annotate`: the dependences of a trace by source lines.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "cdrgrind/analysis/dependence/first_objects.h"
#include "cdrgrind/analysis/dependence/object_counts.h"
#include "cdrgrind/cli/carried_source.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/dependence_source.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/loop_replay.h"
#include "cdrgrind/cli/newest_trace.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/cli/record_command.h"
#include "cdrgrind/report/annotate/annotate.h"
#include "cdrgrind/report/annotate/moved_ends.h"
#include "cdrgrind/report/annotate/object_shares.h"
#include "cdrgrind/report/annotate/summary.h"
#include "cdrgrind/report/common/source_words.h"

namespace cdr::cli {

namespace {

using analysis::DependenceRow;

enum class CarriedMode : uint8_t { kAuto, kNo, kYes };
enum class ObjectsMode : uint8_t { kNo, kYes, kCount };

struct AnnotateCommand {
  SharedOptions shared;
  analysis::RowFilter filter;
  std::vector<std::string> sources;
  bool from_trace = false;
  ObjectsMode objects = ObjectsMode::kYes;
  std::string interrupt;
  CarriedMode carried = CarriedMode::kAuto;
  bool summary = false;
  uint64_t most = 0;
  unsigned jobs = 0;
  unsigned context = 8;
};

void select_kinds(const std::string& list, analysis::RowFilter& filter) {
  static const std::map<std::string, depend::Kind> kinds = {
      {"raw", depend::Kind::kRaw}, {"war", depend::Kind::kWar}, {"waw", depend::Kind::kWaw}};
  filter.kinds.clear();
  for (const std::string& word : split_list(report::small_letters(list))) {
    if (!kinds.contains(word)) throw WrongValue(fmt::format("'{}' is not raw, war or waw", word));
    filter.kinds.insert(kinds.at(word));
  }
}

void select_classes(const std::string& list, analysis::RowFilter& filter) {
  const std::string all = "flors";
  filter.classes.clear();
  for (const std::string& word : split_list(list)) {
    filter.hidden |= word == "all";
    if (word == "all")
      filter.classes.insert(all.begin(), all.end());
    else if (word.size() == 1 && all.find(word) != std::string::npos)
      filter.classes.insert(word[0]);
    else
      throw WrongValue(fmt::format("'{}' is not s, r, o, f, l or all", word));
  }
}

void add_options(CommandLine& line, AnnotateCommand& command) {
  add_shared_options(line, kTraceArgument, command.shared);
  line.add_arguments("SOURCE", command.sources, "only these source files: paths, or their last parts");
  add_shared_options(line, kFormatOption | kColorOption | kSymbolOptions | kScopeOptions, command.shared);
  line.add(
          "--kind", [&command](const std::string& list) { select_kinds(list, command.filter); },
          "kinds shown, of raw, war, waw [all]")
      .value("LIST")
      .list_of({"raw", "war", "waw"});
  line.add(
          "--class", [&command](const std::string& list) { select_classes(list, command.filter); },
          "location classes shown: s stack, r recycled, o other, f false, l linkage; all also shows hidden functions "
          "[s,r,o]")
      .value("LIST")
      .list_of({"s", "r", "o", "f", "l", "all"});
  line.add_number("--threshold", command.filter.threshold, "only rows with a count of N or more")
      .value("N")
      .from_zero();
  line.add_number("-n", command.most, "only the N rows with the highest counts; 0: all [0]").value("N").from_zero();
  line.add_number("--context", command.context, "lines shown around annotated ones [8]").value("N").from_zero();
  line.add_choice("--objects", command.objects,
                  {{"no", ObjectsMode::kNo}, {"yes", ObjectsMode::kYes}, {"count", ObjectsMode::kCount}},
                  "name the data that dependences are about, by their first occurrences; takes one more pass over the "
                  "trace; count: of all of them, and how often; takes as long as computing dependences [yes]")
      .value("WORD");
  line.add_choice(
          "--carried", command.carried,
          {{"auto", CarriedMode::kAuto}, {"no", CarriedMode::kNo}, {"yes", CarriedMode::kYes}},
          "mark what comes from an earlier iteration of a loop, and say of which; takes as long as advise; auto: "
          "of traces of up to 10,000,000 events [auto]")
      .value("WORD");
  line.add_flag("--summary", command.summary, "functions only, those with most dependences first; text");
  line.add_flag("--from-trace", command.from_trace, "compute the dependences from the events");
  add_jobs(line, command.jobs);
  add_interrupt(line, command.interrupt);
}

// Whether the row is in the scope, and in one of the files and functions asked for; notes which files had any.
class Selection {
 public:
  Selection(const AnnotateCommand& command, const trace::TraceFile& file)
      : command_(command),
        program_(file.modules(), command.shared.scope.program),
        met_(command.sources.size()),
        note_(note_of(command.shared.scope, all_modules())) {}

  bool operator()(const DependenceRow& row) {
    if (!in_sources(row) || !in_patterns(row)) return false;
    if (note_.all || program_.has(row.ancestor_at.module)) return true;
    return ++note_.left_out, false;
  }

  bool is_narrow() const { return !command_.sources.empty() || command_.shared.scope.narrows(); }
  const report::ProgramScope& program() const { return program_; }
  const report::ScopeNote& note() const { return note_; }

  void warn_of_unmet() const {
    for (size_t i = 0; i < met_.size(); ++i)
      if (!met_[i]) warn(fmt::format("{}: no dependence has an end there", command_.sources[i]));
  }

 private:
  // What is asked for by name is shown, whosever it is.
  bool all_modules() const { return command_.shared.scope.all_modules(command_.shared.json || is_narrow()); }

  bool in_sources(const DependenceRow& row) {
    bool any = met_.empty();
    for (size_t i = 0; i < met_.size(); ++i) {
      const std::string& wanted = command_.sources[i];
      if (!report::is_file(row.source.at.file, wanted) && !report::is_file(row.target.at.file, wanted)) continue;
      any = met_[i] = true;
    }
    return any;
  }
  bool in_patterns(const DependenceRow& row) const {
    const report::ScopeOptions& scope = command_.shared.scope;
    return scope.has(row.source.at.file, row.ancestor) || scope.has(row.target.at.file, row.ancestor);
  }

  const AnnotateCommand& command_;
  const report::ProgramScope program_;
  std::vector<bool> met_;
  report::ScopeNote note_;
};

void warn_of_limits(const depend::ResultTable& table) {
  if (table.stats().imprecise == 0) return;
  warn(fmt::format("the dependences are incomplete: {} accesses did not fit into --cdr-deps-memory",
                   report::with_separators(table.stats().imprecise)));
}

report::AnnotateOptions text_options(const trace::TraceFile& file, symbols::Symbols& symbols,
                                     const AnnotateCommand& command, const Selection& selection) {
  report::AnnotateOptions options;
  options.style = style_of_stdout(command.shared.color);
  options.context = command.context;
  options.chosen = selection.is_narrow();
  options.scope = selection.note();
  options.threshold = command.filter.threshold;
  options.program_path = program_path_of(file);
  options.trace = quoted_for_shell(file.name());
  options.header = header_of(file, symbols);
  if (const uint64_t gaps = file.end() ? file.end()->counter("gaps").value_or(0) : 0)
    options.header.emplace_back("Gaps",
                                fmt::format("{}, in which nothing was recorded", report::with_separators(gaps)));
  return options;
}

// Several engines have other limits of memory than the one that counts by object.
depend::ResultTable dependences_of(const trace::TraceFile& file, const AnnotateCommand& command) {
  if (!command.from_trace) return any_dependences(file, command.jobs);
  depend::ResultTable table = computed_dependences(file, command.jobs);
  const bool counts = command.objects == ObjectsMode::kCount;
  return counts && table.stats().imprecise != 0 ? computed_dependences(file, 1) : table;
}

// For all rows that are shown but those that only serve calling.
void find_objects(const trace::TraceFile& file, const depend::ResultTable& table,
                  const std::vector<DependenceRow>& rows, const report::ProgramScope& scope, report::ObjectNames& to) {
  std::vector<uint32_t> keys;
  for (const DependenceRow& row : rows)
    if (row.location != 'l') keys.insert(keys.end(), row.keys.begin(), row.keys.end());
  ProgressLine line;
  const auto objects = analysis::first_objects(file, table, keys, scope.libraries(), line.progress());
  line.clear();
  for (size_t i = 0; i < keys.size(); ++i) to.add(keys[i], objects[i]);
}

// How often rows are about which object; if it was interrupted, nothing, and `missing` says so.
std::optional<report::ObjectShares> count_objects(const trace::TraceFile& file, const depend::ResultTable& table,
                                                  const std::vector<DependenceRow>& rows,
                                                  const report::ProgramScope& scope, const AnnotateCommand& command,
                                                  report::NumberedObjects& numbers, std::vector<std::string>& missing) {
  if (command.objects != ObjectsMode::kCount) return std::nullopt;
  CommandWatch watch(command.interrupt);
  analysis::WatchedPart part(watch.watch(), "objects", file.event_count(), kEventsBetween);
  analysis::CountedObjects counted =
      analysis::count_objects(file, engine_options(file), table, rows, scope.libraries(), numbers, part);
  watch.clear();
  if (part.ended()) {
    missing.push_back("how often variables are depended on: " + only_first(*part.end(), file.event_count()));
    return std::nullopt;
  }
  if (!counted.same)
    throw Failure(kBadInput, fmt::format("{}: the dependences in it are not those of its events, so they cannot be "
                                         "counted by object; try --from-trace",
                                         file.name()));
  report::ObjectShares shares(numbers);
  for (size_t i = 0; i < rows.size(); ++i) shares.add(rows[i], std::move(counted.rows[i]));
  return shares;
}

// Whether loops are to be looked at; `why`: why not, if the user has not said so.
bool looks_at_loops(const trace::TraceFile& file, const AnnotateCommand& command, std::string& why) {
  constexpr uint64_t kMostEvents = 10'000'000;
  if (command.carried == CarriedMode::kNo || command.summary) return false;
  if (command.carried == CarriedMode::kYes) {
    require_data(file, "addresses, so nothing is known of what loops carry");
    return true;
  }
  if (file.meta().find("data") == "none") return false;
  if (file.event_count() > kMostEvents)
    why = fmt::format("not looked for in {} events; --carried=yes does", report::with_separators(file.event_count()));
  return why.empty();
}

// The first word is a source file if it is called like one and is no trace.
void tell_source_from_trace(AnnotateCommand& command) {
  constexpr std::string_view kEndings[] = {".c",   ".cc", ".cpp", ".cxx", ".C",  ".h", ".hh",
                                           ".hpp", ".f",  ".f90", ".rs",  ".go", ".d", ".ada"};
  std::string& first = command.shared.trace;
  const auto ends = [&](std::string_view ending) { return first.ends_with(ending); };
  if (std::none_of(std::begin(kEndings), std::end(kEndings), ends) || is_trace(first)) return;
  command.sources.insert(command.sources.begin(), first);
  first.clear();
}

// What loops carry; if it was interrupted, nothing, and `missing` says so.
std::optional<report::CarriedMarks> look_at_loops(const trace::TraceFile& file, const depend::ResultTable& table,
                                                  const AnnotateCommand& command, symbols::Symbols& symbols,
                                                  std::vector<std::string>& missing) {
  CommandWatch watch(command.interrupt);
  try {
    const LoopQuestion question{.program = command.shared.scope.program, .jobs = command.jobs};
    auto marks = carried_marks(file, table, question, symbols, watch.watch());
    watch.clear();
    return marks;
  } catch (const ReplayInterrupted& interrupted) {
    watch.clear();
    missing.push_back("what loops carry: " + interrupted.looked_at);
    return std::nullopt;
  }
}

int run_annotate(AnnotateCommand& command) {
  tell_source_from_trace(command);
  if (command.summary && command.shared.json) throw Failure(kWrongUse, "--summary is text: leave out --format=json");
  const trace::TraceFile file = open_trace(command.shared.trace);
  if (command.objects == ObjectsMode::kCount) require_data(file, "addresses, so nothing can be counted by object");
  const depend::ResultTable table = dependences_of(file, command);
  warn_of_limits(table);
  symbols::Symbols symbols = symbols_of(file, command.shared.symbols);
  report::SymbolNames names(file.modules(), symbols);
  Selection selection(command, file);
  command.filter.accept = std::ref(selection);
  analysis::DependenceRows rows = analysis::rows_by_line(table.rows(), names, command.filter);
  if (command.most != 0) analysis::keep_most(rows, command.most);
  selection.warn_of_unmet();
  report::ObjectNames objects(file.modules(), symbols);
  const bool with_objects = command.objects != ObjectsMode::kNo && file.meta().find("data") != "none";
  if (with_objects) find_objects(file, table, rows.rows, selection.program(), objects);
  std::vector<std::string> missing;
  report::NumberedObjects numbers(file.modules(), symbols, report::SameObject::kByPlace);
  const auto shares = count_objects(file, table, rows.rows, selection.program(), command, numbers, missing);
  std::string why;
  std::optional<report::CarriedMarks> carried;
  if (looks_at_loops(file, command, why)) carried = look_at_loops(file, table, command, symbols, missing);
  report::Output out(STDOUT_FILENO);
  const report::BinaryNotes binaries = symbols.binaries();
  warn_of_binaries(binaries, command.shared.json ? "json" : "text");
  if (command.shared.json) {
    const report::CarriedMarks* const loops = carried ? &*carried : nullptr;
    report::ScopeNote note = selection.note();
    note.missing = missing;
    const report::MovedEnds moved(loops, with_objects ? &objects : nullptr, symbols);
    report::write_dependences_json(rows, program_of(file), out, binaries, note, with_objects ? &objects : nullptr,
                                   &names, loops, loops && with_objects ? &moved : nullptr,
                                   shares ? &*shares : nullptr);
  } else {
    report::AnnotateOptions options = text_options(file, symbols, command, selection);
    if (with_objects) options.objects = &objects;
    if (shares) options.shares = &*shares;
    if (carried) options.carried = &*carried;
    if (!why.empty()) options.header.emplace_back("Loops", why);
    for (const std::string& what : missing) options.header.emplace_back("Incomplete", what);
    if (command.summary)
      report::write_summary(rows, names, options, out);
    else
      report::write_annotation(rows, names, options, out);
  }
  out.flush();
  return interrupted_status(missing);
}

}  // namespace

Action add_annotate(CommandLine& line) {
  auto command = std::make_shared<AnnotateCommand>();
  add_options(line, *command);
  return [command] { return run_annotate(*command); };
}

}  // namespace cdr::cli
