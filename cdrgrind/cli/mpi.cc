// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind mpi`: how the ranks of an MPI program communicated.
#include <unistd.h>

#include <optional>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/mpi_share.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/rank_files.h"
#include "cdrgrind/cli/report_head.h"
#include "cdrgrind/report/mpi/mpi_findings.h"

namespace cdr::cli {

namespace {

struct MpiCommand {
  SharedOptions shared;
  std::vector<std::string> files;
  std::string format = "text";
  mpi::ClassOptions classes;
  std::string algorithm = "optimal";
  bool no_bytes = false;
  uint64_t eager = UINT64_MAX;
  std::optional<uint64_t> most;
  std::string interrupt;
};

void add_options(CommandLine& line, MpiCommand& command) {
  line.add_arguments("FILE", command.files, "the traces of all ranks, in any order").required();
  line.add("--algorithm", command.algorithm, "optimal or greedy: how loops are found [optimal]")
      .value("NAME")
      .one_of({"optimal", "greedy"});
  line.add("--format", command.format, "text, json, or perfetto: a trace for Perfetto's viewer [text]")
      .value("FORMAT")
      .one_of({"text", "json", "perfetto"});
  line.add_flag("--no-bytes", command.no_bytes, "calls that differ only in their bytes are alike");
  line.add_flag("--tags", command.classes.tags, "calls that differ in their tags are not alike");
  line.add_number("--eager", command.eager,
                  "bytes up to which a standard send does not wait for its receive [it never does]")
      .value("BYTES")
      .from_zero();
  line.add_number("-n", command.most, "show N rows of each table; 0: all [10]").value("N").from_zero();
  add_shared_options(line, kColorOption | kSymbolOptions, command.shared);
  add_interrupt(line, command.interrupt);
}

// Of several processes none is interrupted alone: who started them ends them all.
RankFiles read_files(const MpiCommand& command, mpi::Processes& all) {
  if (all.count() > 1) return read_rank_files(all, command.files, command.shared.symbols, {});
  const CommandWatch watched(command.interrupt);
  return read_rank_files(all, command.files, command.shared.symbols, watched.watch());
}

// What all processes do together, and the first prints.
int run_mpi(MpiCommand& command, mpi::Processes& all) {
  command.classes.greedy = command.algorithm == "greedy";
  command.classes.bytes = !command.no_bytes;
  RankFiles files = read_files(command, all);
  const mpi::Program program(all, files.ranks, std::move(files.logs));
  const mpi::Collectives collectives(program);
  const mpi::Times times = mpi::replayed_times(program, collectives, command.eager);
  const mpi::RankClasses classes = mpi::classes_of(program, command.classes);
  const mpi::NestItems merged = mpi::merged_nest(classes);
  const mpi::Summary summary = mpi::summary_of(program, times);
  const std::vector<mpi::LateLine> late = mpi::late_lines(all, times, command.format == "json");
  const std::vector<mpi::Waiting> waiting = mpi::unfinished_calls(program, collectives);
  const report::MpiReport report{files.ranks,
                                 classes,
                                 merged,
                                 summary,
                                 collectives.mismatches(),
                                 late,
                                 waiting,
                                 files.places,
                                 files.program,
                                 files.binaries,
                                 command.eager,
                                 most_shown(command.most, false),
                                 style_of_stdout(command.shared.color)};
  if (all.first()) warn_of_binaries(report.binaries, command.format);
  report::Output out(STDOUT_FILENO);
  if (command.format == "perfetto") report::write_mpi_perfetto(program, times, files.places, out);
  if (!all.first()) return kFine;
  if (command.format == "json")
    report::write_mpi_json(report, out);
  else if (command.format == "text")
    report::write_mpi_text(report, out);
  out.flush();
  return report::has_findings(report) ? kFindings : kFine;
}

}  // namespace

Action add_shared_mpi(CommandLine& line, mpi::Processes& all) {
  auto command = std::make_shared<MpiCommand>();
  add_options(line, *command);
  return [command, &all] { return run_mpi(*command, all); };
}

Action add_mpi(CommandLine& line) {
  static mpi::OneProcess alone;
  return add_shared_mpi(line, alone);
}

}  // namespace cdr::cli
