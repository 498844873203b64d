// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind verify`: every frame against its checksum, then the invariants of the event stream. Says what can
// be read also when not all can.
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "cdrgrind/cli/command.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/report/output.h"
#include "cdrgrind/trace/checker.h"

namespace cdr::cli {

namespace {

using report::Output;
using report::visible;
using report::with_separators;
using trace::TraceFile;

// The number of frames that cannot be read.
uint64_t check_frames(const TraceFile& file, Output& out) {
  uint64_t bad = 0;
  for (const trace::Frame& frame : file.frames()) {
    try {
      file.payload(frame);
    } catch (const trace::TraceError& e) {
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

Status check(const TraceFile& file, Output& out) {
  if (const uint64_t bad = check_frames(file, out); bad != 0) {
    out.print("damaged: {} of {} frames cannot be read\n", with_separators(bad), with_separators(file.frames().size()));
    return kBadInput;
  }
  const trace::CheckResult result = trace::check(file);
  print_violations(result, out);
  if (!result.ok()) {
    out.print("damaged: {} violations of {} invariants checked\n", with_separators(result.violations),
              trace::invariants().size());
    return kBadInput;
  }
  out.print("{} events keep the {} invariants\n", with_separators(result.events), trace::invariants().size());
  return file.status_text().empty() ? kFine : kFindings;
}

int run_verify(const SharedOptions& options) {
  const TraceFile file = read_trace(options.trace);
  Output out(STDOUT_FILENO);
  print_extent(file, out);
  Status status = kFine;
  try {
    status = check(file, out);
  } catch (const trace::TraceError&) {
    out.flush();
    throw;
  }
  if (status == kFine) out.put("fine\n");
  out.flush();
  return status;
}

}  // namespace

Action add_verify(CLI::App& app) {
  auto options = std::make_shared<SharedOptions>();
  add_shared_options(app, kTraceArgument, *options);
  return [options] { return run_verify(*options); };
}

}  // namespace cdr::cli
