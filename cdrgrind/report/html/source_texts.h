// SPDX-License-Identifier: GPL-2.0-or-later
// The sources that a page shows, schema cdrgrind.sources/1: the lines of each file that was found, and what is to be
// said of it.
#ifndef CDRGRIND_REPORT_HTML_SOURCE_TEXTS_H
#define CDRGRIND_REPORT_HTML_SOURCE_TEXTS_H

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "cdrgrind/report/common/output.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// What of the sources is put into a page, at most; files are taken in the order of their names.
constexpr uint64_t kMostSourceBytes = 32 << 20;

// `files`: as recorded; they are looked for as listings do. With `!texts` only their names are written.
void write_sources_json(const std::set<std::string_view>& files, bool texts, symbols::Symbols& symbols, Output& out);

}  // namespace cdr::report

#endif
