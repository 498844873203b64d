// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind repack`: a trace in the smallest form that there is. The new file is written beside the place where it is
// to stand, read back and compared with the old one event by event, and only then put there; so a failure at any point
// leaves the old file as it was.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cdrgrind/cli/command.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/report/output.h"
#include "cdrgrind/trace/compare_traces.h"
#include "cdrgrind/trace/reencode.h"

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
};

// The unfinished file, for a signal that ends the command.
char unfinished[4096];
void end_by_signal(int signal_number) {
  unlink(unfinished);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

// A file that is gone unless keep() is called, also when the command is interrupted. There is at most one.
class NewFile final : public Output {
 public:
  NewFile(const std::string& target, mode_t mode) : target_(target), name_(target + ".XXXXXX") {
    fd_ = mkstemp(name_.data());
    if (fd_ < 0) fail("cannot be created");
    fchmod(fd_, mode & 07777);
    signal(SIGXFSZ, SIG_IGN);  // the write fails instead
    if (name_.size() >= sizeof unfinished) return;
    std::memcpy(unfinished, name_.c_str(), name_.size() + 1);
    for (const int s : {SIGINT, SIGTERM, SIGHUP}) signal(s, end_by_signal);
  }
  ~NewFile() {
    if (fd_ >= 0) ::close(fd_);
    if (!kept_) unlink(name_.c_str());
  }
  NewFile(const NewFile&) = delete;

  const std::string& name() const { return name_; }

  bool write(std::span<const uint8_t> bytes) override {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail("cannot be written");
      bytes = bytes.subspan(static_cast<size_t>(n));
    }
    return true;
  }
  void mark_cut() override {
    if (pwrite(fd_, kCutMark.data(), kCutMark.size(), kCutMarkOffset) != static_cast<ssize_t>(kCutMark.size()))
      fail("cannot be written");
  }
  void sync() {
    if (fsync(fd_) != 0) fail("cannot be written");
  }
  void keep() {
    if (rename(name_.c_str(), target_.c_str()) != 0) fail("cannot be put in its place");
    kept_ = true;
    unfinished[0] = 0;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw Failure(kBadInput, fmt::format("{}: {}: {}", target_, what, std::strerror(errno)));
  }

  std::string target_, name_;
  int fd_ = -1;
  bool kept_ = false;
};

// Where the new file goes; links are followed, so that they stay links.
std::string target_of(const RepackOptions& options) {
  const std::filesystem::path path = options.output.empty() ? options.shared.trace : options.output;
  std::error_code none;
  const auto real = std::filesystem::canonical(path, none);
  return none ? path.string() : real.string();
}

void check_input(const RepackOptions& options, const TraceFile& file, const struct stat& state) {
  if (!S_ISREG(state.st_mode) || options.shared.trace == kStandardInput)
    throw Failure(kWrongUse, options.shared.trace + ": not a regular file; name the new one with -o");
  if (file.lost_bytes() > 0)
    throw Failure(kWrongUse,
                  options.shared.trace + ": its end cannot be read and would be lost; name a new file with -o");
}

void write_new(const RepackOptions& options, const TraceFile& file, NewFile& to) {
  ProgressLine line;
  const analysis::Progress progress = line.progress();
  trace::RewriteOptions how;
  how.recording.form = RecordingForm::kCompact;
  how.recording.zstd_level = options.level;
  how.recording.epoch_blocks = ~uint64_t{0};
  how.recording.epoch_bytes = size_t{options.memory_mb} << 20;
  if (progress) how.progress = [&](uint64_t done) { progress("writing", done, file.event_count()); };
  trace::rewrite(file, to, how);
  if (file.status() == trace::Status::kCut) to.mark_cut();
  to.sync();
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

int run_repack(const RepackOptions& options) {
  struct stat state = {};
  const bool from_input = options.shared.trace == kStandardInput;
  if ((from_input ? fstat(STDIN_FILENO, &state) : stat(options.shared.trace.c_str(), &state)) != 0)
    throw Failure(kBadInput, fmt::format("{}: {}", options.shared.trace, std::strerror(errno)));
  const TraceFile file = open_trace(options.shared.trace);
  const bool in_place = options.output.empty();
  if (in_place) check_input(options, file, state);
  NewFile to(target_of(options), state.st_mode);
  write_new(options, file, to);
  const TraceFile repacked = TraceFile::open(to.name());
  check_new(file, repacked);
  if (in_place && repacked.bytes() >= file.bytes()) {
    report::Output out(STDOUT_FILENO);
    out.print("{}: {} bytes; repacked it would take {}: left as it is\n", visible(file.name()),
              with_separators(file.bytes()), with_separators(repacked.bytes()));
    out.flush();
    return kFine;
  }
  to.keep();
  tell(file, repacked, in_place ? file.name() : options.output);
  return kFine;
}

}  // namespace

Action add_repack(CLI::App& app) {
  auto options = std::make_shared<RepackOptions>();
  add_shared_options(app, kTraceArgument, options->shared);
  app.add_option("-o,--output", options->output, "write this file and leave FILE as it is")->type_name("OUT");
  app.add_option("--memory", options->memory_mb, "for one epoch, in megabytes: more is smaller [512]")
      ->type_name("MB")
      ->check(CLI::Range(1u, 1024u, ""));
  app.add_option("--level", options->level, "of zstd, 1 to 19 [19]")->type_name("N")->check(CLI::Range(1, 19, ""));
  return [options] { return run_repack(*options); };
}

}  // namespace cdr::cli
