// SPDX-License-Identifier: GPL-2.0-or-later
// One loop of the source is several of the code where its function is put in line at several places, or is a template:
// a line for OpenMP stands above all of them.
#ifndef CDRGRIND_REPORT_ADVISE_OTHER_COPIES_H
#define CDRGRIND_REPORT_ADVISE_OTHER_COPIES_H

#include <vector>

#include "cdrgrind/report/advise/advise_report.h"

namespace cdr::report {

// Takes the line away where another copy is not parallel, or only with an edit.
void heed_other_copies(std::vector<AdviceLoop>& loops);

}  // namespace cdr::report

#endif
