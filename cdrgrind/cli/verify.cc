// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind verify`: every frame against its checksum, then the invariants of the event stream, and on request the
// recorded dependences against those that the events give. Says what can be read also when not all can.
#include <unistd.h>

#include <algorithm>
#include <exception>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/dependence_source.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/packed_source.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/trace/check/checker.h"

namespace cdr::cli {

namespace {

using report::Output;
using report::visible;
using report::with_separators;
using trace::TraceFile;

struct VerifyOptions {
  SharedOptions shared;
  bool dependences = false;
  unsigned jobs = 0;
  std::string interrupt;
};

// The number of frames that cannot be read.
uint64_t check_frames(const TraceFile& file, analysis::WatchedPart& part, Output& out) {
  uint64_t bad = 0, done = 0;
  for (const trace::Frame& frame : file.frames()) {
    if (!part.goes_on(done++)) break;
    try {
      file.payload(frame);
    } catch (const trace::TraceError& e) {
      if (e.problem() == trace::Problem::kNoMemory) throw;
      ++bad;
      out.print("{}\n", visible(e.what()));
    }
  }
  return bad;
}

void print_violations(const trace::CheckResult& result, Output& out) {
  for (const trace::Violation& v : result.examples) {
    const bool in_tables = v.event == trace::Violation::kInTables;
    out.print("{}: {}: {}\n", in_tables ? "tables" : fmt::format("event {}", v.event), v.invariant, visible(v.seen));
  }
}

void print_extent(const TraceFile& file, Output& out) {
  out.print("{}: format {}, {} bytes, {} frames, {} events\n", visible(file.name()), file.version(),
            with_separators(file.bytes()), with_separators(file.frames().size()), with_separators(file.event_count()));
  if (file.status() == trace::Status::kExec)
    out.print("the program ended by executing {}\n", visible(file.exec_path()));
  if (const std::string missing = file.status_text(); !missing.empty()) out.print("{}\n", visible(missing));
}

// Whether the recorded dependences can be read and, on request, are those of the events.
bool check_dependences(const TraceFile& file, bool again, unsigned jobs, Output& out) {
  if (!file.find(FrameType::kDepend)) {
    if (again && file.left_dependences()) out.put("no dependences have been computed yet: nothing to compare\n");
    return true;
  }
  const depend::ResultTable recorded = recorded_dependences(file);
  if (!again) return true;
  const depend::ResultTable computed = computed_dependences(file, jobs);
  if (recorded.stats().imprecise != 0 || computed.stats().imprecise != 0 || file.meta().find("data") == "nonstack") {
    out.put("the dependences cannot be compared: they are imprecise, or not all addresses were recorded\n");
    return true;
  }
  const bool same = depend::same_dependences(recorded, computed);
  if (!same) out.put("damaged: the recorded dependences are not those of the events\n");
  return same;
}

// Frames, then the invariants of the events. `missing`: what was not looked at.
Status check_stream(const TraceFile& file, const std::string& interrupt, Output& out,
                    std::vector<std::string>& missing) {
  CommandWatch watched(interrupt);
  analysis::WatchedPart frames(watched.watch(), "frames", file.frames().size(), 1);
  const uint64_t bad = check_frames(file, frames, out);
  if (frames.ended()) missing.push_back(only_first(*frames.end(), file.frames().size(), "frames"));
  if (bad != 0) {
    out.print("damaged: {} of {} frames cannot be read\n", with_separators(bad), with_separators(file.frames().size()));
    return kBadInput;
  }
  analysis::WatchedPart events(watched.watch(), "events", file.event_count(), kEventsBetween);
  const trace::CheckResult result = trace::check(file, [&](uint64_t event) { return events.goes_on(event); });
  if (events.ended()) missing.push_back(only_first(*events.end(), file.event_count()));
  print_violations(result, out);
  if (!result.ok()) {
    out.print("damaged: {} violations of {} invariants checked\n", with_separators(result.violations),
              trace::invariants().size());
    return kBadInput;
  }
  out.print("{} events keep the {} invariants\n", with_separators(result.events), trace::invariants().size());
  return kFine;
}

// What it knows before it is interrupted is told, too.
Status check(const TraceFile& file, const VerifyOptions& options, Output& out) {
  std::vector<std::string> missing;
  if (const Status status = check_stream(file, options.interrupt, out, missing); status != kFine) return status;
  if (!missing.empty()) return interrupted_status(missing);
  packed_files_of(file);  // throws what is wrong with the list of packed files
  if (!check_dependences(file, options.dependences, options.jobs, out)) return kBadInput;
  return file.status_text().empty() ? kFine : kFindings;
}

int run_verify(const VerifyOptions& options) {
  const TraceFile file = read_trace(options.shared.trace);
  Output out(STDOUT_FILENO);
  print_extent(file, out);
  Status status = kFine;
  try {
    status = check(file, options, out);
  } catch (const std::exception&) {
    out.flush();
    throw;
  }
  if (status == kFine) out.put("fine\n");
  out.flush();
  return status;
}

}  // namespace

Action add_verify(CommandLine& line) {
  auto options = std::make_shared<VerifyOptions>();
  add_shared_options(line, kTraceArgument, options->shared);
  line.add_flag("--dependences", options->dependences,
                "compute the dependences from the events, too, and compare them with those in the file");
  add_jobs(line, options->jobs);
  add_interrupt(line, options->interrupt);
  return [options] { return run_verify(*options); };
}

}  // namespace cdr::cli
