// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/race_runs.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "cdrgrind/analysis/sync/operation_stacks.h"
#include "cdrgrind/analysis/sync/steps.h"
#include "cdrgrind/cli/open_trace.h"

namespace cdr::cli {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> sources_of(const report::RaceReport& report) {
  std::vector<std::string> files;
  for (const report::RaceFinding& f : report.findings)
    for (const report::RaceSide* s : {&f.first, &f.second})
      if (s->line && s->file.starts_with('/')) files.emplace_back(s->file);
  return files;
}

std::string common_folder(const std::vector<std::string>& files) {
  if (files.empty()) return "/";
  const auto [low, high] = std::minmax_element(files.begin(), files.end());
  const size_t equal =
      static_cast<size_t>(std::mismatch(low->begin(), low->end(), high->begin(), high->end()).first - low->begin());
  return low->substr(0, low->rfind('/', equal == 0 ? 0 : equal - 1) + 1);
}

std::string default_root(const report::RaceReport& report) {
  std::error_code ignored;
  const std::string here = fs::current_path(ignored).string() + "/";
  const auto files = sources_of(report);
  const bool below = std::any_of(files.begin(), files.end(), [&](const std::string& f) { return f.starts_with(here); });
  return below ? here : common_folder(files);
}

// Where each thread was created.
std::map<uint32_t, std::vector<CodeAddr>> creations(const trace::TraceFile& file, const std::set<uint32_t>& threads) {
  std::map<uint32_t, uint64_t> events;
  std::vector<uint64_t> indices;
  sync::for_each_sync_step(file, [&](const sync::SyncStep& s) {
    if (s.kind != EventKind::kThreadCreate || !threads.count(s.child.value)) return;
    events[s.child.value] = s.index;
    indices.push_back(s.index);
  });
  auto sites = sync::call_sites_at(file, indices);
  std::map<uint32_t, std::vector<CodeAddr>> created;
  for (const auto& [thread, event] : events) created[thread] = sites[event];
  return created;
}

}  // namespace

report::RaceSarifRun sarif_run_of(const trace::TraceFile& file, const report::RaceReport& report,
                                  const std::string& root, bool artifacts) {
  std::error_code ignored;
  const std::string folder =
      root.empty() ? default_root(report) : fs::absolute(root, ignored).lexically_normal().string();
  return {command_line_of(file), folder, artifacts};
}

report::RaceXmlRun xml_run_of(const trace::TraceFile& file, const report::RaceReport& report, symbols::Symbols& symbols,
                              bool artifacts) {
  report::RaceXmlRun run;
  run.pid = file.run().pid;
  run.parent_pid = file.run().parent_pid;
  run.recorder = "valgrind";
  for (const std::string_view option : file.meta().all("option")) run.options.emplace_back(option);
  if (std::find(run.options.begin(), run.options.end(), "--tool=cdrgrind") == run.options.end())
    run.options.insert(run.options.begin(), "--tool=cdrgrind");
  run.command = command_of(file);
  run.artifacts = artifacts;
  std::set<uint32_t> threads;
  for (const report::RaceFinding& f : report.findings) {
    threads.insert(f.first.thread);
    threads.insert(f.second.thread);
  }
  auto created = creations(file, threads);
  for (const uint32_t t : threads) run.threads.push_back({t, report::frames_of(created[t], file.modules(), symbols)});
  return run;
}

}  // namespace cdr::cli
