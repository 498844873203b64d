// SPDX-License-Identifier: GPL-2.0-or-later
// What is to be said of the loops of a trace, for whatever command speaks of them (cli/advise.cc).
#ifndef CDRGRIND_CLI_ADVICE_SOURCE_H
#define CDRGRIND_CLI_ADVICE_SOURCE_H

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/cli/loop_question.h"
#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::cli {

// All loops, and the numbers of the report. The trace must have all addresses. `watch`: throws ReplayInterrupted
// (loop_replay.h); without it progress is shown.
report::AdviseReport advice_of(const trace::TraceFile& file, const LoopQuestion& question, symbols::Symbols& symbols,
                               const analysis::Watch& watch);
report::AdviseReport advice_of(const trace::TraceFile& file, const LoopQuestion& question, symbols::Symbols& symbols);

}  // namespace cdr::cli

#endif
