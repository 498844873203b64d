// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/dependence_source.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>

#include "cdrgrind/analysis/dependence/from_trace.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/output_file.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/trace/read/with_frame.h"

namespace cdr::cli {

namespace {

[[noreturn]] void fail_meta(const trace::TraceFile& file, std::string_view key, std::string_view text) {
  throw Failure(kBadInput, fmt::format("{}: META: {} '{}'", file.name(), key, text));
}

uint64_t meta_number(const trace::TraceFile& file, std::string_view key, uint64_t otherwise) {
  const auto text = file.meta().find(key);
  if (!text) return otherwise;
  const auto number = number_of(*text);
  if (!number) fail_meta(file, key, *text);
  return *number;
}

// Beside what is there, if that is a file that has all of it.
void keep(const trace::TraceFile& file, const depend::ResultTable& table) {
  struct stat state = {};
  if (file.name() == kStandardInput || stat(file.name().c_str(), &state) != 0 || !S_ISREG(state.st_mode)) return;
  ByteWriter payload;
  depend::write(table, payload);
  try {
    OutputFile to(file.name(), {.mode = state.st_mode & 07777, .only_replace = true});
    trace::write_with_frame(file, FrameType::kDepend, payload.bytes(), to);
    to.put_in_place();
  } catch (const Failure& f) {
    warn(fmt::format("the dependences were computed and could not be kept: {}", f.what()));
  }
}

}  // namespace

// As they were set when recording.
depend::Options engine_options(const trace::TraceFile& file) {
  constexpr uint64_t kDefaultMegabytes = 1024, kMostMegabytes = 1 << 20;
  const uint64_t bytes = meta_number(file, "granularity", 1);
  if (bytes > 64 || !std::has_single_bit(bytes)) fail_meta(file, "granularity", std::to_string(bytes));
  const uint64_t megabytes = meta_number(file, "deps-memory", kDefaultMegabytes);
  if (megabytes == 0 || megabytes > kMostMegabytes) fail_meta(file, "deps-memory", std::to_string(megabytes));
  depend::Options options;
  options.granularity = static_cast<uint32_t>(bytes);
  options.memory_bytes = megabytes << 20;
  return options;
}

unsigned processors() {
  constexpr unsigned kEnough = 8;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::clamp(static_cast<unsigned>(CPU_COUNT(&set)), 1u, kEnough);
}

Option add_jobs(CommandLine& line, unsigned& jobs) {
  return line.add_number("--jobs", jobs, "threads that share the work [one for each processor, at most 8]")
      .value("N")
      .between(1, analysis::kMostParts);
}

depend::ResultTable recorded_dependences(const trace::TraceFile& file) {
  const auto payload = file.depend();
  if (!payload)
    throw Failure(kBadInput, fmt::format("{}: no dependences were recorded; try --from-trace", file.name()));
  depend::ResultTable table;
  ByteReader reader(*payload);
  if (!depend::read(reader, table))
    throw Failure(kBadInput, fmt::format("{}: the DEPEND frame is damaged; try --from-trace", file.name()));
  return table;
}

depend::ResultTable computed_dependences(const trace::TraceFile& file, unsigned jobs) {
  require_data(file, "addresses, so no dependences");
  if (file.meta().find("data") == "nonstack")
    warn("recorded with --cdr-data=nonstack: dependences of a thread on its own stack cannot be computed");
  ProgressLine line;
  return analysis::dependences_from(file, engine_options(file), jobs == 0 ? processors() : jobs, line.progress());
}

depend::ResultTable any_dependences(const trace::TraceFile& file, unsigned jobs) {
  if (file.find(FrameType::kDepend)) return recorded_dependences(file);
  depend::ResultTable table = computed_dependences(file, jobs);
  if (file.left_dependences() && file.status() == trace::Status::kComplete) keep(file, table);
  return table;
}

}  // namespace cdr::cli
