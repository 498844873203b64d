// SPDX-License-Identifier: GPL-2.0-or-later
// Arrays of a function that a loop uses as scratch, without touching all of them in the run.
#ifndef CDRGRIND_REPORT_ADVISE_SCRATCH_ARRAYS_H
#define CDRGRIND_REPORT_ADVISE_SCRATCH_ARRAYS_H

#include <span>
#include <string>

#include "cdrgrind/analysis/advise/advice.h"
#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/advise/loop_source.h"

namespace cdr::report {

// Whether the loop, C's, has to do with the array in its function's frame by elements alone, reads nothing of it that
// was there before, and each of its text's assignments to elements stands in lines of its own whose stores are among
// the rows of the items: of these it is known that nobody reads what they leave. The items: private parts of the array.
bool is_scratch_array(const advise::Advisor& with, regions::LoopId loop, const std::string& name,
                      std::span<const AdviceItem* const> items, const LoopSource& source);

}  // namespace cdr::report

#endif
