// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind advise`: which loops are parallel, what the others carry, and what parallel execution would bring.
#include <unistd.h>

#include <limits>
#include <optional>

#include "cdrgrind/analysis/regions/jump_log.h"
#include "cdrgrind/analysis/regions/replay.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/dataflow_reader.h"

namespace cdr::cli {

namespace {

struct AdviseCommand {
  SharedOptions shared;
  std::vector<std::string> program;
  std::optional<uint64_t> most;
  uint64_t threads = 8;
};

regions::Regions replay(const trace::TraceFile& file, regions::CodeLoops& loops, regions::RegisterFlow& registers,
                        report::AdviseFacts& facts, uint64_t threads) {
  regions::Replay replay(file.blocks(), facts.library(), loops, registers, facts, {threads});
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) replay.see(e);
  return replay.finish();
}

int run_advise(const AdviseCommand& command) {
  const trace::TraceFile file = open_trace(command.shared.trace);
  require_data(file, "addresses, so nothing is known of what loops carry");
  symbols::Symbols symbols = symbols_of(file, command.shared.symbols);
  const report::ProgramScope scope(file.modules(), command.program);
  report::AdviseFacts facts(file.modules(), scope, symbols);
  const DataflowTable flows = trace::read_dataflow(file);
  const regions::JumpLog jumps(file);
  regions::CodeLoops loops(file.blocks(), jumps, facts);
  regions::InsnTable insns(facts);
  regions::RegisterFlow registers(file.blocks(), flows, insns);
  regions::Regions regions = replay(file, loops, registers, facts, command.threads);
  advise::ValueTable values(file.blocks(), insns);
  const advise::Advisor advisor{file.blocks(), flows, loops, regions, values, facts, command.threads};

  report::AdviseReport report;
  report.program = program_of(file);
  report.binaries = symbols.binaries();
  report.loops = report::name_loops(advise::advise(advisor), advisor, facts, file.modules(), symbols);
  report.instructions = regions.instructions;
  report.threads = command.threads;
  report.most = command.most.value_or(command.shared.json ? 0 : 10);
  if (report.most == 0) report.most = std::numeric_limits<uint64_t>::max();
  report.style = style_of_stdout(command.shared.color);
  report.header = header_of(file, symbols);
  warn_of_binaries(report.binaries, command.shared.json ? "json" : "text");
  report::Output out(STDOUT_FILENO);
  if (command.shared.json)
    report::write_advice_json(report, out);
  else
    report::write_advice(report, symbols, out);
  out.flush();
  return kFine;
}

}  // namespace

Action add_advise(CommandLine& line) {
  auto command = std::make_shared<AdviseCommand>();
  add_shared_options(line, kTraceArgument | kFormatOption | kColorOption | kSymbolOptions, command->shared);
  line.add_number("-n", command->most, "show N loops; 0: all [10; json: all]").value("N").from_zero();
  line.add_number("--threads", command->threads, "how many threads a loop would have [8]")
      .value("N")
      .between(1, 100'000);
  line.add_repeatable("--program", command->program,
                      "modules that match GLOB are the program's, too, wherever they lie; repeatable")
      .value("GLOB");
  return [command] { return run_advise(*command); };
}

}  // namespace cdr::cli
