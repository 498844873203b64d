// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind paths --strata`: reads a trace once, counts, and writes nothing but the report and the figures asked for.
#ifndef CDRGRIND_CLI_STRATA_H
#define CDRGRIND_CLI_STRATA_H

#include <cstdint>
#include <string>

#include "cdrgrind/report/common/style.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::cli {

struct StrataCommand {
  uint32_t thread = 0;  // 0: all
  unsigned layers = 0;
  size_t memory_mb = 96;
  std::string paths_svg, strata_svg;  // files; empty: not wanted
  bool json = false;
  std::string interrupt;  // for tests: as CommandWatch takes it
};

// The exit status.
int run_strata(const StrataCommand& command, const trace::TraceFile& file, const report::Style& style);

}  // namespace cdr::cli

#endif
