// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/control_stats.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "cdrgrind/analysis/compare/control_forms.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/report/stats/control_table.h"

namespace cdr::cli {

namespace {

// What a child tells.
struct Answer {
  uint64_t bytes = 0;
  uint64_t memory_before = 0;
};

uint64_t resident_bytes() {
  unsigned long long all = 0, resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%llu %llu", &all, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

[[noreturn]] void answer(const compare::FlowForm& form, const compare::ControlFlow& flow, const BlockTable& blocks,
                         int to) {
  int status = 1;
  try {
    Answer a{.bytes = 0, .memory_before = resident_bytes()};
    a.bytes = form.bytes(flow, blocks);
    if (::write(to, &a, sizeof a) == sizeof a) status = 0;
  } catch (const std::exception&) {
    // told by the status
  }
  ::_exit(status);
}

double seconds(const rusage& use) {
  const auto of = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
  return of(use.ru_utime) + of(use.ru_stime);
}

report::ControlRow measure(const compare::FlowForm& form, const compare::ControlFlow& flow, const BlockTable& blocks) {
  int ends[2];
  if (::pipe(ends) != 0) throw Failure(kBadInput, "cannot make a pipe");
  const pid_t child = ::fork();
  if (child < 0) throw Failure(kBadInput, "cannot fork");
  if (child == 0) answer(form, flow, blocks, ends[1]);
  ::close(ends[1]);
  Answer a;
  const bool told = ::read(ends[0], &a, sizeof a) == sizeof a;
  ::close(ends[0]);
  int status = 0;
  rusage use = {};
  ::wait4(child, &status, 0, &use);
  const uint64_t most = static_cast<uint64_t>(use.ru_maxrss) << 10;
  return {form.name, told && status == 0, a.bytes, seconds(use), most - std::min(most, a.memory_before)};
}

}  // namespace

int run_control_stats(const trace::TraceFile& file, bool json, const report::Style& style) {
  ProgressLine line;
  const compare::ControlFlow flow = compare::read_control_flow(file, line.progress());
  report::ControlTable table{file.name(), program_of(file), flow.blocks(), flow.threads.size(), {}};
  for (const compare::FlowForm& form : compare::control_forms()) {
    if (const auto progress = line.progress()) progress(form.name, table.rows.size(), compare::control_forms().size());
    table.rows.push_back(measure(form, flow, file.blocks()));
  }
  line.clear();
  report::Output out(STDOUT_FILENO);
  if (json)
    write_control_json(table, out);
  else
    write_control_table(table, style, out);
  out.flush();
  return kFine;
}

}  // namespace cdr::cli
