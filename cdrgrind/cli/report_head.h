// SPDX-License-Identifier: GPL-2.0-or-later
// What commands put before the findings of their reports, and how many of these they show.
#ifndef CDRGRIND_CLI_REPORT_HEAD_H
#define CDRGRIND_CLI_REPORT_HEAD_H

#include <cstdint>
#include <optional>
#include <string_view>

#include "cdrgrind/cli/options.h"
#include "cdrgrind/report/common/report_head.h"
#include "cdrgrind/symbols/symbols.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::cli {

// To be asked for when everything has its name: only then is it known which binaries were of use. Warns of those that a
// document of this format does not tell.
report::ReportHead head_of(const trace::TraceFile& file, symbols::Symbols& symbols, ColorMode color,
                           std::string_view format);

// Of -n: all for 0; without it ten, of a document for programs all.
uint64_t most_shown(std::optional<uint64_t> asked, bool document);

}  // namespace cdr::cli

#endif
