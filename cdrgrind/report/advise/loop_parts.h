// SPDX-License-Identifier: GPL-2.0-or-later
// Of one loop of the source compilers make several: a vectorised one and one for the rest, one for each way of a
// condition that does not change, one for each group of statements, calls of memcpy and memset; and they exchange
// loops of a nest. All of them are one loop here, which carries what any of them carries; what one leaves to another is
// taken for carried.
#ifndef CDRGRIND_REPORT_ADVISE_LOOP_PARTS_H
#define CDRGRIND_REPORT_ADVISE_LOOP_PARTS_H

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cdrgrind/report/advise/advise_report.h"

namespace cdr::report {

// Code without a head that lies in, or around, a loop of the same statement is not that statement's: its place is not
// known any more. Numbers and parents must be those of one run.
void forget_doubtful(std::vector<AdviceLoop>& loops);

// By index: the first of the loops of the same statement.
std::vector<size_t> statements_of(std::span<const AdviceLoop> loops);

// The loop carries this, too, from one of its parts to another.
void add_between(AdviceLoop& loop, AdviceItem item);

// Puts the parts together, and ranks anew. What teams of a parallel runtime execute stays as it is.
void join_parts(AdviseReport& report);

// Whether a function of that name does what compilers make of loops that only copy or fill.
bool copies_or_fills(std::string_view name);

}  // namespace cdr::report

#endif
