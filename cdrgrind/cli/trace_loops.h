// SPDX-License-Identifier: GPL-2.0-or-later
// The loop nests of a trace, thread by thread, for `cdrgrind loops`.
#ifndef CDRGRIND_CLI_TRACE_LOOPS_H
#define CDRGRIND_CLI_TRACE_LOOPS_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/common/symbol_array.h"
#include "cdrgrind/analysis/loops/nest.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/options.h"

namespace cdr::cli {

struct LoopsOptions {
  SharedOptions shared;
  std::string of = "lines";
  uint32_t thread = 0;  // all
  std::string symbols;
  std::string mpi_log;
  std::vector<std::string> mpi_fields;
  std::string algorithm = "optimal";
  std::string order = "body";
  bool strict = false;
  std::string format = "text";
  std::optional<uint64_t> most;
  std::string interrupt;
};

// Runs from its beginning on.
class StopWatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

loops::LoopNest find_loops(const LoopsOptions& options, const analysis::SymbolArray& text,
                           const analysis::Watch& watch);

Status run_trace_loops(const LoopsOptions& options);

}  // namespace cdr::cli

#endif
