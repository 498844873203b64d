// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind repack`: a trace in the smallest form that there is. The new file is written beside the place where it is
// to stand, read back and compared with the old one event by event, and only then put there; so a failure at any point
// leaves the old file as it was.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/output_file.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/trace/check/compare_traces.h"
#include "cdrgrind/trace/read/reencode.h"

namespace cdr::cli {

namespace {

using report::visible;
using report::with_separators;
using trace::TraceFile;

struct RepackOptions {
  SharedOptions shared;
  std::string output;
  unsigned memory_mb = 512;
  int level = 19;
  ControlForm control = ControlForm::kAuto;
};

void check_input(const RepackOptions& options, const TraceFile& file, const struct stat& state) {
  if (!S_ISREG(state.st_mode) || options.shared.trace == kStandardInput)
    throw Failure(kWrongUse, options.shared.trace + ": not a regular file; name the new one with -o");
  if (file.status() == trace::Status::kWriting)
    throw Failure(kWrongUse, options.shared.trace + ": is still being written; wait, or name a new file with -o");
  if (file.lost_bytes() > 0)
    throw Failure(kWrongUse,
                  options.shared.trace + ": its end cannot be read and would be lost; name a new file with -o");
}

void write_new(const RepackOptions& options, const TraceFile& file, OutputFile& to) {
  ProgressLine line;
  const analysis::Progress progress = line.progress();
  trace::RewriteOptions how;
  how.recording.form = RecordingForm::kCompact;
  how.recording.zstd_level = options.level;
  how.recording.models = true;
  how.recording.control = options.control;
  how.recording.epoch_blocks = ~uint64_t{0};
  how.recording.epoch_bytes = size_t{options.memory_mb} << 20;
  if (progress) how.progress = [&](uint64_t done) { progress("writing", done, file.event_count()); };
  trace::rewrite(file, to, how);
  if (file.status() == trace::Status::kCut || file.status() == trace::Status::kWriting) to.mark_cut();
}

void check_new(const TraceFile& file, const TraceFile& repacked) {
  ProgressLine line;
  const analysis::Progress progress = line.progress();
  const std::string difference = trace::first_difference(file, repacked, [&](uint64_t done) {
    if (progress) progress("checking", done, file.event_count());
  });
  if (!difference.empty())
    throw Failure(kBadInput, fmt::format("{}: the new file would not be the same trace: {}; nothing was changed",
                                         file.name(), difference));
}

void tell(const TraceFile& file, const TraceFile& repacked, const std::string& name) {
  report::Output out(STDOUT_FILENO);
  out.print("{}: {} bytes\n", visible(file.name()), with_separators(file.bytes()));
  const size_t epochs = repacked.epochs().size();
  out.print("{}: {} bytes in {} epoch{}, {:.1f} %\n", visible(name), with_separators(repacked.bytes()), epochs,
            epochs == 1 ? "" : "s", 100.0 * static_cast<double>(repacked.bytes()) / static_cast<double>(file.bytes()));
  out.flush();
}

// OUT may be FILE by another name. A hard link is a file of its own.
bool is_in_place(const RepackOptions& options) {
  return options.output.empty() || followed(options.output) == followed(options.shared.trace);
}

int run_repack(const RepackOptions& options) {
  struct stat state = {};
  const bool from_input = options.shared.trace == kStandardInput;
  if ((from_input ? fstat(STDIN_FILENO, &state) : stat(options.shared.trace.c_str(), &state)) != 0)
    throw Failure(kBadInput, fmt::format("{}: {}", options.shared.trace, std::strerror(errno)));
  const TraceFile file = open_trace(options.shared.trace);
  const bool in_place = is_in_place(options);
  if (in_place) check_input(options, file, state);
  OutputFile to(in_place ? options.shared.trace : options.output,
                {.mode = state.st_mode & 07777, .keep = in_place ? "" : options.shared.trace});
  write_new(options, file, to);
  const TraceFile repacked = TraceFile::open(to.written_path());
  check_new(file, repacked);
  if (in_place && repacked.bytes() >= file.bytes()) {
    report::Output out(STDOUT_FILENO);
    out.print("{}: {} bytes; repacked it would take {}: left as it is\n", visible(file.name()),
              with_separators(file.bytes()), with_separators(repacked.bytes()));
    out.flush();
    return kFine;
  }
  to.put_in_place();
  tell(file, repacked, in_place ? file.name() : options.output);
  return kFine;
}

}  // namespace

Action add_repack(CommandLine& line) {
  auto options = std::make_shared<RepackOptions>();
  add_shared_options(line, kNamedTrace, options->shared);
  line.add("-o,--output", options->output, "write this file and leave FILE as it is").value("OUT");
  line.add_number("--memory", options->memory_mb, "for one epoch, in megabytes: more is smaller [512]")
      .value("MB")
      .between(1, 1024);
  line.add_number("--level", options->level, "of zstd, 1 to 19 [19]").value("N").between(1, 19);
  line.add_choice<ControlForm>(
      "--control", options->control,
      {{"auto", ControlForm::kAuto}, {"grammar", ControlForm::kGrammar}, {"predict", ControlForm::kPredicted}},
      "control paths: a grammar, and predicted where they do not repeat, or always one of both [auto]");
  return [options] { return run_repack(*options); };
}

}  // namespace cdr::cli
