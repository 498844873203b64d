// SPDX-License-Identifier: GPL-2.0-or-later
// A dependence row in JSON.
#ifndef CDRGRIND_REPORT_COMMON_DEPENDENCE_MEMBERS_H
#define CDRGRIND_REPORT_COMMON_DEPENDENCE_MEMBERS_H

#include "cdrgrind/analysis/dependence/rows.h"
#include "cdrgrind/report/common/json_writer.h"

namespace cdr::report {

// `"kind","class","ancestor","source":{"file","line","code"},"target","count"`, and `"threads"` where they differ:
// members of an object that is open.
void put_dependence(const analysis::DependenceRow& row, JsonWriter& to);

}  // namespace cdr::report

#endif
