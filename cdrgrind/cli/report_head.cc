// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/report_head.h"

#include <limits>

#include "cdrgrind/cli/open_trace.h"

namespace cdr::cli {

report::ReportHead head_of(const trace::TraceFile& file, symbols::Symbols& symbols, ColorMode color,
                           std::string_view format) {
  report::ReportHead head{program_of(file), symbols.binaries(), header_of(file, symbols), style_of_stdout(color)};
  warn_of_binaries(head.binaries, format);
  return head;
}

uint64_t most_shown(std::optional<uint64_t> asked, bool document) {
  constexpr uint64_t kUsual = 10, kAll = 0;
  const uint64_t most = asked.value_or(document ? kAll : kUsual);
  return most == kAll ? std::numeric_limits<uint64_t>::max() : most;
}

}  // namespace cdr::cli
