// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind report`: everything that the commands say, as a page for browsers.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <set>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/command_runs.h"
#include "cdrgrind/cli/dependence_source.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/input_file.h"
#include "cdrgrind/cli/newest_trace.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/output_file.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/cli/rank_traces.h"
#include "cdrgrind/cli/record_command.h"
#include "cdrgrind/report/html/html_page.h"
#include "cdrgrind/report/html/source_texts.h"
#include "cdrgrind/report/html/timeline_json.h"

namespace cdr::cli {

namespace {

// What of long documents is put into the page.
constexpr const char* kDependenceRows = "5000";
constexpr const char* kLoops = "200";
constexpr const char* kPatternLines = "1000";
constexpr const char* kSharingRows = "250";
constexpr const char* kPathRows = "50";
constexpr const char* kStandardOutput = "-";
constexpr const char* kChartEnd = "1000";
// Loop nests are of one thread each: of so many threads.
constexpr uint32_t kNestThreads = 8;
constexpr const char* kNestItems = "300";
constexpr uint64_t kMostOperations = 1'000'000;

struct ReportCommand {
  SharedOptions shared;
  std::vector<std::string> traces;
  std::string output;
  bool no_sources = false;
  uint64_t threads = 8;
  unsigned jobs = 0;
};

using Words = std::vector<std::string>;

// A name that begins with a dash is no option.
std::string as_argument(const std::string& path) {
  return path.starts_with('-') && path != kStandardInput ? "./" + path : path;
}

class CommandList {
 public:
  // `ranks`: the traces are those of ranks of an MPI program, of which `file` is the first.
  CommandList(const ReportCommand& command, const trace::TraceFile& file, bool ranks) : command_(command) {
    const std::string trace = as_argument(file.name());
    if (ranks)
      add({"mpi"}, {traces(), symbols()});
    else if (command.traces.size() == 2)
      add({"diff", as_argument(command.traces[0]), trace}, {scope(), symbols(), program(), jobs()});
    add({"annotate", trace, "--carried=no", "-n", kDependenceRows}, {scope(), program(), narrow(), symbols(), jobs()});
    add({"advise", trace, fmt::format("--threads={}", command.threads), "-n", kLoops},
        {scope(), program(), narrow(), symbols(), jobs()});
    add({"races", trace}, {scope(), program(), narrow(), symbols()});
    add({"patterns", trace, "-n", kPatternLines}, {scope(), program(), narrow(), symbols()});
    add({"sharing", trace, "-n", kSharingRows}, {scope(), program(), narrow(), symbols()});
    add({"sync", trace, std::string("--to-sync=") + kChartEnd}, {scope(), program(), narrow(), symbols()});
    add({"paths", trace, "-n", kPathRows}, {scope(), program(), narrow(), symbols()});
    const auto threads = file.end() ? file.end()->counter("threads") : std::nullopt;
    for (uint32_t t = 1; t <= std::clamp<uint64_t>(threads.value_or(1), 1, kNestThreads); ++t)
      add({"loops", trace, fmt::format("--thread={}", t), "-n", kNestItems}, {scope(), program(), narrow(), symbols()});
    add({"stats", trace}, {program()});
  }
  std::vector<Words> take() { return std::move(all_); }

 private:
  void add(Words words, const std::vector<Words>& options) {
    for (const Words& o : options) words.insert(words.end(), o.begin(), o.end());
    words.emplace_back("--format=json");
    all_.push_back(std::move(words));
  }
  Words traces() const {
    Words words;
    for (const std::string& name : command_.traces) words.push_back(as_argument(name));
    return words;
  }
  Words scope() const { return {command_.shared.scope.all_modules(false) ? "--scope=all" : "--scope=program"}; }
  static Words named(const char* name, const Words& values) {
    Words words;
    for (const std::string& v : values) words.push_back(fmt::format("{}={}", name, v));
    return words;
  }
  Words program() const { return named("--program", command_.shared.scope.program); }
  Words narrow() const {
    Words words = named("--function", command_.shared.scope.functions);
    for (const std::string& w : named("--file", command_.shared.scope.files)) words.push_back(w);
    return words;
  }
  Words symbols() const {
    const symbols::SymbolOptions& options = command_.shared.symbols;
    Words words;
    for (const symbols::PathMap& m : options.path_maps) words.push_back(fmt::format("--path-map={}={}", m.from, m.to));
    for (const std::string& dir : options.source_dirs) words.insert(words.end(), {"-I", dir});
    for (const std::string& w : named("--debug-dir", options.debug_dirs)) words.push_back(w);
    return words;
  }
  Words jobs() const { return command_.jobs == 0 ? Words() : Words{fmt::format("--jobs={}", command_.jobs)}; }

  const ReportCommand& command_;
  std::vector<Words> all_;
};

// Standard input can be read once: it is kept in memory, and becomes this program's input again.
std::string keep_standard_input() {
  const int kept = memfd_create("trace", MFD_CLOEXEC);
  InputFile input(kStandardInput);
  for (std::string_view piece; !(piece = input.next()).empty();)
    for (size_t put = 0; put < piece.size();) {
      const ssize_t n = write(kept, piece.data() + put, piece.size() - put);
      if (n < 0) throw Failure(kBadInput, "standard input cannot be kept in memory");
      put += static_cast<size_t>(n);
    }
  const std::string name = fmt::format("/proc/{}/fd/{}", getpid(), kept);
  const int again = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (kept < 0 || again < 0 || dup2(again, STDIN_FILENO) < 0)
    throw Failure(kBadInput, "standard input cannot be read twice");
  close(again);
  return name;
}

struct Document {
  std::string name, json;
};

// "cdrgrind.races/1" of a document that begins so.
std::string schema_of(const std::string& json) {
  constexpr std::string_view kKey = "\"schema\":";
  const size_t key = json.find(kKey);
  if (key == std::string::npos || key > 16) return {};
  const size_t begin = json.find('"', key + kKey.size());
  const size_t end = begin == std::string::npos ? begin : json.find('"', begin + 1);
  return end == std::string::npos ? std::string() : json.substr(begin + 1, end - begin - 1);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// What the page says of itself, schema cdrgrind.report/1; and the commands' documents.
class Documents {
 public:
  explicit Documents(report::JsonWriter& to) : to_(to) {}

  // Loop nests of other threads than main have the thread behind the schema.
  void add(CommandRun& run, std::vector<Document>& documents) {
    std::string name = run.status > kFindings && run.status != kInterrupted ? "" : schema_of(run.output);
    for (const std::string& word : run.words)
      if (run.words[0] == "loops" && word.starts_with("--thread=") && word != "--thread=1" && !name.empty())
        name += " thread " + word.substr(word.find('=') + 1);
    to_.object().list("words", run.words).members("status", run.status).key("document");
    name.empty() ? to_.null() : to_.value(name);
    to_.list("messages", lines_of(run.messages)).end();
    if (!name.empty()) documents.push_back({std::move(name), std::move(run.output)});
  }

 private:
  report::JsonWriter& to_;
};

struct PagePlace {
  explicit PagePlace(const trace::TraceFile& file, const ReportCommand& command)
      : symbols(symbols_of(file, command.shared.symbols)),
        scope(file.modules(), command.shared.scope.program),
        names(file.modules(), symbols) {}
  symbols::Symbols symbols;
  const report::ProgramScope scope;
  report::SymbolNames names;
};

void add_timeline(const trace::TraceFile& file, const ReportCommand& command, PagePlace& place,
                  std::vector<Document>& documents) {
  report::SyncNames names(file, place.scope, place.symbols);
  const sync::SyncTotals totals = sync::count_sync(file);
  names.find_objects(totals);
  const bool all = command.shared.scope.all_modules(false);
  sync::ChartRange range;
  range.first = 0;
  range.most_rows = kMostOperations;
  if (!all) range.hidden = names.of_others();
  const sync::SyncChart chart = sync::chart_of(file, range);
  names.find_places(report::events_of(totals, chart, {}), all);
  ProgressLine line;
  const timeline::Timeline timeline = timeline::timeline_of(file, chart, {}, line.progress());
  line.clear();
  const auto heat = report::line_heat(timeline, file.blocks(), place.scope, all, place.names);
  const std::string program = program_of(file);
  report::Output text;
  report::write_timeline_json({program, timeline, chart, names, heat}, text);
  documents.push_back({"cdrgrind.timeline/1", text.text()});
  std::set<std::string_view> files;
  for (const report::LineHeat& h : heat) files.insert(h.at.file);
  report::Output sources;
  report::write_sources_json(files, !command.no_sources, place.symbols, sources);
  documents.push_back({"cdrgrind.sources/1", sources.text()});
}

// A page never takes a trace's place.
void check_output(const ReportCommand& command) {
  std::error_code error;
  for (const std::string& trace : command.traces)
    if (std::filesystem::equivalent(trace, command.output, error) && std::filesystem::is_regular_file(trace, error))
      throw Failure(kWrongUse, fmt::format("{}: the page would take the trace's place", command.output));
}

template <class F>
void write_page(const std::vector<Document>& documents, F put) {
  report::HtmlPage html(report::page_program());
  put(html.head());
  for (const Document& d : documents) put(html.document(d.name, d.json));
  put(html.foot());
}

int run_report(ReportCommand& command) {
  if (!report::page_program().is_there())
    throw Failure(kWrongUse,
                  "report: this cdrgrind was built without the page's program; it needs esbuild and node-typescript "
                  "when it is built");
  if (command.traces.empty()) command.traces.push_back(trace_or_newest(""));
  check_output(command);
  const std::optional<size_t> first_rank =
      command.traces.size() > 1 ? first_of_ranks(command.traces) : std::optional<size_t>();
  if (command.traces.size() > 2 && !first_rank)
    throw Failure(kWrongUse,
                  "report: one trace, or two to be compared, or those of the ranks of one run of an MPI program");
  const bool from_input = std::count(command.traces.begin(), command.traces.end(), kStandardInput) != 0;
  const std::string input = from_input ? keep_standard_input() : std::string();
  const trace::TraceFile file = open_trace(first_rank ? command.traces[*first_rank] : command.traces.back());
  const bool ranks = first_rank || (command.traces.size() == 1 && is_rank(file));
  CommandRuns runs(CommandList(command, file, ranks).take(), input, command.jobs == 0 ? processors() : command.jobs);
  std::vector<Document> documents;
  PagePlace place(file, command);
  add_timeline(file, command, place, documents);

  report::Output about;
  report::JsonWriter to(about);
  to.object().members("schema", "cdrgrind.report/1", "version", report::page_program().version, "program",
                      program_of(file));
  to.list("traces", command.traces).list("command", command_of(file)).key("header").rows();
  for (const auto& [title, text] : header_of(file, place.symbols)) to.array().value(title).value(text).end();
  to.end().key("commands").rows();
  Documents all(to);
  bool interrupted = false;
  for (size_t i = 0; i < runs.count(); ++i) {
    CommandRun& run = runs.result(i);
    interrupted |= run.status == kInterrupted || run.status == 128 + SIGINT;
    all.add(run, documents);
  }
  to.end().end();

  documents.insert(documents.begin(), {"cdrgrind.report/1", about.text()});
  if (command.output == kStandardOutput) {
    report::Output out(STDOUT_FILENO);
    write_page(documents, [&](std::string_view text) { out.put(text); });
    out.flush();
  } else {
    OutputFile page(command.output, {.keep = file.name()});
    write_page(documents, [&](std::string_view text) {
      page.write({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
    });
    page.put_in_place();
  }
  return interrupted ? kInterrupted : kFine;
}

}  // namespace

Action add_report(CommandLine& line) {
  auto command = std::make_shared<ReportCommand>();
  line.add_arguments("FILE", command->traces,
                     "a trace, or two to be compared, the older first, or those of the ranks of an MPI program [the "
                     "newest here]; - is standard input");
  line.add("-o,--output", command->output, "write the page there; - is standard output").value("FILE.html").required();
  line.add_flag("--no-sources", command->no_sources, "leave the texts of sources out of the page");
  line.add_number("--threads", command->threads, "how many threads a loop would have, for advice [8]")
      .value("N")
      .between(1, 100'000);
  add_shared_options(line, kSymbolOptions | kScopeOptions, command->shared);
  add_jobs(line, command->jobs);
  return [command] { return run_report(*command); };
}

}  // namespace cdr::cli
