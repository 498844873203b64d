// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/rank_traces.h"

#include <algorithm>
#include <set>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/open_trace.h"

namespace cdr::cli {

namespace {

std::optional<int64_t> number_in(const trace::TraceFile& file, const char* key) {
  const auto n = number_of(file.meta().find(key).value_or(""));
  return n ? std::optional(static_cast<int64_t>(*n)) : std::nullopt;
}

// Without a library or a launcher there are none: a long trace need not be read for that.
bool may_have_calls(const trace::TraceFile& file) { return file.meta().find("rank") || has_mpi_library(file); }

}  // namespace

bool has_mpi_library(const trace::TraceFile& file) {
  const auto& modules = file.modules();
  return std::any_of(modules.begin(), modules.end(), [](const Module& m) { return m.soname.starts_with("libmpi"); });
}

std::optional<mpi::RankLog> rank_log_in(const trace::TraceFile& file) {
  const std::vector<mpi::RawCall> calls = mpi::mpi_calls_of(file);
  if (calls.empty()) return std::nullopt;
  mpi::RankLog log = mpi::rank_log_of(calls);
  log.complete = file.end().has_value();
  if (log.rank < 0) {
    log.rank = number_in(file, "rank").value_or(-1);
    log.ranks = number_in(file, "ranks").value_or(0);
  }
  return log;
}

bool is_rank(const trace::TraceFile& file) { return may_have_calls(file) && !mpi::mpi_calls_of(file).empty(); }

std::optional<size_t> first_of_ranks(const std::vector<std::string>& names) {
  if (std::count(names.begin(), names.end(), kStandardInput)) return std::nullopt;
  std::set<int64_t> seen;
  int64_t ranks = 0;
  size_t first = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const trace::TraceFile file = read_trace(names[i]);
    const auto one = may_have_calls(file) ? rank_log_in(file) : std::nullopt;
    if (!one || !seen.insert(one->rank).second || (i > 0 && one->ranks != ranks)) return std::nullopt;
    ranks = one->ranks;
    if (*seen.begin() == one->rank) first = i;
  }
  return first;
}

}  // namespace cdr::cli
