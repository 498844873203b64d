// SPDX-License-Identifier: GPL-2.0-or-later
// Which dependences of a trace's result table its loops carry, for commands that show dependences. The trace must have
// all addresses.
#ifndef CDRGRIND_CLI_CARRIED_SOURCE_H
#define CDRGRIND_CLI_CARRIED_SOURCE_H

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/cli/loop_question.h"
#include "cdrgrind/depend/result_table.h"
#include "cdrgrind/report/annotate/carried_marks.h"
#include "cdrgrind/symbols/symbols.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::cli {

// Of all its rows. Names point into `symbols`. Loops of what is not the program's are not looked at.
report::CarriedMarks carried_marks(const trace::TraceFile& file, const depend::ResultTable& table,
                                   const LoopQuestion& question, symbols::Symbols& symbols,
                                   const analysis::Watch& watch);

}  // namespace cdr::cli

#endif
