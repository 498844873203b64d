// SPDX-License-Identifier: GPL-2.0-or-later
// What is known of two loops that are one to the source, as of one: what either carries is carried. One variable with
// two classes has the worse one.
#ifndef CDRGRIND_REPORT_ADVISE_LOOP_UNION_H
#define CDRGRIND_REPORT_ADVISE_LOOP_UNION_H

#include "cdrgrind/report/advise/advise_report.h"

namespace cdr::report {

// All but numbers of instances, iterations and instructions, and what follows from them; the code of `from` is to be
// found so many bytes further on.
void add_carried(AdviceLoop& to, const AdviceLoop& from, uint64_t moved);

// Of its instructions, how many take their time if the verdict is this one: what another verdict would have brought
// holds no more.
double left_of(const AdviceLoop& loop, advise::Verdict verdict);

}  // namespace cdr::report

#endif
