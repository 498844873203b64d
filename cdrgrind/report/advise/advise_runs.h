// SPDX-License-Identifier: GPL-2.0-or-later
// Several runs as one answer: what is carried in any of them is carried. A loop is the same if its header stands at the
// same place of the same file.
#ifndef CDRGRIND_REPORT_ADVISE_ADVISE_RUNS_H
#define CDRGRIND_REPORT_ADVISE_ADVISE_RUNS_H

#include "cdrgrind/report/advise/advise_report.h"

namespace cdr::report {

// What `from` points to must go on living.
void add_run(AdviseReport& to, const AdviseReport& from);

// By what they bring to the whole run.
void rank_loops(AdviseReport& report);

}  // namespace cdr::report

#endif
