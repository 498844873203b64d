// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind patterns`: how source lines walk through memory.
#include <unistd.h>

#include <limits>
#include <optional>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/report/patterns/patterns_report.h"
#include "cdrgrind/trace/read/reencode.h"

namespace cdr::cli {

namespace {

struct PatternsCommand {
  SharedOptions shared;
  std::optional<uint64_t> most;
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
std::vector<patterns::AccessPattern> patterns_of(const trace::TraceFile& file) {
  if (!file.epochs().empty() || file.event_count() == 0) return patterns::find_patterns(file);
  InMemoryOutput out;
  trace::rewrite(file, out, {.recording = {.form = RecordingForm::kCompact}});
  return patterns::find_patterns(trace::TraceFile::from_bytes(std::move(out.bytes), file.name()));
}

int run_patterns(const PatternsCommand& command) {
  const trace::TraceFile file = open_trace(command.shared.trace);
  require_data(file, "addresses, so no patterns");
  symbols::Symbols symbols = symbols_of(file, command.shared.symbols);
  report::PatternsReport report;
  report.most = command.most.value_or(command.shared.json ? 0 : 10);
  if (report.most == 0) report.most = std::numeric_limits<uint64_t>::max();
  report.patterns = patterns_of(file);
  report.program = program_of(file);
  report.binaries = symbols.binaries();
  report.style = style_of_stdout(command.shared.color);
  report::group_patterns(report, file.modules(), symbols);
  report.header = header_of(file, symbols);
  warn_of_binaries(report.binaries, command.shared.json ? "json" : "text");
  report::Output out(STDOUT_FILENO);
  if (command.shared.json)
    report::write_patterns_json(report, out);
  else
    report::write_patterns(report, out);
  out.flush();
  return kFine;
}

}  // namespace

Action add_patterns(CommandLine& line) {
  auto command = std::make_shared<PatternsCommand>();
  add_shared_options(line, kTraceArgument | kFormatOption | kColorOption | kSymbolOptions, command->shared);
  line.add_number("-n", command->most, "show N source lines; 0: all [10; json: all]").value("N").from_zero();
  return [command] { return run_patterns(*command); };
}

}  // namespace cdr::cli
