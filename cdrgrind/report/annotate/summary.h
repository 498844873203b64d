// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind annotate --summary`: a line for each function, those first whose dependences keep most from being done at
// the same time: values that are passed on (RAW), by their number; then WAR and WAW, which copies would remove.
#ifndef CDRGRIND_REPORT_ANNOTATE_SUMMARY_H
#define CDRGRIND_REPORT_ANNOTATE_SUMMARY_H

#include "cdrgrind/report/annotate/annotate.h"

namespace cdr::report {

void write_summary(const analysis::DependenceRows& rows, SymbolNames& names, const AnnotateOptions& options,
                   Output& out);

}  // namespace cdr::report

#endif
