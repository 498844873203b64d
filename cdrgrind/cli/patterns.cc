// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind patterns`: how source lines walk through memory.
#include <unistd.h>

#include <optional>

#include "cdrgrind/analysis/patterns/near_use.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/report_head.h"
#include "cdrgrind/report/patterns/patterns_report.h"
#include "cdrgrind/trace/read/reencode.h"

namespace cdr::cli {

namespace {

struct PatternsCommand {
  SharedOptions shared;
  std::optional<uint64_t> most;
  bool objects = true;
  std::string interrupt;
};

class InMemoryOutput final : public cdr::Output {
 public:
  bool write(std::span<const uint8_t> more) override {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return true;
  }
  std::vector<uint8_t> bytes;
};

// Streams of addresses are what a compact trace has: a plain one is made compact first, in memory.
std::vector<patterns::AccessPattern> patterns_in(const trace::TraceFile& file, const analysis::Watch& watch,
                                                 std::vector<std::string>& missing) {
  const uint64_t blocks = file.epochs().size() * file.blocks().block_count();
  analysis::WatchedPart part(watch, "blocks", blocks, 16);
  auto found = patterns::find_patterns(file, part);
  patterns::find_near_use(file.blocks(), found);
  if (part.ended()) missing.push_back(only_first(*part.end(), blocks, "blocks of code"));
  return found;
}
std::vector<patterns::AccessPattern> patterns_of(const trace::TraceFile& file, const analysis::Watch& watch,
                                                 std::vector<std::string>& missing) {
  if (!file.epochs().empty() || file.event_count() == 0) return patterns_in(file, watch, missing);
  InMemoryOutput out;
  trace::rewrite(file, out, {.recording = {.form = RecordingForm::kCompact}});
  return patterns_in(trace::TraceFile::from_bytes(std::move(out.bytes), file.name()), watch, missing);
}

void group(const PatternsCommand& command, const trace::TraceFile& file, report::SymbolNames& names,
           const analysis::Watch& watch, std::vector<std::string>& missing, report::PatternsReport& report) {
  const report::ScopeOptions& scope = command.shared.scope;
  report.scope = note_of(scope, scope.all_modules(command.shared.json));
  if (report.scope.all) return report::group_patterns(report, scope, nullptr, file, names);
  const analysis::CodeOwners owners =
      report::code_owners(file.blocks(), report::ProgramScope(file.modules(), scope.program), names);
  analysis::ProgramPart part(file.blocks(), file.modules(), owners);
  analysis::WatchedPart watched(watch, "libraries", file.event_count(), kEventsBetween);
  const patterns::ChargedAccesses charged = patterns::charge_accesses(file, report.patterns, part, watched);
  if (watched.ended())
    missing.push_back("what libraries access for the program: " + only_first(*watched.end(), file.event_count()));
  const report::ProgramPatterns program{owners, charged};
  report::group_patterns(report, scope, &program, file, names);
}

void name_objects(const PatternsCommand& command, const trace::TraceFile& file, symbols::Symbols& symbols,
                  const analysis::Watch& watch, std::vector<std::string>& missing, report::PatternsReport& report) {
  analysis::WatchedPart watched(watch, "objects", file.event_count(), kEventsBetween);
  const report::ProgramScope program(file.modules(), command.shared.scope.program);
  report::name_objects(report, file, program, command.shared.json, symbols, watched);
  if (watched.ended())
    missing.push_back("what instructions walk over: " + only_first(*watched.end(), file.event_count()));
}

int run_patterns(const PatternsCommand& command) {
  const trace::TraceFile file = open_trace(command.shared.trace);
  require_data(file, "addresses, so no patterns");
  symbols::Symbols symbols = symbols_of(file, command.shared.symbols);
  report::PatternsReport report;
  report.most = most_shown(command.most, command.shared.json);
  CommandWatch watched(command.interrupt);
  std::vector<std::string> missing;
  report.patterns = patterns_of(file, watched.watch(), missing);
  report::SymbolNames names(file.modules(), symbols);
  group(command, file, names, watched.watch(), missing, report);
  if (command.objects) name_objects(command, file, symbols, watched.watch(), missing, report);
  report.scope.missing = missing;
  watched.clear();
  static_cast<report::ReportHead&>(report) =
      head_of(file, symbols, command.shared.color, command.shared.json ? "json" : "text");
  report::Output out(STDOUT_FILENO);
  if (command.shared.json)
    report::write_patterns_json(report, out);
  else
    report::write_patterns(report, out);
  out.flush();
  return interrupted_status(report.scope.missing);
}

}  // namespace

Action add_patterns(CommandLine& line) {
  auto command = std::make_shared<PatternsCommand>();
  add_shared_options(line, kTraceArgument | kFormatOption | kColorOption | kSymbolOptions | kScopeOptions,
                     command->shared);
  line.add_number("-n", command->most, "show N source lines; 0: all [10; json: all]").value("N").from_zero();
  line.add_choice("--objects", command->objects, {{"no", false}, {"yes", true}},
                  "name the data that is walked over; takes one more pass over the trace [yes]")
      .value("WORD");
  add_interrupt(line, command->interrupt);
  return [command] { return run_patterns(*command); };
}

}  // namespace cdr::cli
