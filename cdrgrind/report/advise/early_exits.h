// SPDX-License-Identifier: GPL-2.0-or-later
// Where the source text leaves a loop in the middle of its body.
#ifndef CDRGRIND_REPORT_ADVISE_EARLY_EXITS_H
#define CDRGRIND_REPORT_ADVISE_EARLY_EXITS_H

#include <cstdint>
#include <span>
#include <string>

namespace cdr::report {

// Whether an `if` of that line, from 1 on, may do so: break, return, goto. C's, without comments and literals.
bool leaves_loop(std::span<const std::string> lines, uint32_t line);

}  // namespace cdr::report

#endif
