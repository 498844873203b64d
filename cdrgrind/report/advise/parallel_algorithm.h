// SPDX-License-Identifier: GPL-2.0-or-later
// The form with an execution policy that the C++ library has, from C++17 on, of its algorithms.
#ifndef CDRGRIND_REPORT_ADVISE_PARALLEL_ALGORITHM_H
#define CDRGRIND_REPORT_ADVISE_PARALLEL_ALGORITHM_H

#include <string_view>

#include "cdrgrind/report/advise/advise_report.h"

namespace cdr::report {

// That the call could take instead, of those for the loop: "std::reduce" of "std::accumulate<...>(...)". Empty if there
// is none, or iterations have more in common than what the algorithm itself hands on.
std::string_view parallel_algorithm(const AdviceLoop& loop, const CallingPlace& call);

}  // namespace cdr::report

#endif
